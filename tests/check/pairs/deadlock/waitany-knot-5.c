/* pair: check=deadlock.cycle ranks=5 at=0,1,2,3,4 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int theirs[2] = {-1, -1};
	start(&argc, &argv);
	/* Each waits for one of its two neighbours. */
	const int next = (rank + 1) % size, after = (rank + 2) % size;
	MPI_Request requests[2];
	int index;

#ifndef WRONG
	if (rank == 0)
		for (int i = 1; i < size; i++)
			MPI_Send(&rank, 1, MPI_INT, i, 7, MPI_COMM_WORLD);
	else
		MPI_Recv(&theirs[0], 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Barrier(MPI_COMM_WORLD);
#else
	MPI_Irecv(&theirs[0], 1, MPI_INT, next, 0, MPI_COMM_WORLD, &requests[0]);  /* MAY */
	MPI_Irecv(&theirs[1], 1, MPI_INT, after, 0, MPI_COMM_WORLD, &requests[1]); /* MAY */
	MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);                       /* FOUND */
#endif
	(void)next, (void)after, (void)requests, (void)index;
	expect(rank == 0 || theirs[0] == 0);
	return finish();
}
