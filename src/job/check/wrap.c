#include "job/check/wrap.h"

#include "base/libc_dlsym.h"

static void *chained;
static void *(*find_other)(const char *name);

const void *(*called_through)(const void *return_address);

EXPORT void tarry_called_through(const void *(*site)(const void *return_address));
EXPORT void tarry_called_through(const void *(*site)(const void *return_address))
{
	called_through = site;
}

/* Called by the preloaded library before it puts the recorder in between, which then passes calls on to other tools itself. */
EXPORT void tarry_chain_others(void *(*find)(const char *name));
EXPORT void tarry_chain_others(void *(*find)(const char *name))
{
	find_other = find;
	for (int id = 0; id < MPI_CALLS; id++) {
		void *found = agent_next_names[id] && !(chained && dlsym(chained, agent_next_names[id]))
		                      ? find(agent_next_names[id])
		                      : NULL;

		if (found)
			agent_next[id] = found;
	}
}

void agent_chain(void *library)
{
	int (*lets_through)(const char *symbol) = (int (*)(const char *))(uintptr_t)dlsym(
		library, "tarry_lets_through");

	chained = library;
	for (int id = 0; id < MPI_CALLS; id++) {
		void *found = agent_next_names[id] ? dlsym(library, agent_next_names[id]) : NULL;

		/* Calls that the recorder does not need go directly to MPI. */
		if (found && !(lets_through && lets_through(agent_next_names[id])))
			agent_next[id] = found;
	}
}

void *agent_fortran_next(void **next, const char *name)
{
	if (!*next && chained)
		*next = dlsym(chained, name);
	if (!*next && find_other)
		*next = find_other(name);
	return fortran_next(next, name);
}
