/* tarry-test: ranks=1 with=mpmd_b
 *
 * One of two programs in one job; this one asks. */
#include "checksum.h"

#include <mpi.h>

int main(int argc, char **argv)
{
	int rank, value = 4;

	MPI_Init(&argc, &argv);
	/* @0 */
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Send(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
	/* @0 comm=$world peer=1 tag=1 sent=4 */
	MPI_Recv(&value, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	/* @0 comm=$world peer=1 tag=2 received=4 */
	checksum_add(&value, sizeof(value));
	checksum_print(rank);
	MPI_Finalize();
	/* @0 */
	return 0;
}
/* @comm $world size=2 members=0,1 */
