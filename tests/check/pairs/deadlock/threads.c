/* pair: check=deadlock.cycle ranks=2 at=0,1 */
#include "../pair.h"

#include <pthread.h>

static int theirs[2] = {-1, -1};

static void *exchange(void *argument)
{
	const int tag = argument != NULL, other = 1 - rank;

#ifndef WRONG
	if (rank == tag)
		MPI_Send(&rank, 1, MPI_INT, other, tag, MPI_COMM_WORLD);
#endif
	MPI_Recv(&theirs[tag], 1, MPI_INT, other, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* FOUND */
#ifndef WRONG
	if (rank != tag)
#endif
		MPI_Send(&rank, 1, MPI_INT, other, tag, MPI_COMM_WORLD);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	start_threads(&argc, &argv, MPI_THREAD_MULTIPLE);
	pthread_create(&thread, NULL, exchange, &rank);
	exchange(NULL);
	pthread_join(thread, NULL);
	expect(theirs[0] == 1 - rank && theirs[1] == 1 - rank);
	return finish();
}
