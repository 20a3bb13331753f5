/* pair: check=deadlock.cycle ranks=4 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int theirs = -1;
	start(&argc, &argv);
	/* Two groups: each process waits for one of the other group, 0 for 2, 2 for 1, 1 for 3 and 3 for 0. */
	MPI_Comm half, inter;
	int local;

	MPI_Comm_split(MPI_COMM_WORLD, rank < 2, rank, &half);
	MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank < 2 ? 2 : 0, 1, &inter);
	MPI_Comm_rank(half, &local);
#ifdef WRONG
	MPI_Recv(&theirs, 1, MPI_INT, rank < 2 ? local : 1 - local, 0, inter, MPI_STATUS_IGNORE); /* FOUND */
	MPI_Send(&local, 1, MPI_INT, local, 0, inter);
#else
	MPI_Sendrecv(&local, 1, MPI_INT, local, 0, &theirs, 1, MPI_INT, local, 0, inter, MPI_STATUS_IGNORE);
	expect(theirs == local);
#endif
	MPI_Comm_free(&inter);
	MPI_Comm_free(&half);
	return finish();
}
