/* pair: check=race.message ranks=3 at=0,1,2 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int value[2] = {0, 0}, source = 1;

	start(&argc, &argv);
	if (rank == 0) {
#ifdef WRONG
		source = MPI_ANY_SOURCE;
#endif
		MPI_Sendrecv(&rank, 1, MPI_INT, 1, 3, &value[0], 1, MPI_INT, source, 0,
		             MPI_COMM_WORLD, /* FOUND */
		             MPI_STATUS_IGNORE);
		MPI_Recv(&value[1], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		expect(value[0] + value[1] == 3);
	}
	if (rank == 1) {
		MPI_Recv(&value[0], 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); /* PARTNER */
	}
	if (rank == 2)
		MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); /* PARTNER */
	return finish();
}
