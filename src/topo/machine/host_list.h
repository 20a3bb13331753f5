/* Host lists in Slurm's syntax: "n[0-7,9],login", "r[1-2]n[01-16]".
 *
 *	struct host_names names = {0};
 *	TRY(host_list_expand("n[0-7,9]", &arena, MACHINE_NODES_MAX, &names));
 *	… names.items[i] …
 *	array_release(&names); */
#ifndef TARRY_TOPO_MACHINE_HOST_LIST_H
#define TARRY_TOPO_MACHINE_HOST_LIST_H

#include "base/arena.h"
#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

struct host_names {
	const char **items; /* the arena owns the texts */
	size_t count, room;
};

/* Appends the names of a list. Fails above `limit` names in total; the caller releases `names` in any case. */
enum status host_list_expand(const char *list, struct arena *arena, size_t limit,
                             struct host_names *names) MUST_CHECK;

#endif
