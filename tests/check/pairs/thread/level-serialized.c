/* pair: check=thread.level ranks=2 at=0
 *
 * With MPI_THREAD_SERIALIZED one thread after the other calls MPI. */
#include "../pair.h"

#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int begun;

static void *work(void *argument)
{
	int value;

	pthread_mutex_lock(&lock);
	__atomic_store_n(&begun, 1, __ATOMIC_SEQ_CST);
	MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* MAY */
	pthread_mutex_unlock(&lock);
	*(int *)argument = value;
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	int value = 0;

	start_threads(&argc, &argv, MPI_THREAD_SERIALIZED);
	if (rank == 0) {
#ifdef WRONG
		pthread_create(&thread, NULL, work, &value);
		while (!__atomic_load_n(&begun, __ATOMIC_SEQ_CST))
			;
		usleep(100000);
		MPI_Send(NULL, 0, MPI_INT, 1, 1, MPI_COMM_WORLD); /* FOUND */
#else
		pthread_mutex_lock(&lock);
		pthread_create(&thread, NULL, work, &value);
		MPI_Send(NULL, 0, MPI_INT, 1, 1, MPI_COMM_WORLD);
		pthread_mutex_unlock(&lock);
#endif
		pthread_join(thread, NULL);
		expect(value == 2);
	} else {
		MPI_Recv(NULL, 0, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Send(&size, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
	}
	return finish();
}
