/* pair: check=deadlock.cycle ranks=2 at=0,1 */
#include "../pair.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t has_work = PTHREAD_COND_INITIALIZER;
static int work;

/* Waits until the first thread has work for it, which never happens in the wrong program: it cannot end the deadlock. */
static void *help(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&lock);
	while (!work)
		pthread_cond_wait(&has_work, &lock);
	pthread_mutex_unlock(&lock);
	MPI_Send(&rank, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
	return NULL;
}

static void give_work(void)
{
	pthread_mutex_lock(&lock);
	work = 1;
	pthread_cond_signal(&has_work);
	pthread_mutex_unlock(&lock);
}

int main(int argc, char **argv)
{
	int theirs = -1;
	pthread_t thread;

	start_threads(&argc, &argv, MPI_THREAD_MULTIPLE);
	pthread_create(&thread, NULL, help, NULL);
#ifndef WRONG
	give_work();
#endif
	MPI_Recv(&theirs, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* FOUND */
#ifdef WRONG
	give_work();
#endif
	pthread_join(thread, NULL);
	expect(theirs == 1 - rank);
	return finish();
}
