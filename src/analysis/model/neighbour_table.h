/* Which ranks each member of a topology gets data from in neighbourhood operations, as the call that made its communicator names them.
 *
 *	struct neighbour_table table;
 *	neighbour_table_make(&table, figures);
 *	struct neighbour_list sources = neighbour_table_find(&table, process, comm->identity);
 *	for (uint32_t i = 0; i < sources.count; i++)
 *		sources.ranks[i]
 *	neighbour_table_release(&table);
 *
 * Ranks are those of the communicator. A list holds as long as the table does. */
#ifndef TARRY_ANALYSIS_MODEL_NEIGHBOUR_TABLE_H
#define TARRY_ANALYSIS_MODEL_NEIGHBOUR_TABLE_H

#include "analysis/model/figures.h"

#include "base/map.h"

struct neighbour_list {
	const int64_t *ranks;
	uint32_t count; /* 0: it is no topology, or nobody knows */
};

struct neighbour_table {
	struct map by_member; /* by process and communicator, to the list */
	ARRAY(size_t) firsts; /* where each list begins in `ranks`; it ends where the next one begins */
	ARRAY(int64_t) ranks;
};

void neighbour_table_make(struct neighbour_table *lists, const struct figures *figures);
struct neighbour_list neighbour_table_find(const struct neighbour_table *lists, uint32_t process,
                                           uint64_t communicator);
void neighbour_table_release(struct neighbour_table *lists);

#endif
