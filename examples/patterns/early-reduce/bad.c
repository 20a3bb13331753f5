/* The root of a reduction arrives early and waits for a late process.
 *
 * tarry-example: ranks=2 */
#include <mpi.h>
#include <unistd.h>

enum { WORK_US = 200000 };

int main(int argc, char **argv)
{
	int rank;
	int value = 7, sum;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 1)
		usleep(WORK_US);
	MPI_Reduce(&value, &sum, 1, MPI_INT, MPI_SUM, 0,
	           MPI_COMM_WORLD); /* @mpi.early-reduce rank=0 total=0.2 partner=1 */
	MPI_Finalize();
	return 0;
}
