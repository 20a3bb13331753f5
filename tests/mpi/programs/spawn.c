/* tarry-test: ranks=1 also=2 mpi=openmpi
 *
 * Two children by MPI_Comm_spawn, a message each way; the children are this same program. Both worlds are
 * in the trace; `also` is the size of the second. MPICH over UCX cannot spawn. */
#include "checksum.h"

#include <mpi.h>

static void parent(const char *program)
{
	MPI_Comm children;
	int value = 81, sum = 0;

	MPI_Comm_spawn(program, MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_SELF, &children,
	               MPI_ERRCODES_IGNORE);
	/* @0 root=0 newcomm=$children program=* */
	MPI_Send(&value, 1, MPI_INT, 1, 4, children);
	/* @0 comm=$children peer=1 tag=4 sent=4 */
	MPI_Reduce(NULL, &sum, 1, MPI_INT, MPI_SUM, MPI_ROOT, children);
	/* @0 comm=$children root=root op=3 */
	checksum_add(&sum, sizeof(sum));
	MPI_Comm_disconnect(&children);
	/* @0 comm=$children */
	checksum_print(0);
}

static void child(MPI_Comm parent_side)
{
	int rank, value = 100;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 1)
		MPI_Recv(&value, 1, MPI_INT, 0, 4, parent_side, MPI_STATUS_IGNORE);
	/* @also:1 comm=$children peer=0 tag=4 received=4 */
	MPI_Reduce(&value, NULL, 1, MPI_INT, MPI_SUM, 0, parent_side);
	/* @also:* comm=$children root=0 op=3 sent=4 */
	MPI_Comm_disconnect(&parent_side);
	/* @also:* comm=$children */
}

int main(int argc, char **argv)
{
	MPI_Comm parent_side;

	MPI_Init(&argc, &argv);
	/* @*
	 * @also:* */
	MPI_Comm_get_parent(&parent_side);
	if (parent_side == MPI_COMM_NULL)
		parent(argv[0]);
	else
		child(parent_side);
	MPI_Finalize();
	/* @*
	 * @also:* */
	return 0;
}
/* @comm $children kind=inter */
