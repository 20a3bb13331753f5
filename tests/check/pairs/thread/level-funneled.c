/* pair: check=thread.level ranks=2 at=0,1
 *
 * With MPI_THREAD_FUNNELED only the main thread calls MPI. */
#include "../pair.h"

#include <pthread.h>

static void *work(void *argument)
{
	int *sum = argument, members = 0;

#ifdef WRONG
	MPI_Comm_size(MPI_COMM_WORLD, &members); /* FOUND */
#endif
	*sum = 5 + members;
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	int sum = 0, total;

	start_threads(&argc, &argv, MPI_THREAD_FUNNELED);
	pthread_create(&thread, NULL, work, &sum);
	MPI_Barrier(MPI_COMM_WORLD);
	pthread_join(thread, NULL);
	MPI_Allreduce(&sum, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	expect(total >= 10);
	return finish();
}
