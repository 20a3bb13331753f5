/* pair: check=memory.send-changed ranks=2 at=0 flags=-fopenmp watched=gcc-O0,clang-O0
 *
 * OpenMP: a critical section orders a store and a send, or leaves the store out. */
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
#pragma omp parallel
		{
			if (omp_get_thread_num()) {
#pragma omp critical
				{
#ifndef WRONG
					buf[at] = 1;
#endif
					written = 1;
				}
#ifdef WRONG
				buf[at] = 1; /* USED */
#endif
			} else {
				for (int done = 0; !done;) {
#pragma omp critical
					done = written;
				}
				MPI_Isend(buf, N, MPI_INT, 1, 0, MPI_COMM_WORLD, &request); /* PARTNER */
				MPI_Wait(&request, MPI_STATUS_IGNORE);                      /* FOUND */
			}
		}
	} else {
		MPI_Recv(buf, N, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	expect(sum >= 0);
	return finish();
}
