/* The same work in short tasks, which both threads execute.
 *
 * tarry-example: ranks=2 openmp=yes */
#include <mpi.h>
#include <unistd.h>

enum { STEP_US = 5000, TASKS = 6, TASK = 16, OWN = 32 };

static void work(int steps)
{
	usleep((useconds_t)(steps * STEP_US));
}

int main(int argc, char **argv)
{
	int provided;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
#pragma omp parallel num_threads(2)
#pragma omp master
	{
		for (int i = 0; i < TASKS; i++) {
#pragma omp task
			work(TASK);
		}
		work(OWN);
#pragma omp taskwait
	}
	MPI_Finalize();
	return 0;
}
