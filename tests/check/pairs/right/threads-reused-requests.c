/* pair: check=none ranks=1
 *
 * Threads receive messages and complete them. MPI gives the handle of a complete request to the next receive of another thread at once. */
#include "../pair.h"

#include <pthread.h>

enum { THREADS = 8, ROUNDS = 2000 };

static void *exchange(void *argument)
{
	const int number = (int)(intptr_t)argument;

	for (int i = 0; i < ROUNDS; i++) {
		MPI_Request requests[2];
		int in[2] = {-1, -1}, out[2] = {i, number};

		MPI_Irecv(&in[0], 1, MPI_INT, 0, number, MPI_COMM_SELF, &requests[0]);
		MPI_Irecv(&in[1], 1, MPI_INT, 0, number, MPI_COMM_SELF, &requests[1]);
		MPI_Send(&out[0], 1, MPI_INT, 0, number, MPI_COMM_SELF);
		MPI_Send(&out[1], 1, MPI_INT, 0, number, MPI_COMM_SELF);
		MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
		if (in[0] != i || in[1] != number)
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
