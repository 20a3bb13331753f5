/* The first thread creates one long task, and waits for it after a short work of its own.
 *
 * tarry-example: ranks=2 openmp=yes */
#include <mpi.h>
#include <unistd.h>

enum { STEP_US = 5000, TASKS = 1, TASK = 96, OWN = 32 };

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
#pragma omp taskwait /* @omp.task-wait rank=0,1 total=0.32 count=2 partner=0,1 */
	}
	MPI_Finalize();
	return 0;
}
