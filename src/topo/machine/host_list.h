/* Lists of hosts as Slurm writes them: "n[0-7,9],login", "r[1-2]n[01-16]".
 *
 *	struct host_names names = {0};
 *	TRY(host_list_expand("n[0-7,9]", &arena, NODES_MOST, &names));
 *	… names.items[i] …
 *	array_release(&names); */
#ifndef TARRY_TOPO_MACHINE_HOST_LIST_H
#define TARRY_TOPO_MACHINE_HOST_LIST_H

#include "base/arena.h"
#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

struct host_names {
	const char **items; /* texts are in the arena */
	size_t count, room;
};

/* Adds the names of a list. `names` has at most `most` of them then; also of a list that is refused it has to be released. */
enum status host_list_expand(const char *list, struct arena *arena, size_t most,
                             struct host_names *names) MUST_CHECK;

#endif
