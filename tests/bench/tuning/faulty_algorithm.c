/* Preloaded into a job: one of Open MPI's algorithms for barriers ends the process, or never returns, as the variable PLANT says. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int ompi_coll_base_barrier_intra_doublering(void *comm, void *module);

int ompi_coll_base_barrier_intra_doublering(void *comm, void *module)
{
	const char *fault = getenv("PLANT");

	(void)comm;
	(void)module;
	if (fault && strcmp(fault, "end") == 0)
		raise(SIGKILL);
	for (;;)
		pause();
}
