/* Rank 0 has four times the work of the others in each step.
 *
 * tarry-example: ranks=3 critical=0 */
#include <mpi.h>
#include <unistd.h>

enum { STEPS = 12, WORK_US = 40000 };

int main(int argc, char **argv)
{
	double own = 1, sum = 0;
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int step = 0; step < STEPS; step++) {
		usleep(rank == 0 ? WORK_US : WORK_US / 4);
		MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
		/* @mpi.imbalance rank=0 total=0.24 @mpi.nxn-wait rank=1,2 total=0.72 */
	}
	MPI_Finalize();
	return 0;
}
