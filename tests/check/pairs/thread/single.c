/* pair: check=thread.single ranks=2 at=0,1
 *
 * With MPI_Init, the process must have no other thread, even if only one calls MPI. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

static void *work(void *argument)
{
	*(int *)argument = 5;
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	int value = 0, sum = 0, rank;

#ifdef WRONG
	MPI_Init(&argc, &argv); /* FOUND */
#else
	int provided;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
#endif
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	pthread_create(&thread, NULL, work, &value); /* USED */
	pthread_join(thread, NULL);
	MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	MPI_Finalize();
	if (rank == 0 && sum == 10)
		puts("ok");
	return 0;
}
