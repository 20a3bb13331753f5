/* pair: check=none ranks=2 */
#include "../pair.h"

#include <pthread.h>
#include <unistd.h>

static void *send_late(void *argument)
{
	(void)argument;
	usleep(500000);
	MPI_Send(&rank, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
	return NULL;
}

int main(int argc, char **argv)
{
	int theirs = -1;
	start_threads(&argc, &argv, MPI_THREAD_MULTIPLE);
	/* The first threads wait for each other, but a second one may end that: no deadlock. */
	pthread_t thread;

	pthread_create(&thread, NULL, send_late, NULL);
	MPI_Recv(&theirs, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	pthread_join(thread, NULL);
	expect(theirs == 1 - rank);
	return finish();
}
