/* pair: check=thread.finalize ranks=2 at=0,1
 *
 * The thread that initialized MPI finalizes it. */
#include "../pair.h"

#include <pthread.h>

static void *end(void *argument)
{
	(void)argument;
#ifdef WRONG
	MPI_Finalize(); /* FOUND */
#else
	MPI_Barrier(MPI_COMM_WORLD);
#endif
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	start_threads(&argc, &argv, MPI_THREAD_MULTIPLE);
	pthread_create(&thread, NULL, end, NULL);
	pthread_join(thread, NULL);
#ifdef WRONG
	if (!rank)
		puts("ok");
	return 0;
#else
	return finish();
#endif
}
