/* The chunks of a loop are so large that one thread gets three of four parts of the work.
 * GCC makes one function call of the region and its loop, at the line of the region.
 *
 * tarry-example: ranks=2 openmp=yes */
#include <mpi.h>
#include <unistd.h>

enum { STEP_US = 20000, STEPS = 32, CHUNK = 24 };

int main(int argc, char **argv)
{
	int provided;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
#pragma omp parallel num_threads(2) /* @omp.loop-imbalance rank=0,1 total=0.32 count=2 partner=0,1 */
	{
#pragma omp for schedule(dynamic, CHUNK)
		for (int i = 0; i < STEPS; i++)
			usleep(STEP_US);
	}
	MPI_Finalize();
	return 0;
}
