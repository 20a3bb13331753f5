/* The computation as a graph. A node is a column of values, computed from the columns of its arguments when
 * it is first needed, once for each block of rows. Equal expressions share a node.
 *
 *	struct node *late = node_vector(graph, VECTOR_SUBTRACT, (struct node *[]){send_start, wait_start});
 *	space_begin(space, 512);
 *	selection_begin(&chosen, &space->all);
 *	selection_filter(&chosen, condition);
 *	const union word *values = node_values(late, &chosen);
 *	for (uint32_t k = 0; k < chosen.count; k++)
 *		use(values[selection_row(&chosen, k)]);
 *
 * A space is the set of rows of some columns: the rows of a relation, the groups of these rows, or the
 * results of an operator. A node is computed for all rows of its space or, if few rows are selected, for
 * these. A graph belongs to one thread. */
#ifndef TARRY_ANALYSIS_ENGINE_GRAPH_H
#define TARRY_ANALYSIS_ENGINE_GRAPH_H

#include "analysis/engine/vector.h"
#include "base/arena.h"

/* A selection vector: rows of a space in ascending order, all of which are also in the selection `within`. */
struct row_selection {
	const struct row_selection *within;
	const uint32_t *rows; /* NULL: all of them */
	uint32_t count;
	uint32_t *own;
	uint32_t room;
};

struct space {
	const char *name;
	struct graph *graph;
	struct row_selection all;
	uint64_t stamp; /* of the block */
	/* If rows are groups: the space of their members, and the group of each row of that space. */
	struct space *members;
	const uint32_t *group_of;
	struct node *columns; /* nodes of the kind COLUMN */
	struct space *next;
};

enum node_kind {
	NODE_COLUMN,   /* part of the block: `column` is set from outside */
	NODE_CONSTANT, /* `value`; belongs to no space */
	NODE_FACT,     /* value `number` of the facts that args[0] points to */
	NODE_VECTOR,
	NODE_IN_SET,    /* whether args[0] is one of the words of the set `owner` */
	NODE_BROADCAST, /* the value of the row's group: args[0] is a column of groups */
	NODE_GATHER,    /* args[1] at row args[0]; `value` if args[0] is negative */
	NODE_FILLED,    /* by `fill`, for all rows if `is_whole` */
	NODE_INPUT,     /* column `number` of the relation's rows, by `fill` */
};

/* Frequently read members are first, because the nodes do not fit into the first-level cache. */
struct node {
	enum node_kind kind;
	enum vector vector;
	bool is_real, is_whole;
	bool is_truth; /* 0 or 1, and never ABSENT */
	bool is_listed;
	bool has_bits;
	uint32_t number;
	struct space *space;
	uint64_t stamp; /* of the block in which … */
	union word *column;
	const struct row_selection *computed; /* … it was computed for these rows; */
	struct common_bits bits;              /* if has_bits: common bits of their values */
	struct node *args[3];
	uint32_t room; /* 0: the column is not the node's own */
	union word value;
	void (*fill)(struct node *node, const struct row_selection *selection);
	void *owner; /* of `fill`; GATHER: the selection for which args[1] is needed; CONSTANT: the graph */
	struct node *next, *older, *next_column;
};

/* Words in ascending order. */
struct word_set {
	uint32_t count;
	int64_t words[];
};

enum { GRAPH_BUCKETS = 1024 };

struct graph {
	struct arena arena;
	struct node *buckets[GRAPH_BUCKETS];
	struct node *newest;
	struct node *truths[2];
	struct space *spaces;
};

struct graph *graph_new(void);
void graph_free(struct graph *graph);

struct space *space_new(struct graph *graph, const char *name);
void space_begin(struct space *space, uint32_t rows);

struct node *node_constant(struct graph *graph, union word value, bool is_real);
struct node *node_whole(struct graph *graph, int64_t value);
struct node *node_column(struct space *space, uint32_t number, bool is_real);
struct node *node_fact(struct node *facts, uint32_t number, bool is_real);
/* Converts arguments to the type that the vector takes, and broadcasts groups to rows if arguments are of
 * both. */
struct node *node_vector(struct graph *graph, enum vector vector, struct node *const *args);
/* The set must live as long as the graph. */
struct node *node_in_set(struct node *value, const struct word_set *set);
struct node *node_broadcast(struct node *node, struct space *rows);
struct node *node_gather(struct node *index, struct node *values, const struct row_selection *selection,
                         union word absent);
/* `pattern` has kind FILLED, its space, fill, owner, arguments and is_real. */
struct node *node_filled(const struct node *pattern);
/* The node, converted to a real or a whole number if necessary. */
struct node *node_as(struct graph *graph, struct node *node, bool is_real);

static inline bool is_constant(const struct node *node)
{
	return node->kind == NODE_CONSTANT;
}

static inline bool is_vector(const struct node *node, enum vector vector)
{
	return node->kind == NODE_VECTOR && node->vector == vector;
}

/* The values by row; only those of the selected rows are valid. */
const union word *node_values(struct node *node, const struct row_selection *selection);

static inline uint32_t selection_row(const struct row_selection *selection, uint32_t k)
{
	return selection->rows ? selection->rows[k] : k;
}

void selection_begin(struct row_selection *selection, const struct row_selection *within);
void selection_filter(struct row_selection *selection, struct node *condition);
void selection_filter_bits(struct row_selection *selection, struct node *bits, uint64_t need);
/* A list with room for all rows of the selection; never NULL. */
uint32_t *selection_list(struct row_selection *selection, uint32_t rows);
void selection_release(struct row_selection *selection);

#endif
