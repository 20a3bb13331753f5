/* pair: check=deadlock.cycle ranks=2 at=0,1 */
#include "../pair.h"

#include <pthread.h>
#include <unistd.h>

static int theirs = -1;

static void *receive(void *unused)
{
	(void)unused;
	MPI_Recv(&theirs, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* FOUND */
	return NULL;
}

static void *compute_and_send(void *unused)
{
	(void)unused;
	usleep(400000);
	MPI_Send(&rank, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
	return NULL;
}

/* The first thread waits for the others, outside of MPI. In the wrong program it sends when they are over. */
int main(int argc, char **argv)
{
	pthread_t receiver, sender;

	start_threads(&argc, &argv, MPI_THREAD_MULTIPLE);
	MPI_Barrier(MPI_COMM_WORLD);
	pthread_create(&receiver, NULL, receive, NULL);
#ifdef WRONG
	pthread_join(receiver, NULL);
	compute_and_send(NULL);
	(void)sender;
#else
	pthread_create(&sender, NULL, compute_and_send, NULL);
	pthread_join(receiver, NULL);
	pthread_join(sender, NULL);
#endif
	expect(theirs == 1 - rank);
	return finish();
}
