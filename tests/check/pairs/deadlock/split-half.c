/* pair: check=deadlock.cycle ranks=4 among=1,3 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int theirs = -1;
	start(&argc, &argv);
	/* The odd ranks wait for each other, the even ones for all. */
	MPI_Comm half;
	int other;

	MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
	other = 1 - rank / 2;
	if (rank % 2) {
#ifdef WRONG
		MPI_Recv(&theirs, 1, MPI_INT, other, 0, half, MPI_STATUS_IGNORE); /* FOUND */
		MPI_Send(&rank, 1, MPI_INT, other, 0, half);
#else
		MPI_Sendrecv(&rank, 1, MPI_INT, other, 0, &theirs, 1, MPI_INT, other, 0, half,
		             MPI_STATUS_IGNORE);
#endif
	}
	MPI_Barrier(MPI_COMM_WORLD); /* MAY */
	MPI_Comm_free(&half);
	expect(!(rank % 2) || theirs == 4 - rank);
	return finish();
}
