/* pair: check=none ranks=2
 *
 * Two threads send messages of different sizes on one channel at the same time. The receivers probe for the size: one thread, or two threads. */
#include "../pair.h"

#include <pthread.h>

enum { ROUNDS = 60 };

static void *send_numbers(void *argument)
{
	int numbers[4] = {0};

	MPI_Send(numbers, *(int *)argument, MPI_INT, 1, 0, MPI_COMM_WORLD);
	return NULL;
}

static void *receive(void *argument)
{
	MPI_Message message;
	MPI_Status status;
	int count, numbers[4];

	MPI_Mprobe(0, 0, MPI_COMM_WORLD, &message, &status);
	MPI_Get_count(&status, MPI_INT, &count);
	MPI_Mrecv(numbers, count, MPI_INT, &message, MPI_STATUS_IGNORE);
	*(int *)argument = count;
	return NULL;
}

int main(int argc, char **argv)
{
	int counts[2] = {1, 2};
	pthread_t threads[2];

	start_threads(&argc, &argv, MPI_THREAD_MULTIPLE);
	for (int i = 0; i < ROUNDS; i++) {
		const int is_threaded = !rank || i % 2;
		for (int j = 0; j < 2; j++)
			if (is_threaded)
				pthread_create(&threads[j], NULL, rank ? receive : send_numbers, &counts[j]);
			else
				receive(&counts[j]);
		for (int j = 0; is_threaded && j < 2; j++)
			pthread_join(threads[j], NULL);
		expect(counts[0] + counts[1] == 3);
		MPI_Barrier(MPI_COMM_WORLD);
	}
	return finish();
}
