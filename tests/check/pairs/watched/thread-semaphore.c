/* pair: check=memory.receive-read ranks=2 at=0 flags=-pthread watched=gcc-O0,clang-O0
 *
 * A thread reads a receive buffer without waiting for a semaphore. */
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
#ifndef WRONG
	sem_wait(&semaphore);
#endif
	sum += buf[at]; /* USED */
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	start_threads(&argc, &argv, MPI_THREAD_MULTIPLE);
	sem_init(&semaphore, 0, 0);
	if (!rank) {
		pthread_create(&thread, NULL, work, NULL);
		MPI_Irecv(buf, N, MPI_INT, 1, 0, MPI_COMM_WORLD, &request); /* PARTNER */
		MPI_Wait(&request, MPI_STATUS_IGNORE);                      /* FOUND */
		sem_post(&semaphore);
		pthread_join(thread, NULL);
	} else {
		MPI_Send(buf, N, MPI_INT, 0, 0, MPI_COMM_WORLD);
	}
	expect(sum >= 0);
	return finish();
}
