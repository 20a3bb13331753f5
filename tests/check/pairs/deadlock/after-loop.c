/* pair: check=deadlock.cycle ranks=2 at=0,1 */
#include "../pair.h"

enum { ROUNDS = 500 };

int main(int argc, char **argv)
{
	int theirs = -1;
	start(&argc, &argv);
	const int other = 1 - rank;

	for (int i = 0; i < ROUNDS; i++) {
		const int mine = i + rank;

#ifdef WRONG
		if (i == ROUNDS - 1) {
			MPI_Recv(&theirs, 1, MPI_INT, other, 0, MPI_COMM_WORLD,
			         MPI_STATUS_IGNORE); /* FOUND */
			continue;
		}
#endif
		if (rank == 0)
			MPI_Ssend(&mine, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
		MPI_Recv(&theirs, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		if (rank == 1)
			MPI_Ssend(&mine, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
	}
	expect(theirs == ROUNDS - 1 + other);
	return finish();
}
