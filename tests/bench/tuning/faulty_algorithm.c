/* Preloaded into a job: of Open MPI's algorithms for barriers, one ends the process when it has worked for a while, and one never returns. */
#include <dlfcn.h>
#include <signal.h>
#include <unistd.h>

enum { WORKS_SO_OFTEN = 5 };

int ompi_coll_base_barrier_intra_doublering(void *comm, void *module);
int ompi_coll_base_barrier_intra_bruck(void *comm, void *module);

int ompi_coll_base_barrier_intra_doublering(void *comm, void *module)
{
	static int calls;
	int (*own)(void *, void *) = (int (*)(void *, void *))dlsym(
		RTLD_NEXT, "ompi_coll_base_barrier_intra_doublering");

	if (calls++ == WORKS_SO_OFTEN)
		raise(SIGKILL);
	return own(comm, module);
}

int ompi_coll_base_barrier_intra_bruck(void *comm, void *module)
{
	(void)comm;
	(void)module;
	for (;;)
		pause();
}
