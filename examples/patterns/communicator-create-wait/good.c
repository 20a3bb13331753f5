/* The communicator is created at the start, when no process is late. The ranks share the work of the bad program.
 *
 * tarry-example: ranks=3 */
#include <mpi.h>
#include <unistd.h>

enum { WORK_US = 200000 };

int main(int argc, char **argv)
{
	int rank;
	MPI_Comm mine;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_dup(MPI_COMM_WORLD, &mine);
	usleep(WORK_US / 3);
	MPI_Comm_free(&mine);
	MPI_Finalize();
	return 0;
}
