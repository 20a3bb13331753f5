/* tarry-test: ranks=2 mpi=openmpi
 *
 * Rank 0 opens a port, rank 1 connects to it, both by MPI_COMM_SELF. MPICH over UCX has no ports. */
#include "checksum.h"

#include <mpi.h>

int main(int argc, char **argv)
{
	char port[MPI_MAX_PORT_NAME] = "";
	int rank, value = 90;
	MPI_Comm other;

	MPI_Init(&argc, &argv);
	/* @* */
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 0)
		MPI_Open_port(MPI_INFO_NULL, port);
	MPI_Bcast(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, MPI_COMM_WORLD);
	/* @* comm=$world root=0 */
	if (rank == 0)
		MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other);
	/* @0 root=0 newcomm=$pair */
	else
		MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other);
	/* @1 root=0 newcomm=$pair */
	if (rank == 0)
		MPI_Recv(&value, 1, MPI_INT, 0, 6, other, MPI_STATUS_IGNORE);
	/* @0 comm=$pair peer=0 tag=6 received=4 */
	else
		MPI_Send(&rank, 1, MPI_INT, 0, 6, other);
	/* @1 comm=$pair peer=0 tag=6 sent=4 */
	MPI_Comm_disconnect(&other);
	/* @* comm=$pair */
	if (rank == 0)
		MPI_Close_port(port);
	checksum_add(&value, sizeof(value));
	checksum_print(rank);
	MPI_Finalize();
	/* @* */
	return 0;
}
/* @comm $pair kind=inter */
