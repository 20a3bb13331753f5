/* pair: check=memory.send-changed ranks=2 at=0 flags=-pthread watched=gcc-O0,clang-O0
 *
 * A thread stores into a send buffer, and is joined too late. It may run before, during or after the send. */
#include "../pair.h"

#include <pthread.h>
#include <semaphore.h>

enum { N = 64 };

static int buf[N], sum, at = 3;
static MPI_Request request;
static sem_t semaphore;

static void *work(void *argument)
{
	(void)argument;
	buf[at] = 3; /* USED */
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	start_threads(&argc, &argv, MPI_THREAD_MULTIPLE);
	sem_init(&semaphore, 0, 0);
	if (!rank) {
		pthread_create(&thread, NULL, work, NULL);
#ifndef WRONG
		pthread_join(thread, NULL);
#endif
		MPI_Isend(buf, N, MPI_INT, 1, 0, MPI_COMM_WORLD, &request); /* PARTNER */
		MPI_Wait(&request, MPI_STATUS_IGNORE);                      /* FOUND */
#ifdef WRONG
		pthread_join(thread, NULL);
#endif
	} else {
		MPI_Recv(buf, N, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	expect(sum >= 0);
	return finish();
}
