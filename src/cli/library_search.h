/* Finds a library that a program needs, as the dynamic linker does: in RPATH, LD_LIBRARY_PATH, RUNPATH, and
 * the folders of the system, in this order. */
#ifndef TARRY_CLI_LIBRARY_SEARCH_H
#define TARRY_CLI_LIBRARY_SEARCH_H

#include "base/arena.h"

#include <stddef.h>

#define LIBRARY_SEARCH_CONFIG "/etc/ld.so.conf"

struct folder_list {
	const char **items;
	size_t count, room;
};

/* The folders of LD_LIBRARY_PATH and of the system, which are the same for all libraries of a program. */
struct library_search {
	struct arena *arena;
	struct folder_list environment;
	struct folder_list system;
};

/* `config`: the configuration file of the dynamic linker, LIBRARY_SEARCH_CONFIG. */
void library_search_init(struct library_search *search, const char *config, struct arena *arena);

/* `rpath`, `runpath` (both may be NULL) and the folder `origin` belong to the file that needs the library.
 * NULL: not found. */
const char *library_find(struct library_search *search, const char *name, const char *rpath,
                         const char *runpath, const char *origin);

#endif
