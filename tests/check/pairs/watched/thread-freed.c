/* pair: check=none ranks=2 flags=-pthread watched=gcc-O0,clang-O0
 *
 * A thread frees memory that another one gets and sends; nothing else orders them. */
#include "../pair.h"

#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

enum { N = 64 };

static int buf[N], sum, at = 3;
static MPI_Request request;
static sem_t semaphore;
static volatile int volatile_flag;

static void *work(void *argument)
{
	(void)argument;
	int *mine = malloc(1 << 12);
	mine[at] = 1;
	free(mine);
	sem_post(&semaphore);
	while (!volatile_flag)
		usleep(1000);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	start_threads(&argc, &argv, MPI_THREAD_MULTIPLE);
	sem_init(&semaphore, 0, 0);
	if (!rank) {
		static int *again;
		pthread_create(&thread, NULL, work, NULL);
		usleep(50000);
		again = malloc(1 << 12);
		MPI_Isend(again, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		volatile_flag = 1;
		pthread_join(thread, NULL);
		free(again);
	} else {
		MPI_Recv(buf, N, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	expect(sum >= 0);
	return finish();
}
