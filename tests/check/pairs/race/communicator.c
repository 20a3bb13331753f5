/* pair: check=race.message ranks=3 at=0,1,2
 *
 * Messages of another communicator never fit. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int value[2] = {0, 0};
	MPI_Comm comm, other;

	start(&argc, &argv);
	MPI_Comm_dup(MPI_COMM_WORLD, &comm);
	MPI_Comm_dup(MPI_COMM_WORLD, &other);
	if (rank == 0) {
		MPI_Recv(&value[0], 1, MPI_INT, MPI_ANY_SOURCE, 0, comm, MPI_STATUS_IGNORE); /* FOUND */
#ifdef WRONG
		MPI_Recv(&value[1], 1, MPI_INT, MPI_ANY_SOURCE, 0, comm, MPI_STATUS_IGNORE);
#else
		MPI_Recv(&value[1], 1, MPI_INT, MPI_ANY_SOURCE, 0, other, MPI_STATUS_IGNORE);
#endif
		expect(value[0] + value[1] == 3);
	}
	if (rank == 1)
		MPI_Send(&rank, 1, MPI_INT, 0, 0, comm); /* PARTNER */
	if (rank == 2)
#ifdef WRONG
		MPI_Send(&rank, 1, MPI_INT, 0, 0, comm); /* PARTNER */
#else
		MPI_Send(&rank, 1, MPI_INT, 0, 0, other);
#endif
	MPI_Comm_free(&comm);
	MPI_Comm_free(&other);
	return finish();
}
