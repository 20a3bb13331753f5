/* Parallel regions that waste the time of threads: the first thread calls MPI while the others wait for it at the next barrier, and many regions
 * have less work than it takes to begin and end them.
 *
 * tarry-example: ranks=1 openmp=yes */
#include <mpi.h>
#include <omp.h>
#include <unistd.h>

enum { STEP_US = 300000, REGIONS = 2000, LINE = 16 };

static int numbers[2 * LINE];

/* A reduction that takes long. */
static void add_slowly(void *in, void *sum, int *count, MPI_Datatype *type)
{
	(void)in, (void)sum, (void)count, (void)type;
	usleep(STEP_US);
}

int main(int argc, char **argv)
{
	int provided, one = 1, sum = 0;
	MPI_Op slow;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
	MPI_Op_create(add_slowly, 1, &slow);
#pragma omp parallel num_threads(2)
	{
#pragma omp master
		MPI_Reduce_local(&one, &sum, 1, MPI_INT,
		                 slow); /* @omp.mpi-in-region rank=0 total=0.15 count=1 */
#pragma omp barrier
		usleep(STEP_US);
	}
	for (int i = 0; i < REGIONS; i++) {
#pragma omp parallel num_threads(2) /* @omp.short-region rank=0 count=1 */
		numbers[LINE * omp_get_thread_num()] += i;
	}
	MPI_Op_free(&slow);
	MPI_Finalize();
	return 0;
}
