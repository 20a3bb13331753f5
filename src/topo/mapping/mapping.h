/* Assigns processes to places in an algorithm, so that processes with much traffic share a node.
 *
 * An algorithm for n processes is a graph: places 0..n-1 are vertices, and an edge's weight is the volume that crosses it when
 * each process contributes one unit. A mapping gives each process a place: the processes of a node get places with heavy edges
 * between them. With more levels than nodes (struct rank_tree), the same holds for each level. docs/mapping.md has the method and its
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
#include "topo/mapping/workers.h"

#include <stdint.h>

/* The levels of a machine for the processes of a communicator: switches, nodes, sockets.
 *
 *	struct rank_tree tree = {.levels = 2, .node_level = 1, .layouts = {switches, nodes}, .costs = {24, 16}};
 *
 * Each level is a layout with the group of each rank. Groups nest, and are numbered by their lowest rank. A unit between two
 * groups costs as much as the outermost level at which they differ. The tree borrows the tables of its layouts. */
enum { TREE_LEVELS_MAX = 6 };

struct rank_tree {
	int levels;                             /* at least 1 */
	int node_level;                         /* index of the node level */
	struct layout layouts[TREE_LEVELS_MAX]; /* outermost first */
	double costs[TREE_LEVELS_MAX];          /* must not grow inwards */
};

/* A tree with the node level only. */
struct rank_tree rank_tree_of_nodes(const struct layout *layout);

/* An order of places in which neighbours have much traffic in Bruck's algorithm: 0, stride, 2 stride, ... modulo
 * size. If stride and size have a common factor, there are several cycles. A step over `stride` reaches the next
 * place of the cycle, a step over 2 stride the one after it. */
struct progression {
	int size, stride; /* stride 0: none */
	int cycle;        /* places in each cycle */
	int cycles;       /* a power of two */
	int inverse;      /* of stride / cycles, modulo cycle */
};

/* `stride` is a power of two. */
void progression_make(struct progression *progression, int size, int stride);
int progression_place(const struct progression *progression, int position);
int progression_position(const struct progression *progression, int place);

/* The progression with the most traffic inside nodes of `per_node` consecutive places, by a quick estimate. */
void progression_choose(struct progression *progression, int size, int per_node);

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

#endif
