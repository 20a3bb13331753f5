/* The first thread is in MPI for a long time, in a region, and the others wait for it. In the good version they work meanwhile, and all share the
 * rest.
 *
 * omp-case: ranks=2 saves=0.2 */
#include "omp_case.h"

static void add_slowly(void *in, void *sum, int *count, MPI_Datatype *type)
{
	(void)in, (void)sum, (void)count, (void)type;
	work(300);
}

int main(int argc, char **argv)
{
	int one = 1, sum = 0;
	MPI_Op slow;

	start(&argc, &argv);
	MPI_Op_create(add_slowly, 1, &slow);
#pragma omp parallel num_threads(3)
	{
		if (omp_get_thread_num() == 0)
			MPI_Reduce_local(&one, &sum, 1, MPI_INT,
			                 slow); /* @omp.mpi-in-region rank=0,1 total=0.4 count=4 */
#ifdef GOOD
		else
			work(300);
#endif
#pragma omp barrier
#ifdef GOOD
		work(100);
#else
		work(300);
#endif
	}
	MPI_Op_free(&slow);
	return end();
}
