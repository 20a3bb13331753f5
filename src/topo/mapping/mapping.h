/* Which process takes which place in an algorithm, so that processes that exchange much run on one node.
 *
 * An algorithm for n processes is a graph: its vertices are places 0..n-1, an edge's weight is the volume that crosses it when each
 * process contributes one unit. A mapping gives each process a place: those of a node get places with heavy edges between them, and
 * as many as there are processes on the node. docs/mapping.md has the method and how good it is.
 *
 *	struct mapping mapping;
 *
 *	if (!mapping_make(&mapping, &layout, GRAPH_BRUCK))
 *		return MPI_ERR_NO_MEM;
 *	place = mapping_place(&mapping, rank);
 *	peer = mapping_rank(&mapping, (place + 1) % size);
 *	mapping_release(&mapping);
 *
 * Where the layout is regular, nothing is allocated and both directions are computed; every process finds the same mapping. The
 * layout may move or be copied, but its tables must live as long as the mapping.
 */
#ifndef TARRY_TOPO_MAPPING_MAPPING_H
#define TARRY_TOPO_MAPPING_MAPPING_H

#include "topo/mapping/layout.h"

#include <stdint.h>

enum mapping_graph {
	GRAPH_RECURSIVE_DOUBLING, /* step k: places i and i xor 2^k exchange 2^k units; none if a place is not below n */
	GRAPH_BRUCK,              /* step k: place i sends min(2^k, n - 2^k) units to i - 2^k mod n */
};

/* An order of places in which neighbours exchange much: nodes take consecutive ones. */
enum mapping_order {
	ORDER_CYCLIC,   /* node u has the places that are u modulo the number of nodes */
	ORDER_REVERSED, /* ascending by their bits read from the lowest to the highest */
	ORDER_TABLE,
};

struct mapping {
	struct layout layout; /* its tables are not this one's */
	enum mapping_graph graph;
	enum mapping_order order;
	int *place_of, *rank_of; /* ORDER_TABLE; otherwise NULL */
};

bool mapping_make(struct mapping *mapping, const struct layout *layout, enum mapping_graph graph);
void mapping_release(struct mapping *mapping);

int mapping_place(const struct mapping *mapping, int rank);
int mapping_rank(const struct mapping *mapping, int place);

/* Units that cross nodes (of n (n - 1) that are sent at all, but for recursive doubling of other sizes than powers of two). Takes
   n log n steps. */
int64_t mapping_cut(const struct mapping *mapping);

/* The same with each process at the place of its rank. */
int64_t layout_cut(const struct layout *layout, enum mapping_graph graph);

#endif
