/* pair: check=none ranks=2
 *
 * More threads than any list of them could hold, one after the other; each receives what another process sends. */
#include "../pair.h"

#include <pthread.h>

enum { THREADS = 5000 };

static int sum;

static void *receive(void *unused)
{
	int value;

	MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	sum += value;
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	int one = 1;

	start_threads(&argc, &argv, MPI_THREAD_MULTIPLE);
	for (int i = 0; i < THREADS; i++) {
		if (rank == 0) {
			MPI_Send(&one, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
			continue;
		}
		pthread_create(&thread, NULL, receive, NULL);
		pthread_join(thread, NULL);
	}
	expect(rank == 0 || sum == THREADS);
	return finish();
}
