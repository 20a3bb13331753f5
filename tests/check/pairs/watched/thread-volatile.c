/* pair: check=none ranks=2 flags=-pthread watched=gcc-O0,gcc-O2,clang-O0,clang-O2
 *
 * A thread waits for a volatile variable, then reads a receive buffer. */
#include "../pair.h"

#include <pthread.h>
#include <semaphore.h>

enum { N = 64 };

static int buf[N], sum, at = 3;
static MPI_Request request;
static sem_t semaphore;
static volatile int volatile_flag;

static void *work(void *argument)
{
	(void)argument;
	while (!volatile_flag)
		;
	sum += buf[at];
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
		volatile_flag = 1;
		pthread_join(thread, NULL);
	} else {
		MPI_Send(buf, N, MPI_INT, 0, 0, MPI_COMM_WORLD);
	}
	expect(sum >= 0);
	return finish();
}
