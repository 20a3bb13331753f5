/* pair: check=race.message-order ranks=3 at=0,1,2 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int value[2] = {0, 0};

	start(&argc, &argv);
	if (rank == 0) {
#ifdef WRONG
		MPI_Recv(&value[0], 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD,
		         MPI_STATUS_IGNORE); /* FOUND */
		MPI_Recv(&value[1], 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
		MPI_Recv(&value[0], 1, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Recv(&value[1], 1, MPI_INT, 2, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		expect(value[0] == 1 && value[1] == 2);
#endif
		expect(value[0] + value[1] == 3);
	} else {
		MPI_Send(&rank, 1, MPI_INT, 0, 5, MPI_COMM_WORLD); /* PARTNER */
	}
	return finish();
}
