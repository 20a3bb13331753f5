/* All ranks have the same work in each step.
 *
 * tarry-example: ranks=3 */
#include <mpi.h>
#include <unistd.h>

enum { STEPS = 12, WORK_US = 40000 };

int main(int argc, char **argv)
{
	double own = 1, sum = 0;

	MPI_Init(&argc, &argv);
	for (int step = 0; step < STEPS; step++) {
		usleep(WORK_US / 2);
		MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	}
	MPI_Finalize();
	return 0;
}
