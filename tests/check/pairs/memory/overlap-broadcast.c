/* pair: check=memory.overlap ranks=2 at=1
 *
 * The root only reads its data; other ranks must not send theirs yet. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int data[100] = {0}, other[100] = {0};
	MPI_Request requests[2];

	start(&argc, &argv);
	data[99] = 9 - rank;
	MPI_Ibcast(data, 100, MPI_INT, 0, MPI_COMM_WORLD, &requests[0]); /* PARTNER */
#ifdef WRONG
	MPI_Isend(data, 100, MPI_INT, !rank, 0, MPI_COMM_WORLD, &requests[1]); /* FOUND */
#else
	MPI_Isend(rank ? other : data, 100, MPI_INT, !rank, 0, MPI_COMM_WORLD, &requests[1]);
#endif
	MPI_Recv(rank ? (int[100]){0} : other, 100, MPI_INT, !rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	expect(data[99] == 9);
	return finish();
}
