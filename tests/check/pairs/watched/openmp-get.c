/* pair: check=memory.receive-read ranks=2 at=0 flags=-fopenmp watched=gcc-O0,clang-O0
 *
 * OpenMP: a thread reads what another one gets from a window. */
#include "../pair.h"

#include <omp.h>

enum { N = 64 };

int main(int argc, char **argv)
{
	static int buf[N], other[N], sum, at;
	at = argc + 2;
	omp_set_num_threads(2);
	start_threads(&argc, &argv, MPI_THREAD_MULTIPLE);
	other[at] = 0;
	if (!rank) {
		sum += 0;
	}
	MPI_Win win;
	int *mem;
	MPI_Win_allocate(sizeof buf, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win);
	mem[at] = 1;
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Win_lock_all(0, win);
	if (!rank) {
#pragma omp parallel
		{
			if (omp_get_thread_num() == 0) {
				MPI_Get(buf, 4, MPI_INT, 1, 0, 4, MPI_INT, win); /* PARTNER */
				MPI_Win_flush(1, win);                           /* FOUND */
			}
#ifndef WRONG
#pragma omp barrier
#endif
			if (omp_get_thread_num() == 1)
				sum += buf[at]; /* USED */
		}
	}
	MPI_Win_unlock_all(win);
	MPI_Win_free(&win);
	if (!rank) {
		MPI_Recv(other, N, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	} else {
		MPI_Send(buf, N, MPI_INT, 0, 0, MPI_COMM_WORLD);
	}
	expect(sum >= 0);
	return finish();
}
