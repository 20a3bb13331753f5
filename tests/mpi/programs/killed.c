/* tarry-test: ranks=2 exit=any incomplete=1
 *
 * Rank 1 is killed: nothing that was recorded is lost. */
#include "checksum.h"

#include <mpi.h>
#include <signal.h>

int main(int argc, char **argv)
{
	int rank, value = 1;

	MPI_Init(&argc, &argv);
	/* @* */
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < 1000; i++)
		MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD);
	/* @* x1000 peer=null tag=3 sent=4 */
	MPI_Barrier(MPI_COMM_WORLD);
	/* @1 comm=$world
	 * @0 x? comm=$world */
	checksum_add(&value, sizeof(value));
	checksum_print_early(rank);
	if (rank == 1)
		raise(SIGKILL);
	MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	/* @0 x? */
	MPI_Finalize();
	/* @0 x? */
	return 0;
}
