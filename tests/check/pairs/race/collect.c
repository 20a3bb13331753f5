/* pair: check=race.message-order ranks=4 among=0
 *
 * A master takes results as they come: one warning for the line. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int value, sum = 0;

	start(&argc, &argv);
	for (int round = 0; round < 3; round++) {
		if (rank) {
			value = rank + round;
			MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD); /* PARTNER */
			continue;
		}
		for (int i = 1; i < size; i++) {
#ifdef WRONG
			MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD,
			         MPI_STATUS_IGNORE); /* FOUND */
#else
			MPI_Recv(&value, 1, MPI_INT, i, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
			sum += value;
		}
	}
	expect(rank || sum == 27);
	return finish();
}
