/* Four threads of a rank share one CPU.
 *
 * tarry-example: ranks=1 openmp=yes */
#include <mpi.h>
#include <omp.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 4, CPU_MS = 150 };

/* Uses so much time of a CPU, however long that takes. */
static void compute(void)
{
	struct timespec used, start;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
	do
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
	while ((used.tv_sec - start.tv_sec) * 1000 + (used.tv_nsec - start.tv_nsec) / 1000000 < CPU_MS);
}

/* As a launcher that gives each rank one CPU: the first one of those that it may use. */
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
	int provided;

	bind_to_one_cpu();
	MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
#pragma omp parallel num_threads(THREADS) /* @omp.oversubscription rank=0 count=1 */
	compute();
	MPI_Finalize();
	return 0;
}
