/* Preloaded into a job: one of Open MPI's algorithms for barriers ends the process, or never returns, as the variable PLANT says; before, it works
 * as often as PLANT_AFTER says. */
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int ompi_coll_base_barrier_intra_doublering(void *comm, void *module);

static int variable(const char *name)
{
	const char *value = getenv(name);

	return value ? atoi(value) : 0;
}

int ompi_coll_base_barrier_intra_doublering(void *comm, void *module)
{
	static int calls;
	const char *fault = getenv("PLANT");

	if (calls++ < variable("PLANT_AFTER")) {
		int (*own)(void *, void *) = (int (*)(void *, void *))dlsym(
			RTLD_NEXT, "ompi_coll_base_barrier_intra_doublering");
		return own(comm, module);
	}
	if (fault && strcmp(fault, "end") == 0)
		raise(SIGKILL);
	for (;;)
		pause();
}
