/* tarry-test: ranks=2 exit=3
 *
 * Calls that fail under MPI_ERRORS_RETURN: the program sees the code it would see without a recorder, the
 * trace has it as an error class. The exit code is the number of failures. */
#include "checksum.h"

#include <mpi.h>

static int failures;

static void note(int code)
{
	int class;

	MPI_Error_class(code, &class);
	failures += class != MPI_SUCCESS;
	checksum_add(&class, sizeof(class));
}

int main(int argc, char **argv)
{
	int rank, value = 0, four[4];

	MPI_Init(&argc, &argv);
	/* @* */
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	note(MPI_Send(&value, 1, MPI_INT, 99, 0, MPI_COMM_WORLD));
	/* @* peer=99 tag=0 result=6 */
	note(MPI_Bcast(&value, -1, MPI_INT, 0, MPI_COMM_WORLD));
	/* @* result=2 */
	/* More arrives than there is room for. */
	if (rank == 0)
		MPI_Send(four, 4, MPI_INT, 1, 1, MPI_COMM_WORLD);
	/* @0 peer=1 tag=1 sent=16 */
	else
		note(MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
	/* @1 peer=0 tag=1 room=4 result=15 */
	note(MPI_Send(&value, 1, MPI_INT, 0, -5, MPI_COMM_WORLD));
	/* @* peer=0 result=4 */
	checksum_print_early(rank);
	MPI_Finalize();
	/* @* */
	wait_for_other(rank);
	return rank == 0 ? failures : 0;
}
