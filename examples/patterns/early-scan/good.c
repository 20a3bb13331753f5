/* The work before the prefix sum is shared.
 *
 * tarry-example: ranks=3 */
#include <mpi.h>
#include <unistd.h>

enum { WORK_US = 200000 };

int main(int argc, char **argv)
{
	int rank;
	int value = 7, sum;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	usleep(WORK_US / 3);
	MPI_Scan(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
