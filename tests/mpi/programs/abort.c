/* tarry-test: ranks=2 exit=5 incomplete=1
 *
 * MPI_Abort: what was recorded until then stays readable, the launcher's exit code is the program's. */
#include "checksum.h"

#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int rank, value = 1;

	MPI_Init(&argc, &argv);
	/* @* */
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD);
	/* @* peer=null tag=3 sent=4 */
	MPI_Barrier(MPI_COMM_WORLD);
	/* @0 comm=$world
	 * @1 x? comm=$world */
	checksum_add(&value, sizeof(value));
	checksum_print_early(rank);
	if (rank == 0)
		MPI_Abort(MPI_COMM_WORLD, 5);
	/* @0 x? */
	sleep(20);
	return 0;
}
