/* The root sends the data before its own work; all have about equal work.
 * The ranks share the work of the bad program.
 *
 * tarry-example: ranks=3 */
#include <mpi.h>
#include <unistd.h>

enum { WORK_US = 200000 };

int main(int argc, char **argv)
{
	int rank;
	int value = 7;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
	usleep(WORK_US / 3);
	MPI_Finalize();
	return 0;
}
