/* How long OpenMP constructs take in a team of two threads, in ns, as JSON: the fastest of many batches each. Batches are short, so that on a busy machine
 * both threads have a CPU during some of them. */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>

enum { THREADS = 2, BATCHES = 20, REPEATS = 200 };

#define SECONDS 0.3 /* of each construct */

static volatile int sink;
static double batch_began, batch_took;

static void start(void)
{
	batch_began = omp_get_wtime();
}

static void stop(void)
{
	batch_took = omp_get_wtime() - batch_began;
}

static void parallel(void)
{
	start();
	for (int i = 0; i < REPEATS; i++) {
#pragma omp parallel num_threads(THREADS)
		sink = i;
	}
	stop();
}

static void loop(void)
{
#pragma omp parallel num_threads(THREADS)
	{
#pragma omp barrier
#pragma omp master
		start();
		for (int i = 0; i < REPEATS; i++) {
#pragma omp for schedule(dynamic)
			for (int j = 0; j < THREADS; j++)
				sink = i;
		}
#pragma omp master
		stop();
	}
}

static void barrier(void)
{
#pragma omp parallel num_threads(THREADS)
	{
#pragma omp barrier
#pragma omp master
		start();
		for (int i = 0; i < REPEATS; i++) {
#pragma omp barrier
		}
#pragma omp master
		stop();
	}
}

/* Without contention: the time of the runtime itself. */
static void critical(void)
{
#pragma omp parallel num_threads(THREADS)
#pragma omp master
	{
		start();
		for (int i = 0; i < REPEATS; i++) {
#pragma omp critical(one)
			sink = i;
		}
		stop();
	}
}

static void lock(void)
{
	omp_lock_t one;

	omp_init_lock(&one);
#pragma omp parallel num_threads(THREADS)
#pragma omp master
	{
		start();
		for (int i = 0; i < REPEATS; i++) {
			omp_set_lock(&one);
			omp_unset_lock(&one);
		}
		stop();
	}
	omp_destroy_lock(&one);
}

static void task(void)
{
#pragma omp parallel num_threads(THREADS)
#pragma omp master
	{
		start();
		for (int i = 0; i < REPEATS; i++) {
#pragma omp task
			sink = i;
#pragma omp taskwait
		}
		stop();
	}
}

static double fastest(void (*construct)(void))
{
	double best = 0, begin = omp_get_wtime();

	for (int i = 0; i < BATCHES || omp_get_wtime() - begin < SECONDS; i++) {
		construct();
		best = !i || batch_took < best ? batch_took : best;
	}
	return 1e9 * best / REPEATS;
}

int main(int argc, char **argv)
{
	int provided;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
	printf("{\"parallel\": %.2f, \"loop\": %.2f, \"barrier\": %.2f, \"critical\": %.2f, \"lock\": %.2f, \"task\": %.2f}\n",
	       fastest(parallel), fastest(loop), fastest(barrier), fastest(critical), fastest(lock),
	       fastest(task));
	MPI_Finalize();
	return 0;
}
