/* How long OpenMP constructs take in a team of two threads, in ns, as JSON: the fastest of some batches each. */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>

enum { THREADS = 2, BATCHES = 20, REPEATS = 2000 };

static volatile int sink;

static void parallel(void)
{
	for (int i = 0; i < REPEATS; i++) {
#pragma omp parallel num_threads(THREADS)
		sink = i;
	}
}

static void loop(void)
{
#pragma omp parallel num_threads(THREADS)
	for (int i = 0; i < REPEATS; i++) {
#pragma omp for schedule(dynamic)
		for (int j = 0; j < THREADS; j++)
			sink = i;
	}
}

static void barrier(void)
{
#pragma omp parallel num_threads(THREADS)
	for (int i = 0; i < REPEATS; i++) {
#pragma omp barrier
	}
}

/* Without contention: the time of the runtime itself. */
static void critical(void)
{
#pragma omp parallel num_threads(THREADS)
#pragma omp master
	for (int i = 0; i < REPEATS; i++) {
#pragma omp critical(one)
		sink = i;
	}
}

static void lock(void)
{
	omp_lock_t one;

	omp_init_lock(&one);
#pragma omp parallel num_threads(THREADS)
#pragma omp master
	for (int i = 0; i < REPEATS; i++) {
		omp_set_lock(&one);
		omp_unset_lock(&one);
	}
	omp_destroy_lock(&one);
}

static void task(void)
{
#pragma omp parallel num_threads(THREADS)
#pragma omp master
	for (int i = 0; i < REPEATS; i++) {
#pragma omp task
		sink = i;
#pragma omp taskwait
	}
}

static double fastest(void (*construct)(void))
{
	double best = 0;

	for (int i = 0; i < BATCHES; i++) {
		double start = omp_get_wtime(), took;

		construct();
		took = omp_get_wtime() - start;
		best = !i || took < best ? took : best;
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
