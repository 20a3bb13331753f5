/* pair: check=memory.receive-read ranks=2 at=0 flags=-pthread watched=gcc-O0,clang-O0
 *
 * A thread reads the buffer of MPI_Recv, which another one is in, or has left. */
#include "../pair.h"

#include <pthread.h>
#include <semaphore.h>

enum { N = 64 };

static int buf[N], sum, at = 3;
static sem_t semaphore;

static void *work(void *argument)
{
	(void)argument;
	sum += buf[at]; /* USED */
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	start_threads(&argc, &argv, MPI_THREAD_MULTIPLE);
	sem_init(&semaphore, 0, 0);
	if (!rank) {
#ifdef WRONG
		pthread_create(&thread, NULL, work, NULL);
#endif
		MPI_Recv(buf, N, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* FOUND */
#ifndef WRONG
		pthread_create(&thread, NULL, work, NULL);
#endif
		pthread_join(thread, NULL);
	} else {
		MPI_Send(buf, N, MPI_INT, 0, 0, MPI_COMM_WORLD);
	}
	expect(sum >= 0);
	return finish();
}
