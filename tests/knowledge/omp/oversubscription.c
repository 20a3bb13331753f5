/* Four threads compute on one CPU. In the good version one thread does their work.
 *
 * omp-case: ranks=1 */
#include "omp_case.h"

#include <sys/syscall.h>
#include <time.h>

#ifdef GOOD
enum { THREADS = 1, CPU_MS = 600 };
#else
enum { THREADS = 4, CPU_MS = 150 };
#endif

static void compute(void)
{
	struct timespec used, start;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
	do
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
	while ((used.tv_sec - start.tv_sec) * 1000 + (used.tv_nsec - start.tv_nsec) / 1000000 < CPU_MS);
}

/* The first CPU of those that it may use. */
static void bind_to_one_cpu(void)
{
	unsigned char cpus[1024] = {0};
	int first = 0;

	syscall(SYS_sched_getaffinity, 0, sizeof cpus, cpus);
	while (!cpus[first])
		first++;
	cpus[first] &= -cpus[first];
	while (++first < (int)sizeof cpus)
		cpus[first] = 0;
	syscall(SYS_sched_setaffinity, 0, sizeof cpus, cpus);
}

int main(int argc, char **argv)
{
	bind_to_one_cpu();
	start(&argc, &argv);
#pragma omp parallel num_threads(THREADS) /* @omp.oversubscription rank=0 count=1 */
	compute();
	return end();
}
