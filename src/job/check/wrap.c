#include "job/check/wrap.h"

#include <dlfcn.h>

static void *chained;

void agent_chain(void *library)
{
	int (*lets_through)(const char *symbol) = (int (*)(const char *))(uintptr_t)dlsym(
		library, "tarry_lets_through");

	chained = library;
	for (int id = 0; id < MPI_CALLS; id++) {
		void *found = agent_next_names[id] ? dlsym(library, agent_next_names[id]) : NULL;

		/* What the recorder need not see goes to MPI. */
		if (found && !(lets_through && lets_through(agent_next_names[id])))
			agent_next[id] = found;
	}
}

void *agent_fortran_next(void **next, const char *name)
{
	if (!*next && chained)
		*next = dlsym(chained, name);
	return fortran_next(next, name);
}
