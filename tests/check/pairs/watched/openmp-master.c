/* pair: check=memory.send-changed ranks=2 at=0 flags=-fopenmp watched=gcc-O0,clang-O0
 *
 * OpenMP: the master sends what all have written in a loop, or what another thread is writing. */
#include "../pair.h"

#include <omp.h>

enum { N = 64 };

int main(int argc, char **argv)
{
	static int buf[N], sum, at;
	at = argc + 2;
	MPI_Request request;
	omp_set_num_threads(2);
	start_threads(&argc, &argv, MPI_THREAD_FUNNELED);
	if (!rank) {
#pragma omp parallel
		{
#ifndef WRONG
#pragma omp for
			for (int i = 0; i < N; i++)
				buf[i] = i;
#endif
#pragma omp master
			{
				MPI_Isend(buf, N, MPI_INT, 1, 0, MPI_COMM_WORLD, &request); /* PARTNER */
				MPI_Wait(&request, MPI_STATUS_IGNORE);                      /* FOUND */
			}
#ifdef WRONG
			if (omp_get_thread_num())
				buf[at] = 1; /* USED */
#endif
		}
		buf[at] = 2;
	} else {
		MPI_Recv(buf, N, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	expect(sum >= 0);
	return finish();
}
