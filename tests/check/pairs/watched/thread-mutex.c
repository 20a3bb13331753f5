/* pair: check=memory.send-changed ranks=2 at=0 flags=-pthread watched=gcc-O0,clang-O0
 *
 * A mutex protects a flag, but not the store into a send buffer. */
#include "../pair.h"

#include <pthread.h>
#include <semaphore.h>

enum { N = 64 };

static int buf[N], other[N], sum, at = 3;
static MPI_Request request;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t semaphore;
static int flag;

static void *work(void *argument)
{
	(void)argument;
	pthread_mutex_lock(&mutex);
	other[at] = 1;
#ifndef WRONG
	buf[at] = 3;
	flag = 1;
#endif
	pthread_mutex_unlock(&mutex);
#ifdef WRONG
	buf[at] = 3; /* USED */
#endif
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	start_threads(&argc, &argv, MPI_THREAD_MULTIPLE);
	sem_init(&semaphore, 0, 0);
	if (!rank) {
		pthread_create(&thread, NULL, work, NULL);
		for (int done = 0; !done;) {
			pthread_mutex_lock(&mutex);
			done = flag;
#ifdef WRONG
			done = 1;
#endif
			pthread_mutex_unlock(&mutex);
		}
		MPI_Isend(buf, N, MPI_INT, 1, 0, MPI_COMM_WORLD, &request); /* PARTNER */
		MPI_Wait(&request, MPI_STATUS_IGNORE);                      /* FOUND */
		pthread_join(thread, NULL);
	} else {
		MPI_Recv(buf, N, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	expect(sum >= 0);
	return finish();
}
