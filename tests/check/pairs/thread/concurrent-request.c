/* pair: check=thread.concurrent-request ranks=2 at=0 dies
 *
 * Each thread completes its own request; asking for the state of another's is allowed. */
#include "../pair.h"

#include <pthread.h>
#include <unistd.h>

static MPI_Request request;
static int begun;

static void *wait_for(void *unused)
{
	__atomic_store_n(&begun, 1, __ATOMIC_SEQ_CST);
	MPI_Wait(&request, MPI_STATUS_IGNORE); /* FOUND */
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	int value = 0, done = 0;
	MPI_Request own;

	start_threads(&argc, &argv, MPI_THREAD_MULTIPLE);
	if (rank == 0) {
		MPI_Recv_init(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request); /* MAY */
		MPI_Start(&request);                                               /* MAY */
		pthread_create(&thread, NULL, wait_for, NULL);
		while (!__atomic_load_n(&begun, __ATOMIC_SEQ_CST))
			;
		usleep(100000);
#ifdef WRONG
		MPI_Test(&request, &done, MPI_STATUS_IGNORE); /* FOUND */
#endif
		MPI_Isend(NULL, 0, MPI_INT, 1, 1, MPI_COMM_WORLD, &own);
		MPI_Wait(&own, MPI_STATUS_IGNORE);
		pthread_join(thread, NULL);
		expect(value == 2 && !done);
		MPI_Request_free(&request);
	} else {
		MPI_Recv(NULL, 0, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Send(&size, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
	}
	return finish();
}
