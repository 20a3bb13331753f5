/* Threads of two ranks that wait for each other: at the end of a loop whose last steps take longest, for one thread that works alone between
 * two parallel regions, for a critical section with much of the work, and for a lock that is held during work.
 *
 * tarry-example: ranks=2 openmp=yes */
#include <mpi.h>
#include <omp.h>
#include <unistd.h>

enum { STEPS = 16, STEP_US = 5000, LONG = 64, HALF = LONG / 2, SHORT = 2 };

static omp_lock_t lock;

static void work(int steps)
{
	usleep((useconds_t)(steps * STEP_US));
}

/* Twice in turn: each thread has to wait for the other one. */
static void use_critical_section(void)
{
	const int thread = omp_get_thread_num();

	work(thread ? SHORT : 0);
	for (int round = 0; round < 2; round++) {
		work(thread || !round ? 0 : HALF + 2 * SHORT);
#pragma omp critical /* @omp.critical-wait rank=0,1 total=0.32 count=4 */
		work(HALF + SHORT);
	}
	work(thread ? HALF + SHORT : 0);
}

static void use_lock(void)
{
	const int thread = omp_get_thread_num();

	work(thread ? SHORT : 0);
	for (int round = 0; round < 2; round++) {
		work(thread || !round ? 0 : HALF + 2 * SHORT);
		omp_set_lock(&lock); /* @omp.lock-wait rank=0,1 total=0.32 count=4 */
		work(HALF + SHORT);
		omp_unset_lock(&lock);
	}
	work(thread ? HALF + SHORT : 0);
}

int main(int argc, char **argv)
{
	int provided;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
	omp_init_lock(&lock);
#pragma omp parallel for schedule(static) num_threads(2) /* @omp.barrier-wait rank=0,1 total=0.32 count=2 */
	for (int i = 0; i < STEPS; i++)
		work(i);
	work(LONG);
#pragma omp parallel num_threads(2) /* @omp.idle-threads rank=0,1 total=0.32 count=2 */
	use_critical_section();
#pragma omp parallel num_threads(2)
	use_lock();
	omp_destroy_lock(&lock);
	MPI_Finalize();
	return 0;
}
