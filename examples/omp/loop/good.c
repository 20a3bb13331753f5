/* The same loop in chunks of two iterations, which threads take one after the other.
 *
 * tarry-example: ranks=2 openmp=yes */
#include <mpi.h>
#include <unistd.h>

enum { STEP_US = 20000, STEPS = 32, CHUNK = 2 };

int main(int argc, char **argv)
{
	int provided;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
#pragma omp parallel num_threads(2)
	{
#pragma omp for schedule(dynamic, CHUNK)
		for (int i = 0; i < STEPS; i++)
			usleep(STEP_US);
	}
	MPI_Finalize();
	return 0;
}
