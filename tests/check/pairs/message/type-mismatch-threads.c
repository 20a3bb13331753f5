/* pair: check=message.type-mismatch ranks=2 at=0,1
 *
 * Threads of both ranks exchange messages, one after the other: their order is known. */
#include "../pair.h"

#include <pthread.h>

static void *exchange(void *argument)
{
	float value = 1;

	(void)argument;
	if (rank)
#ifdef WRONG
		MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* PARTNER */
#else
		MPI_Recv(&value, 1, MPI_FLOAT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
	else
		MPI_Send(&value, 1, MPI_FLOAT, 1, 0, MPI_COMM_WORLD); /* FOUND */
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	start_threads(&argc, &argv, MPI_THREAD_MULTIPLE);
	for (int i = 0; i < 3; i++) {
		pthread_create(&thread, NULL, exchange, NULL);
		pthread_join(thread, NULL);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	return finish();
}
