/* pair: check=deadlock.cycle ranks=3 among=1,2 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int extra = -1;
	start(&argc, &argv);
	/* A ring; rank 2 wants a message of rank 1 before it takes part. */
	MPI_Comm ring;
	int theirs[2] = {-1, -1}, both[2] = {rank, rank};

	MPI_Cart_create(MPI_COMM_WORLD, 1, (int[]){3}, (int[]){1}, 0, &ring);
#ifdef WRONG
	if (rank == 2)
		MPI_Recv(&extra, 1, MPI_INT, 1, 0, ring, MPI_STATUS_IGNORE); /* FOUND */
#endif
	MPI_Neighbor_alltoall(both, 1, MPI_INT, theirs, 1, MPI_INT, ring); /* FOUND */
	if (rank == 1)
		MPI_Send(&rank, 1, MPI_INT, 2, 0, ring);
#ifndef WRONG
	if (rank == 2)
		MPI_Recv(&extra, 1, MPI_INT, 1, 0, ring, MPI_STATUS_IGNORE);
#endif
	MPI_Comm_free(&ring);
	expect(theirs[0] == (rank + 2) % 3 && (rank != 2 || extra == 1));
	return finish();
}
