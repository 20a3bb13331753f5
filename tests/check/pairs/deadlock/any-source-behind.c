/* pair: check=deadlock.cycle ranks=5 among=0,1,2 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int theirs = -1;
	start(&argc, &argv);
	/* A knot of three that wait for any member of their communicator; the others wait for one of them. */
	MPI_Comm half;

	MPI_Comm_split(MPI_COMM_WORLD, rank < 3, rank, &half);
	if (rank < 3) {
#ifdef WRONG
		MPI_Recv(&theirs, 1, MPI_INT, MPI_ANY_SOURCE, 0, half, MPI_STATUS_IGNORE); /* FOUND */
#endif
		MPI_Ssend(&rank, 1, MPI_INT, 3 + rank % 2, rank, MPI_COMM_WORLD);
	} else {
		for (int i = rank - 3; i < 3; i += 2)
			MPI_Recv(&theirs, 1, MPI_INT, i, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* MAY */
	}
	MPI_Comm_free(&half);
	expect(rank < 3 || theirs == (rank == 3 ? 2 : 1));
	return finish();
}
