/* pair: check=none ranks=2 flags=-fopenmp watched=gcc-O0,gcc-O2,clang-O0,clang-O2
 *
 * OpenMP: a lock orders a store and a send. */
#include "../pair.h"

#include <omp.h>

enum { N = 64 };

int main(int argc, char **argv)
{
	static int buf[N], sum, at;
	at = argc + 2;
	MPI_Request request;
	omp_set_num_threads(2);
	start_threads(&argc, &argv, MPI_THREAD_MULTIPLE);
	if (!rank) {
		int written = 0;
		omp_lock_t lock;
		omp_init_lock(&lock);
#pragma omp parallel
		{
			if (omp_get_thread_num()) {
				omp_set_lock(&lock);
				buf[at] = 1;
				written = 1;
				omp_unset_lock(&lock);
			} else {
				for (int done = 0; !done;) {
					omp_set_lock(&lock);
					done = written;
					omp_unset_lock(&lock);
				}
				MPI_Isend(buf, N, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
				MPI_Wait(&request, MPI_STATUS_IGNORE);
			}
		}
		omp_destroy_lock(&lock);
	} else {
		MPI_Recv(buf, N, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	expect(sum >= 0);
	return finish();
}
