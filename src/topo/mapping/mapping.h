/* Which process takes which place in an algorithm, so that processes that exchange much run on one node.
 *
 * An algorithm for n processes is a graph: its vertices are places 0..n-1, an edge's weight is the volume that crosses it when each
 * process contributes one unit. A mapping gives each process a place: those of a node get places with heavy edges between them, and
 * as many as there are processes on the node. Where the machine has more levels than nodes (tree.h), the same holds for each of them.
 * docs/mapping.md has the method and how good it is.
 *
 *	struct mapping mapping;
 *
 *	if (!mapping_make(&mapping, &layout, GRAPH_BRUCK))
 *		return MPI_ERR_NO_MEM;
 *	place = mapping_place(&mapping, rank);
 *	peer = mapping_rank(&mapping, (place + 1) % size);
 *	mapping_release(&mapping);
 *
 * Some mappings have a closed form: both directions are computed, and nothing is kept. The others are tables, which several workers make together
 * (workers.h): the result is the same for any number of them. The layout may move or be copied, but its tables must live as long as the mapping.
 */
#ifndef TARRY_TOPO_MAPPING_MAPPING_H
#define TARRY_TOPO_MAPPING_MAPPING_H

#include "topo/mapping/layout.h"
#include "topo/mapping/progression.h"
#include "topo/mapping/tree.h"
#include "topo/mapping/workers.h"

#include <stdint.h>

enum mapping_graph {
	GRAPH_RECURSIVE_DOUBLING, /* step k: places i and i xor 2^k exchange 2^k units; none if a place is not below n */
	GRAPH_BRUCK,              /* step k: place i sends min(2^k, n - 2^k) units to i - 2^k mod n */
};

/* How places are found. In regular layouts, nodes are dealt out to classes: class c has the places that are c modulo the number of classes,
   and the same order holds in each class. Nodes of a class take consecutive places of that order. */
enum mapping_order {
	ORDER_PROGRESSION, /* of each class */
	ORDER_REVERSED, /* of each class: ascending by bits read from the lowest to the highest, in columns */
	ORDER_CLASS_TABLE, /* of each class, from a table that all share */
	ORDER_DIGITS,      /* of all places: every level halves, doubles, and so on; see mapping_digits */
	ORDER_TABLE,       /* of all places: irregular layouts, and trees without a closed form */
};

/* A tree whose levels have equally many groups in each, a power of two: a rank is a row of digits, its number in each group from the outermost on; the place is the same
   row with the outermost digit as the lowest one. */
struct mapping_digits {
	int count;
	int radix[TREE_LEVELS_MOST + 1]; /* the last one may be any number */
};

struct mapping {
	struct layout layout; /* of the nodes; its tables are not this one's */
	enum mapping_graph graph;
	enum mapping_order order;
	int classes;    /* a power of two that divides the number of nodes */
	int class_size; /* places of each class */
	int columns;    /* ORDER_REVERSED */
	struct progression progression;
	struct mapping_digits digits; /* ORDER_DIGITS */
	uint16_t *class_places,
		*class_positions; /* ORDER_CLASS_TABLE, otherwise NULL: from position to place, and back */
	int *place_of, *rank_of;  /* ORDER_TABLE, otherwise NULL */
};

bool mapping_make(struct mapping *mapping, const struct layout *layout, enum mapping_graph graph);
/* For all levels of a machine, by all workers together. */
bool mapping_make_tree(struct mapping *mapping, const struct rank_tree *tree, enum mapping_graph graph,
                       const struct mapping_workers *workers);
/* The same if there is a closed form; otherwise false. Needs no tables of layouts. */
bool mapping_make_closed(struct mapping *mapping, const struct rank_tree *tree, enum mapping_graph graph);
void mapping_release(struct mapping *mapping);

int mapping_place(const struct mapping *mapping, int rank);
int mapping_rank(const struct mapping *mapping, int place);

/* Units that cross nodes, of n (n - 1) that are sent at all (recursive doubling: if n is a power of two). Takes n log n steps. */
int64_t mapping_cut(const struct mapping *mapping);

/* The same with each process at the place of its rank. */
int64_t layout_cut(const struct layout *layout, enum mapping_graph graph);

/* Units times what they cost at the level at which they cross. */
double mapping_tree_cost(const struct mapping *mapping, const struct rank_tree *tree);

#endif
