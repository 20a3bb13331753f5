/* pair: check=memory.overlap ranks=2 at=0,1
 *
 * A buffer is free again when MPI_Waitany says so, and only then. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int data[2] = {0}, values[2] = {5, 6}, index, first;
	MPI_Request requests[3];

	start(&argc, &argv);
	for (int i = 0; i < 2; i++)
		MPI_Irecv(&data[i], 1, MPI_INT, !rank, i, MPI_COMM_WORLD, &requests[i]); /* PARTNER */
	MPI_Sendrecv(&values[0], 1, MPI_INT, !rank, 0, NULL, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD,
	             MPI_STATUS_IGNORE);
	MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
	expect(index == 0);
#ifdef WRONG
	first = 1;
#else
	first = 0;
#endif
	MPI_Irecv(&data[first], 1, MPI_INT, !rank, 2, MPI_COMM_WORLD, &requests[2]); /* FOUND */
	MPI_Send(&values[1], 1, MPI_INT, !rank, 1, MPI_COMM_WORLD);
	MPI_Send(&values[1], 1, MPI_INT, !rank, 2, MPI_COMM_WORLD);
	MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
	expect(data[1] == 6);
	return finish();
}
