/* pair: check=memory.receive-read ranks=2 at=0 flags=-fopenmp watched=gcc-O0,clang-O0
 *
 * OpenMP: a thread reads a receive buffer, with or without a barrier after MPI_Wait of another one. */
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
#pragma omp parallel
		{
			if (omp_get_thread_num() == 0) {
				MPI_Irecv(buf, N, MPI_INT, 1, 0, MPI_COMM_WORLD, &request); /* PARTNER */
				MPI_Wait(&request, MPI_STATUS_IGNORE);                      /* FOUND */
			}
#ifndef WRONG
#pragma omp barrier
#endif
			if (omp_get_thread_num() == 1)
				sum += buf[at]; /* USED */
		}
		sum += buf[at];
	} else {
		MPI_Send(buf, N, MPI_INT, 0, 0, MPI_COMM_WORLD);
	}
	expect(sum >= 0);
	return finish();
}
