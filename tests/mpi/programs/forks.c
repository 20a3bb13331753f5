/* tarry-test: ranks=2
 *
 * Children of the program, made before MPI_Init and after it, leave no trace of their own and do no harm
 * to that of their parent; one runs another program. */
#include "checksum.h"

#include <mpi.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int child_says(int code)
{
	int status;
	pid_t child = fork();

	if (child == 0)
		_exit(code);
	waitpid(child, &status, 0);
	return WEXITSTATUS(status);
}

int main(int argc, char **argv)
{
	int rank, value = child_says(3);

	MPI_Init(&argc, &argv);
	/* @* */
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	/* @* comm=$world op=3 */
	value += child_says(4);
	value += WEXITSTATUS(system("exit 5"));
	MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	/* @* comm=$world op=3 */
	checksum_add(&value, sizeof(value));
	checksum_print(rank);
	MPI_Finalize();
	/* @* */
	return 0;
}
