/* A thread of rank 0 works longer than the others, and rank 1 waits for rank 0. In the good version the threads of rank 0 share this work.
 *
 * omp-case: ranks=2 late=mpi.barrier-wait */
#include "omp_case.h"

/* The compiler must not make one call of both regions. */
static __attribute__((noinline)) void work_unevenly(void)
{
#pragma omp parallel num_threads(3) /* @omp.barrier-wait rank=0 total=0.2 count=2 */
	work_of_thread(100, 400, 100);
}

static __attribute__((noinline)) void work_evenly(void)
{
#pragma omp parallel num_threads(3)
	work(200);
}

int main(int argc, char **argv)
{
	int rank;

	start(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 0)
		work_unevenly();
	else
		work_evenly();
	MPI_Barrier(MPI_COMM_WORLD); /* @mpi.barrier-wait rank=1 total=0.2 count=1 partner=0 */
	return end();
}
