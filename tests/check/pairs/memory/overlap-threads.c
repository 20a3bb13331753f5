/* pair: check=memory.overlap ranks=2 at=0
 *
 * Two threads receive at the same time, into one variable. */
#include "../pair.h"

#include <pthread.h>
#include <unistd.h>

static int *second;

static void *receive(void *unused)
{
	MPI_Recv(second, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* FOUND PARTNER */
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	int values[2] = {0}, sent = 5;

	start_threads(&argc, &argv, MPI_THREAD_MULTIPLE);
	if (!rank) {
#ifdef WRONG
		second = &values[0];
#else
		second = &values[1];
#endif
		pthread_create(&thread, NULL, receive, NULL);
		MPI_Recv(&values[0], 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* FOUND PARTNER */
		pthread_join(thread, NULL);
	} else {
		sleep(2);
		MPI_Send(&sent, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
		MPI_Send(&sent, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
	}
	return finish();
}
