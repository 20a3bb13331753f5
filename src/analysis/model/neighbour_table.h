/* The sources of each member of a topology in neighbourhood operations, from the call that
 * created the communicator.
 *
 *	struct neighbour_table table;
 *	neighbour_table_make(&table, figures);
 *	struct neighbour_list sources = neighbour_table_find(&table, process, comm->identity);
 *	for (uint32_t i = 0; i < sources.count; i++)
 *		sources.ranks[i]
 *	neighbour_table_release(&table);
 *
 * Ranks are those of the communicator. A list is valid as long as the table. */
#ifndef TARRY_ANALYSIS_MODEL_NEIGHBOUR_TABLE_H
#define TARRY_ANALYSIS_MODEL_NEIGHBOUR_TABLE_H

#include "analysis/model/figures.h"

#include "base/map.h"

struct neighbour_list {
	const int64_t *ranks;
	uint32_t count; /* 0: not a topology, or unknown */
};

struct neighbour_table {
	struct map by_member; /* by process and communicator, to the list */
	ARRAY(size_t) firsts; /* start of each list in `ranks`; it ends at the start of the next one */
	ARRAY(int64_t) ranks;
};

void neighbour_table_make(struct neighbour_table *lists, const struct figures *figures);
struct neighbour_list neighbour_table_find(const struct neighbour_table *lists, uint32_t process,
                                           uint64_t communicator);
void neighbour_table_release(struct neighbour_table *lists);

#endif
