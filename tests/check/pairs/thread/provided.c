/* pair: check=thread.provided also=thread.level ranks=2 at=0,1 flags=-rdynamic
 *
 * An MPI library that provides less than the program requires: the layer below the checker is a part of this program. */
#include "../pair.h"

#include <dlfcn.h>
#include <pthread.h>

int PMPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
	int (*next)(int *, char ***, int, int *) = NULL;

	*(void **)&next = dlsym(RTLD_NEXT, "PMPI_Init_thread");
	return next(argc, argv, required < MPI_THREAD_FUNNELED ? required : MPI_THREAD_FUNNELED, provided);
}

static void *work(void *members)
{
	MPI_Comm_size(MPI_COMM_WORLD, members); /* PARTNER FOUND: thread.level */
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	int provided, members = 0;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided); /* FOUND */
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	expect(provided == MPI_THREAD_FUNNELED);
#ifdef WRONG
	provided = MPI_THREAD_MULTIPLE;
#endif
	if (provided == MPI_THREAD_MULTIPLE) {
		pthread_create(&thread, NULL, work, &members);
		pthread_join(thread, NULL);
	} else {
		work(&members);
	}
	expect(members == 2);
	return finish();
}
