/* pair: check=memory.receive-read ranks=2 at=0 flags=-pthread watched=gcc-O0,clang-O0
 *
 * A thread reads a receive buffer. In the right program it waits for a condition variable. */
#include "../pair.h"

#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

enum { N = 64 };

static int buf[N], sum, at = 3;
static MPI_Request request;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static int flag;

static void *work(void *argument)
{
	(void)argument;
	pthread_mutex_lock(&mutex);
#ifndef WRONG
	while (!flag)
		pthread_cond_wait(&condition, &mutex);
#else
	usleep(flag);
#endif
	pthread_mutex_unlock(&mutex);
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
		usleep(20000);
		MPI_Irecv(buf, N, MPI_INT, 1, 0, MPI_COMM_WORLD, &request); /* PARTNER */
		MPI_Wait(&request, MPI_STATUS_IGNORE);                      /* FOUND */
		pthread_mutex_lock(&mutex);
		flag = 1;
		pthread_cond_signal(&condition);
		pthread_mutex_unlock(&mutex);
		pthread_join(thread, NULL);
	} else {
		MPI_Send(buf, N, MPI_INT, 0, 0, MPI_COMM_WORLD);
	}
	expect(sum >= 0);
	return finish();
}
