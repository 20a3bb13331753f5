/* pair: check=memory.receive-read ranks=2 at=0 flags=-fopenmp watched=gcc-O0,clang-O0
 *
 * OpenMP: one thread receives, and all read; with `nowait` they do not wait for it. */
#include "../pair.h"

#include <omp.h>

enum { N = 64 };

int main(int argc, char **argv)
{
	static int buf[N], other[N], at;
	at = argc + 2;
	MPI_Request request;
	omp_set_num_threads(2);
	start_threads(&argc, &argv, MPI_THREAD_SERIALIZED);
	other[at] = 0;
	if (!rank) {
#pragma omp parallel
		{
#ifdef WRONG
#pragma omp single nowait
#else
#pragma omp single
#endif
			{
				MPI_Irecv(buf, N, MPI_INT, 1, 0, MPI_COMM_WORLD, &request); /* PARTNER */
				MPI_Wait(&request, MPI_STATUS_IGNORE);                      /* FOUND */
			}
			other[omp_get_thread_num()] = buf[at]; /* USED */
		}
	} else {
		MPI_Send(buf, N, MPI_INT, 0, 0, MPI_COMM_WORLD);
	}
	expect(other[0] >= 0);
	return finish();
}
