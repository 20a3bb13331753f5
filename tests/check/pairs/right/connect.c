/* pair: check=none ranks=2 mpi=openmpi
 *
 * Communicators between processes that met through a port. */
#include "../pair.h"

int main(int argc, char **argv)
{
	char port[MPI_MAX_PORT_NAME] = "";
	MPI_Comm other, merged;
	int theirs = -1, sum = 0;

	start(&argc, &argv);
	if (rank == 0)
		MPI_Open_port(MPI_INFO_NULL, port);
	MPI_Bcast(port, sizeof port, MPI_CHAR, 0, MPI_COMM_WORLD);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0)
		MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other);
	else
		MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other);
	MPI_Sendrecv(&rank, 1, MPI_INT, 0, 3, &theirs, 1, MPI_INT, 0, 3, other, MPI_STATUS_IGNORE);
	expect(theirs == !rank);
	MPI_Intercomm_merge(other, rank, &merged);
	MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, merged);
	expect(sum == 1);
	MPI_Comm_free(&merged);
	MPI_Comm_disconnect(&other);
	if (rank == 0)
		MPI_Close_port(port);
	return finish();
}
