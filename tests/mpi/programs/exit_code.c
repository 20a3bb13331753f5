/* tarry-test: ranks=2 exit=7
 *
 * The program's own exit code, after MPI_Finalize. Open MPI kills ranks that are still in there when the first
 * ends in this way: so nobody is in a hurry. */
#include "checksum.h"

#include <mpi.h>
#include <unistd.h>

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
	/* @* x? */
	usleep(500000);
	return 7;
}
