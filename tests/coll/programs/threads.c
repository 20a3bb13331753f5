/* Threads that call collectives at once, each on its own communicator. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 3, CALLS = 60 };

struct share {
	MPI_Comm comm;
	long sum;
};

static void *work(void *argument)
{
	struct share *share = argument;
	int rank, size, all[64];

	MPI_Comm_rank(share->comm, &rank);
	MPI_Comm_size(share->comm, &size);
	for (int i = 0; i < CALLS; i++) {
		int mine = rank + i, most = 0;

		MPI_Allgather(&mine, 1, MPI_INT, all, 1, MPI_INT, share->comm);
		MPI_Allreduce(&mine, &most, 1, MPI_INT, MPI_MAX, share->comm);
		for (int j = 0; j < size; j++)
			share->sum = (share->sum * 7 + all[j] + most) % 1000003;
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];
	struct share shares[THREADS] = {{.sum = 0}};
	int rank, level;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
	if (level != MPI_THREAD_MULTIPLE) {
		printf("no threads\n");
		MPI_Finalize();
		return 0;
	}
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < THREADS; i++)
		MPI_Comm_dup(MPI_COMM_WORLD, &shares[i].comm);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, &shares[i]);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < THREADS; i++)
		printf("rank %d, thread %d: %ld\n", rank, i, shares[i].sum);
	MPI_Finalize();
	return 0;
}
