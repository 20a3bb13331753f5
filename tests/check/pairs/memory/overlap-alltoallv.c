/* pair: check=memory.overlap ranks=2 at=0,1
 *
 * Blocks for the ranks have gaps between them, of which this much may be used. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int received[10] = {0}, sent[4] = {1, 2, 3, 4}, counts[] = {2, 2}, places[] = {0, 2}, wide[] = {0, 6},
	    value = 0;
	MPI_Request requests[2];

	start(&argc, &argv);
	MPI_Ialltoallv(sent, counts, places, MPI_INT, received, counts, wide, MPI_INT,
	               MPI_COMM_WORLD, /* PARTNER */
	               &requests[0]);
#ifdef WRONG
	MPI_Irecv(&received[4], 3, MPI_INT, !rank, 0, MPI_COMM_WORLD, &requests[1]); /* FOUND */
#else
	MPI_Irecv(&received[2], 4, MPI_INT, !rank, 0, MPI_COMM_WORLD, &requests[1]);
#endif
	MPI_Send(&value, 1, MPI_INT, !rank, 0, MPI_COMM_WORLD);
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	expect(received[7] == (rank ? 4 : 2));
	return finish();
}
