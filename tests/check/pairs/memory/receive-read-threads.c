/* pair: check=memory.receive-read ranks=2 at=0,1 always=--buffers=all
 *
 * A second thread that blocks all signals reads the buffer. */
#include "../pair.h"

#include <pthread.h>
#include <signal.h>

enum { COUNT = 1 << 14 };

static double halo[COUNT], mine[COUNT];

static void *read_halo(void *result)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	*(double *)result = ((volatile double *)halo)[COUNT / 2]; /* USED */
	return NULL;
}

static double seen_by_thread(void)
{
	pthread_t thread;
	double result = -1;

	pthread_create(&thread, NULL, read_halo, &result);
	pthread_join(thread, NULL);
	return result;
}

int main(int argc, char **argv)
{
	MPI_Request requests[2];

	start_threads(&argc, &argv, MPI_THREAD_FUNNELED);
	mine[COUNT / 2] = rank + 1;
	MPI_Irecv(halo, COUNT, MPI_DOUBLE, !rank, 0, MPI_COMM_WORLD, &requests[0]); /* PARTNER */
	MPI_Isend(mine, COUNT, MPI_DOUBLE, !rank, 0, MPI_COMM_WORLD, &requests[1]);
#ifdef WRONG
	seen_by_thread();
#endif
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE); /* FOUND */
	expect(seen_by_thread() == 2 - rank);
	return finish();
}
