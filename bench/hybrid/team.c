/* How long OpenMP constructs take in a team of two threads, in ns, as JSON: the fastest of some batches each. */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>

enum { THREADS = 2, BATCHES = 20, REPEATS = 2000 };

static volatile int sink;

static double parallel(void)
{
	double start = omp_get_wtime();

	for (int i = 0; i < REPEATS; i++) {
#pragma omp parallel num_threads(THREADS)
		sink = i;
	}
	return omp_get_wtime() - start;
}

static double loop(void)
{
	double start = omp_get_wtime();

#pragma omp parallel num_threads(THREADS)
	for (int i = 0; i < REPEATS; i++) {
#pragma omp for
		for (int j = 0; j < THREADS; j++)
			sink = i;
	}
	return omp_get_wtime() - start;
}

static double barrier(void)
{
	double start = omp_get_wtime();

#pragma omp parallel num_threads(THREADS)
	for (int i = 0; i < REPEATS; i++) {
#pragma omp barrier
	}
	return omp_get_wtime() - start;
}

/* Without contention: the time of the runtime itself. */
static double critical(void)
{
	double start = omp_get_wtime();

#pragma omp parallel num_threads(THREADS)
#pragma omp master
	for (int i = 0; i < REPEATS; i++) {
#pragma omp critical(one)
		sink = i;
	}
	return omp_get_wtime() - start;
}

static double lock(void)
{
	omp_lock_t one;
	double start;

	omp_init_lock(&one);
	start = omp_get_wtime();
#pragma omp parallel num_threads(THREADS)
#pragma omp master
	for (int i = 0; i < REPEATS; i++) {
		omp_set_lock(&one);
		omp_unset_lock(&one);
	}
	start = omp_get_wtime() - start;
	omp_destroy_lock(&one);
	return start;
}

static double task(void)
{
	double start = omp_get_wtime();

#pragma omp parallel num_threads(THREADS)
#pragma omp master
	for (int i = 0; i < REPEATS; i++) {
#pragma omp task
		sink = i;
#pragma omp taskwait
	}
	return omp_get_wtime() - start;
}

static double fastest(double (*construct)(void))
{
	double best = construct();

	for (int i = 1; i < BATCHES; i++) {
		double next = construct();
		best = next < best ? next : best;
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
