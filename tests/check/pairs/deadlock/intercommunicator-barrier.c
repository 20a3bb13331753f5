/* pair: check=deadlock.cycle ranks=3 among=0,2 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int theirs = -1;
	start(&argc, &argv);
	MPI_Comm half, inter;
	int local;

	MPI_Comm_split(MPI_COMM_WORLD, rank < 2, rank, &half);
	MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank < 2 ? 2 : 0, 1, &inter);
	MPI_Comm_rank(half, &local);
#ifdef WRONG
	if (rank == 2)
		MPI_Recv(&theirs, 1, MPI_INT, 0, 0, inter, MPI_STATUS_IGNORE); /* FOUND */
#endif
	MPI_Barrier(inter); /* FOUND */
	if (rank == 0)
		MPI_Send(&local, 1, MPI_INT, 0, 0, inter);
#ifndef WRONG
	if (rank == 2)
		MPI_Recv(&theirs, 1, MPI_INT, 0, 0, inter, MPI_STATUS_IGNORE);
#endif
	MPI_Comm_free(&inter);
	MPI_Comm_free(&half);
	expect(rank != 2 || theirs == 0);
	return finish();
}
