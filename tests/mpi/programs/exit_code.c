/* tarry-test: ranks=2 exit=7
 *
 * The program's own exit code, after MPI_Finalize. Open MPI kills ranks that are still in there when the first
 * ends in this way: so they wait for each other. */
#include "checksum.h"

#include <mpi.h>

int main(int argc, char **argv)
{
	int rank, value = 1;

	MPI_Init(&argc, &argv);
	/* @* */
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
	/* @* comm=$world root=0 */
	checksum_add(&value, sizeof(value));
	checksum_print_early(rank);
	MPI_Finalize();
	/* @* */
	wait_for_other(rank);
	return 7;
}
