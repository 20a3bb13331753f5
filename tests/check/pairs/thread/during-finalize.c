/* pair: check=thread.during-finalize ranks=2 at=0,1
 *
 * A thread has to leave MPI before another one calls MPI_Finalize. */
#include "../pair.h"

#include <pthread.h>
#include <unistd.h>

static int is_inside;

static void add_slowly(void *in, void *sum, int *count, MPI_Datatype *type)
{
	(void)type;
	__atomic_store_n(&is_inside, 1, __ATOMIC_RELEASE);
	sleep(1);
	for (int i = 0; i < *count; i++)
		((int *)sum)[i] += ((const int *)in)[i];
}

static void *reduce(void *operation)
{
	int one = 1, two = 2;

	MPI_Reduce_local(&one, &two, 1, MPI_INT, *(MPI_Op *)operation); /* PARTNER */
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	MPI_Op operation;

	start_threads(&argc, &argv, MPI_THREAD_MULTIPLE);
	MPI_Op_create(add_slowly, 1, &operation);
	pthread_create(&thread, NULL, reduce, &operation);
	while (!__atomic_load_n(&is_inside, __ATOMIC_ACQUIRE))
		usleep(1000);
#ifndef WRONG
	pthread_join(thread, NULL);
#endif
	MPI_Op_free(&operation);
	MPI_Finalize(); /* FOUND */
#ifdef WRONG
	pthread_join(thread, NULL);
#endif
	if (!rank && !unexpected)
		puts("ok");
	return unexpected;
}
