/* Assigns processes to places in an algorithm, so that processes with much traffic share a node.
 *
 * An algorithm for n processes is a graph: places 0..n-1 are vertices, and an edge's weight is the volume that crosses it when
 * each process contributes one unit. A mapping gives each process a place: the processes of a node get places with heavy edges
 * between them. With more levels than nodes (tree.h), the same holds for each level. docs/mapping.md has the method and its
 * quality.
 *
 *	struct mapping mapping;
 *
 *	if (!mapping_make(&mapping, &layout, GRAPH_BRUCK))
 *		return MPI_ERR_NO_MEM;
 *	place = mapping_place(&mapping, rank);
 *	peer = mapping_rank(&mapping, (place + 1) % size);
 *	mapping_release(&mapping);
 *
 * Mappings with a closed form need no memory. The others are tables, computed by several workers together (workers.h); the result
 * does not depend on their number. The layout may be moved or copied, but its tables must outlive the mapping. */
#ifndef TARRY_TOPO_MAPPING_MAPPING_H
#define TARRY_TOPO_MAPPING_MAPPING_H

#include "topo/mapping/layout.h"
#include "topo/mapping/progression.h"
#include "topo/mapping/tree.h"
#include "topo/mapping/workers.h"

#include <stdint.h>

enum mapping_graph {
	GRAPH_RECURSIVE_DOUBLING, /* step k: places i and i xor 2^k exchange 2^k units, if both are below n */
	GRAPH_BRUCK,              /* step k: place i sends min(2^k, n - 2^k) units to i - 2^k mod n */
};

/* How places are found. In regular layouts, nodes are dealt to classes: class c has the places equal to c modulo the number of
 * classes. All classes use the same order, and the nodes of a class take consecutive places in it. */
enum mapping_order {
	ORDER_PROGRESSION, /* within each class */
	ORDER_REVERSED,    /* within each class: ascending by reversed bits, in columns */
	ORDER_CLASS_TABLE, /* within each class, from one shared table */
	ORDER_DIGITS,      /* over all places: see mapping_digits */
	ORDER_TABLE,       /* over all places: irregular layouts, and trees without a closed form */
};

/* A tree in which all groups of a level have equally many subgroups, a power of two. A rank is a row of
 * digits: its group number at each level, from the outermost. Its place has the same digits, with the outermost as the lowest. */
struct mapping_digits {
	int count;
	int radix[TREE_LEVELS_MAX + 1]; /* the last one may be any number */
};

struct mapping {
	struct layout layout; /* of the nodes; borrowed tables */
	enum mapping_graph graph;
	enum mapping_order order;
	int classes;    /* a power of two that divides the number of nodes */
	int class_size; /* places in each class */
	int columns;    /* ORDER_REVERSED */
	struct progression progression;
	struct mapping_digits digits; /* ORDER_DIGITS */
	uint16_t *class_places,
		*class_positions; /* ORDER_CLASS_TABLE, otherwise NULL: position to place, and back */
	int *place_of, *rank_of;  /* ORDER_TABLE, otherwise NULL */
};

bool mapping_make(struct mapping *mapping, const struct layout *layout, enum mapping_graph graph);
/* For all levels of a machine, computed by all workers together. */
bool mapping_make_tree(struct mapping *mapping, const struct rank_tree *tree, enum mapping_graph graph,
                       const struct mapping_workers *workers);
/* The same if a closed form exists; otherwise false. Needs no layout tables. */
bool mapping_make_closed(struct mapping *mapping, const struct rank_tree *tree, enum mapping_graph graph);
void mapping_release(struct mapping *mapping);

int mapping_place(const struct mapping *mapping, int rank);
int mapping_rank(const struct mapping *mapping, int place);

/* Units that cross nodes. n (n - 1) units are sent in all (recursive doubling: if n is a power of two). Takes n log n steps. */
int64_t mapping_cut(const struct mapping *mapping);

/* The same with each process at the place of its rank. */
int64_t layout_cut(const struct layout *layout, enum mapping_graph graph);

/* Units weighted by the cost of the level that they cross. */
double mapping_tree_cost(const struct mapping *mapping, const struct rank_tree *tree);

#endif
