/* pair: check=none ranks=2
 *
 * Four threads of each process exchange messages with their own tags at the same time, and complete own requests. */
#include "../pair.h"

#include <pthread.h>

enum { THREADS = 4, ROUNDS = 50 };

static void *exchange(void *argument)
{
	int number = (int)(intptr_t)argument, in[2], out = number, done = 0;
	MPI_Request requests[3];

	for (int i = 0; i < ROUNDS; i++) {
		MPI_Irecv(&in[0], 1, MPI_INT, !rank, number, MPI_COMM_WORLD, &requests[0]);
		MPI_Irecv(&in[1], 1, MPI_INT, MPI_ANY_SOURCE, number, MPI_COMM_WORLD, &requests[1]);
		MPI_Isend(&out, 1, MPI_INT, !rank, number, MPI_COMM_WORLD, &requests[2]);
		MPI_Send(&out, 1, MPI_INT, !rank, number, MPI_COMM_WORLD);
		for (done = 0; !done;)
			MPI_Testall(3, requests, &done, MPI_STATUSES_IGNORE);
		if (in[0] != number || in[1] != number)
			return "wrong";
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];
	void *result;

	start_threads(&argc, &argv, MPI_THREAD_MULTIPLE);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, exchange, (void *)(intptr_t)i);
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], &result);
		expect(!result);
	}
	return finish();
}
