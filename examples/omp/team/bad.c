/* A team of OpenMP threads that wait for each other: at the end of a loop whose last steps take longest, for a critical section with
 * most of the work, for a lock that is held during work, and for one thread that works alone between two parallel regions.
 * Tarry finds these waits in archives of a tool that records OpenMP: tarry import, then tarry report. */
#include <omp.h>
#include <unistd.h>

enum { STEPS = 16, STEP_US = 1000 };

static long sum, counts[STEPS];
static omp_lock_t lock;

static void work(int steps)
{
	usleep((useconds_t)(steps * STEP_US));
}

int main(void)
{
	omp_init_lock(&lock);
#pragma omp parallel for schedule(static)
	for (int i = 0; i < STEPS; i++)
		work(i); /* omp.barrier-wait, at the end of the loop */
	work(STEPS);     /* omp.idle-threads */
#pragma omp parallel for
	for (int i = 0; i < STEPS; i++) {
#pragma omp critical /* omp.critical-wait */
		{
			work(1);
			sum += i;
		}
		omp_set_lock(&lock); /* omp.lock-wait */
		work(1);
		counts[i]++;
		omp_unset_lock(&lock);
	}
	omp_destroy_lock(&lock);
	return sum == 0;
}
