/* The same work: the steps of the loop are handed out one by one, long ones first, all threads share the work that one of them did alone, and
 * each protects only what it shares.
 *
 * tarry-example: ranks=2 openmp=yes */
#include <mpi.h>
#include <omp.h>
#include <unistd.h>

enum { STEPS = 16, STEP_US = 5000, LONG = 64, HALF = LONG / 2, SHORT = 2 };

static int entered, locked;
static omp_lock_t lock;

static void work(int steps)
{
	usleep((useconds_t)(steps * STEP_US));
}

static void use_critical_section(void)
{
	work(3 * (HALF + SHORT) + SHORT);
#pragma omp critical
	entered++;
}

static void use_lock(void)
{
	work(3 * (HALF + SHORT) + SHORT);
	omp_set_lock(&lock);
	locked++;
	omp_unset_lock(&lock);
}

int main(int argc, char **argv)
{
	int provided;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
	omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
	{
#pragma omp for schedule(dynamic)
		for (int i = STEPS; i > 0; i--)
			work(i - 1);
		work(HALF);
		use_critical_section();
		use_lock();
	}
	omp_destroy_lock(&lock);
	MPI_Finalize();
	return 0;
}
