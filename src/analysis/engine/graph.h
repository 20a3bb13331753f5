/* The computation, as a graph: a node is a column of values, made from the columns of its arguments when it is asked
 * for, once for each block of rows, however many rules ask. Nodes that say the same are the same.
 *
 *	struct node *late = node_vector(graph, VECTOR_SUBTRACT, (struct node *[]){send_start, wait_start});
 *	space_begin(space, 512);
 *	selection_begin(&chosen, &space->all);
 *	selection_filter(&chosen, condition);
 *	const union word *values = node_values(late, &chosen);
 *	for (uint32_t k = 0; k < chosen.count; k++)
 *		use(values[selection_row(&chosen, k)]);
 *
 * A space is a set of rows that columns are of: of a relation, of the groups of its rows, of what an operator gives.
 * A node is computed for all rows of its space, or for the selected ones when they are few. A graph belongs to one
 * thread. */
#ifndef TARRY_ANALYSIS_ENGINE_GRAPH_H
#define TARRY_ANALYSIS_ENGINE_GRAPH_H

#include "analysis/engine/vector.h"
#include "base/arena.h"

/* A selection vector: rows of a space, in ascending order. One that is within another has only rows that it has. */
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
	/* Of a space whose rows are the groups of another's: which, and by row of it the number of its group. */
	struct space *members;
	const uint32_t *group_of;
	struct node *columns; /* nodes of the kind COLUMN */
	struct space *next;
};

enum node_kind {
	NODE_COLUMN,   /* comes with the block: `column` is set from outside */
	NODE_CONSTANT, /* `value`; of no space */
	NODE_FACT,     /* value `number` of the facts that args[0] points to */
	NODE_VECTOR,
	NODE_IN_SET,    /* whether args[0] is one of the words of the set `owner` */
	NODE_BROADCAST, /* the value of a row's group: args[0] is of groups */
	NODE_GATHER,    /* args[1] at the row that args[0] gives; `value` where that is negative */
	NODE_FILLED,    /* by `fill`, for all rows if `is_whole` */
	NODE_INPUT,     /* column `number` of the relation's rows, by `fill` */
};

/* The members that every request reads are first: there are more nodes than fit into the first-level cache. */
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
	struct common_bits bits;              /* if has_bits, what is common to them */
	struct node *args[3];
	uint32_t room; /* 0: the column is not the node's own */
	union word value;
	void (*fill)(struct node *node, const struct row_selection *selection);
	void *owner; /* of `fill`; GATHER: the selection that args[1] is needed for; CONSTANT: the graph */
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
/* Arguments are converted to what the vector takes, and broadcast from groups to rows where they are of both. */
struct node *node_vector(struct graph *graph, enum vector vector, struct node *const *args);
/* The set has to live as long as the graph. */
struct node *node_in_set(struct node *value, const struct word_set *set);
struct node *node_broadcast(struct node *node, struct space *rows);
struct node *node_gather(struct node *index, struct node *values, const struct row_selection *selection,
                         union word absent);
/* `pattern` has kind FILLED, its space, fill, owner, arguments and is_real. */
struct node *node_filled(const struct node *pattern);
/* The same node as a real or a whole number. */
struct node *node_as(struct graph *graph, struct node *node, bool is_real);

static inline bool is_constant(const struct node *node)
{
	return node->kind == NODE_CONSTANT;
}

static inline bool is_vector(const struct node *node, enum vector vector)
{
	return node->kind == NODE_VECTOR && node->vector == vector;
}

/* Values by row, right for the selected rows. */
const union word *node_values(struct node *node, const struct row_selection *selection);

static inline uint32_t selection_row(const struct row_selection *selection, uint32_t k)
{
	return selection->rows ? selection->rows[k] : k;
}

void selection_begin(struct row_selection *selection, const struct row_selection *within);
void selection_filter(struct row_selection *selection, struct node *condition);
void selection_filter_bits(struct row_selection *selection, struct node *bits, uint64_t need);
/* Room for the list of all that it could hold; there is one for none, too. */
uint32_t *selection_list(struct row_selection *selection, uint32_t rows);
void selection_release(struct row_selection *selection);

#endif
