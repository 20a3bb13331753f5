/* tarry-test: ranks=1
 *
 * One of two programs in one job, started together with mpmd_a; this one answers. */
#include "checksum.h"

#include <mpi.h>

int main(int argc, char **argv)
{
	int rank, value = 4;

	MPI_Init(&argc, &argv);
	/* @1 */
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	/* @1 comm=$world peer=0 tag=1 received=4 */
	value *= 100;
	MPI_Send(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
	/* @1 comm=$world peer=0 tag=2 sent=4 */
	checksum_print(rank);
	MPI_Finalize();
	/* @1 */
	return 0;
}
