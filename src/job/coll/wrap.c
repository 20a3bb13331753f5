#include "job/coll/wrap.h"

#include <dlfcn.h>
#include <string.h>

static void *(*find_other)(const char *name);

/* Called by the preloaded library before the program's first call. */
EXPORT void tarry_chain_others(void *(*find)(const char *name));
EXPORT void tarry_chain_others(void *(*find)(const char *name))
{
	find_other = find;
	for (const struct coll_next *next = coll_nexts; next->name; next++) {
		void *found = find(next->name);
		if (found)
			memcpy(next->place, &found, sizeof found);
	}
}

void *coll_fortran_next(void **next, const char *name)
{
	if (!*next && find_other)
		*next = find_other(name);
	return fortran_next(next, name);
}
