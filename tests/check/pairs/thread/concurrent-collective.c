/* pair: check=thread.concurrent-collective ranks=2 at=0
 *
 * With MPI_THREAD_MULTIPLE threads may be in collective calls at the same time, each on its own communicator. */
#include "../pair.h"

#include <pthread.h>
#include <unistd.h>

static int begun;

static void *work(void *comm)
{
	__atomic_add_fetch(&begun, 1, __ATOMIC_SEQ_CST);
	MPI_Barrier(*(MPI_Comm *)comm); /* FOUND */
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[2];
	MPI_Comm comms[2];

	start_threads(&argc, &argv, MPI_THREAD_MULTIPLE);
	MPI_Comm_dup(MPI_COMM_WORLD, &comms[0]);
#ifdef WRONG
	comms[1] = comms[0];
#else
	MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
#endif
	if (rank == 0) {
		for (int i = 0; i < 2; i++)
			pthread_create(&threads[i], NULL, work, &comms[i]);
		while (__atomic_load_n(&begun, __ATOMIC_SEQ_CST) < 2)
			;
		usleep(100000);
		MPI_Send(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
		for (int i = 0; i < 2; i++)
			pthread_join(threads[i], NULL);
	} else {
		MPI_Recv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Barrier(comms[0]);
		MPI_Barrier(comms[1]);
	}
	MPI_Comm_free(&comms[0]);
#ifndef WRONG
	MPI_Comm_free(&comms[1]);
#endif
	return finish();
}
