/* Columns of a graph, computed when they are needed, and selections of rows by them. */
#include "analysis/engine/graph.h"

#include "analysis/engine/facts.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* If fewer than one in this many rows are selected, only these are computed. */
enum { FEW = 2 };

/* Work that is needed once for each block is kept out of the functions that every request calls. */
#define NOINLINE __attribute__((noinline))

/* Columns of few groups that lie far apart would compete for the same lines of the cache. */
enum { ROWS_STEP = 64, USUAL_ROWS = 1024 };

/* Rows and groups share a constant. A column in use remains when more rows are needed: a longer one is added
 * to the memory of the graph. */
static const union word *constant_values(struct node *node, uint32_t rows)
{
	struct graph *graph = node->owner;

	if (node->room < rows) {
		node->room = rows > 2 * node->room ? rows : 2 * node->room;
		node->column = arena_array(&graph->arena, union word, node->room);
		for (uint32_t i = 0; i < node->room; i++)
			node->column[i] = node->value;
	}
	return node->column;
}

/* ---- computing ---- */

static const union word *arg_values(const struct node *node, uint32_t arg,
                                    const struct row_selection *selection)
{
	if (is_constant(node->args[arg]))
		return constant_values(node->args[arg], node->space->all.count);
	return node_values(node->args[arg], selection);
}

static void run_vector(struct node *node, const struct row_selection *selection)
{
	struct vector_task task = {.out = node->column, .rows = selection->rows, .count = selection->count};

	for (uint32_t i = 0; i < vector_infos[node->vector].arity; i++)
		task.args[i] = arg_values(node, i, selection);
	vector_run(node->vector, &task);
}

static void look_up_facts(struct node *node, const struct row_selection *selection)
{
	const union word *facts = node_values(node->args[0], selection);
	struct common_bits bits = {0, UINT64_MAX};

	for (uint32_t k = 0; k < selection->count; k++) {
		uint32_t row = selection_row(selection, k);
		int64_t fact = fact_at(facts_at(facts[row]), node->number);
		node->column[row].i = fact;
		bits.some |= (uint64_t)fact;
		bits.all &= (uint64_t)fact;
	}
	node->bits = bits;
	node->has_bits = true;
}

static void look_up_in_set(struct node *node, const struct row_selection *selection)
{
	const union word *values = node_values(node->args[0], selection);
	const struct word_set *set = node->owner;

	for (uint32_t k = 0; k < selection->count; k++) {
		uint32_t row = selection_row(selection, k), from = 0;
		for (uint32_t size = set->count; size;) {
			uint32_t half = size / 2;
			bool is_before = set->words[from + half] < values[row].i;
			from += is_before ? half + 1 : 0;
			size = is_before ? size - half - 1 : half;
		}
		node->column[row].i = from < set->count && set->words[from] == values[row].i;
	}
}

static void broadcast(struct node *node, const struct row_selection *selection)
{
	struct space *groups = node->args[0]->space;
	const union word *values = node_values(node->args[0], &groups->all);

	for (uint32_t k = 0; k < selection->count; k++) {
		uint32_t row = selection_row(selection, k);
		node->column[row] = values[groups->group_of[row]];
	}
}

static void gather(struct node *node, const struct row_selection *selection)
{
	const union word *indexes = node_values(node->args[0], selection);
	const union word *values = node_values(node->args[1], node->owner);

	for (uint32_t k = 0; k < selection->count; k++) {
		uint32_t row = selection_row(selection, k);
		node->column[row] = indexes[row].i < 0 ? node->value : values[indexes[row].i];
	}
}

/* Columns and constants are already computed; inputs and others have a function of their own. */
static void (*const computations[])(struct node *node, const struct row_selection *selection) = {
	[NODE_FACT] = look_up_facts,  [NODE_VECTOR] = run_vector, [NODE_IN_SET] = look_up_in_set,
	[NODE_BROADCAST] = broadcast, [NODE_GATHER] = gather,
};

/* ---- known facts about a column ---- */

static bool is_within(const struct row_selection *inner, const struct row_selection *outer)
{
	for (; inner; inner = inner->within)
		if (inner == outer)
			return true;
	return false;
}

/* The rows of the block for which it is computed; NULL: none. */
static const struct row_selection *rows_of(const struct node *node)
{
	if (node->kind == NODE_COLUMN)
		return &node->space->all;
	return node->stamp == node->space->stamp ? node->computed : NULL;
}

static bool is_there(const struct node *node, const struct row_selection *selection)
{
	const struct row_selection *rows = rows_of(node);

	return rows && (rows == &node->space->all || is_within(selection, rows));
}

/* The bits that some rows may have, and the bits that all rows have; possibly for more rows than these. */
static struct common_bits bits_of(struct node *node, const struct row_selection *selection)
{
	const struct row_selection *rows;

	if (!is_there(node, selection))
		node_values(node, selection);
	/* A constant has no column. */
	if (!is_there(node, selection))
		return (struct common_bits){UINT64_MAX, 0};
	rows = rows_of(node);
	if (!node->has_bits || node->kind == NODE_COLUMN)
		node->bits = vector_common_bits(node->column, rows->rows, rows->count);
	node->has_bits = true;
	return node->bits;
}

/* ---- constant folding ----
 *
 * Conditions on calls have one answer for most blocks, because programs repeat the same calls. A condition that
 * is true or false for all rows is not computed, and neither are the operands that it makes irrelevant. */

static struct node *fold(struct node *node, const struct row_selection *selection);

static struct node *truth(const struct node *node, bool is_true)
{
	return node->space->graph->truths[is_true];
}

/* AND or OR: an argument equal to `deciding` determines the result. */
static struct node *fold_both(struct node *node, const struct row_selection *selection, bool deciding)
{
	struct node *args[2];

	if (!node->is_truth)
		return node;
	for (int i = 0; i < 2; i++) {
		args[i] = fold(node->args[i], selection);
		if (is_constant(args[i]) && args[i]->value.i == deciding)
			return args[i];
	}
	return is_constant(args[0]) ? args[1] : is_constant(args[1]) ? args[0] : node;
}

static struct node *fold_vector(struct node *node, const struct row_selection *selection)
{
	const struct node *arg;
	struct common_bits bits;
	uint64_t bit;

	switch (node->vector) {
	case VECTOR_BIT:
		if (!is_constant(node->args[1]))
			return node;
		bit = UINT64_C(1) << (node->args[1]->value.i & 63);
		bits = bits_of(node->args[0], selection);
		return bits.all & bit || !(bits.some & bit) ? truth(node, bits.all & bit) : node;
	case VECTOR_AND:
		return fold_both(node, selection, false);
	case VECTOR_OR:
		return fold_both(node, selection, true);
	case VECTOR_NOT:
		arg = fold(node->args[0], selection);
		return is_constant(arg) ? truth(node, !arg->value.i) : node;
	case VECTOR_CHOOSE:
	case VECTOR_REAL_CHOOSE:
		arg = fold(node->args[0], selection);
		return is_constant(arg) ? fold(node->args[arg->value.i ? 1 : 2], selection) : node;
	default:
		return node;
	}
}

/* The node that has the same values for these rows. */
static NOINLINE struct node *fold(struct node *node, const struct row_selection *selection)
{
	struct node *same;

	if (node->kind == NODE_VECTOR)
		return fold_vector(node, selection);
	if (node->kind != NODE_BROADCAST)
		return node;
	same = fold(node->args[0], &node->args[0]->space->all);
	return is_constant(same) ? same : node;
}

static NOINLINE const union word *new_values(struct node *node, const struct row_selection *selection)
{
	struct space *space = node->space;
	struct node *same;

	if (node->kind == NODE_CONSTANT)
		return constant_values(node, selection->rows && selection->count
		                                     ? selection->rows[selection->count - 1] + 1
		                                     : selection->count);
	same = fold(node, selection);
	if (same != node)
		return node_values(same, selection);
	/* A value that was requested twice will be requested again, so compute it for the smallest selection
	 * that contains both. */
	if (node->stamp == space->stamp)
		while (selection && !is_within(node->computed, selection))
			selection = selection->within;
	if (!selection || node->is_whole || selection->count >= space->all.count / FEW)
		selection = &space->all;
	if (node->room < space->all.count) {
		if (node->room)
			free(node->column);
		node->room = space->all.count > USUAL_ROWS
		                     ? space->all.count + space->all.count / 8
		                     : (space->all.count + ROWS_STEP - 1) / ROWS_STEP * ROWS_STEP;
		node->column = memory_new(node->room, sizeof *node->column);
	}
	node->has_bits = false;
	(node->fill ? node->fill : computations[node->kind])(node, selection);
	node->stamp = space->stamp;
	node->computed = selection;
	return node->column;
}

const union word *node_values(struct node *node, const struct row_selection *selection)
{
	return !is_constant(node) && is_there(node, selection) ? node->column : new_values(node, selection);
}

/* ---- selections ---- */

void selection_begin(struct row_selection *selection, const struct row_selection *within)
{
	selection->within = within;
	selection->rows = within->rows;
	selection->count = within->count;
}

uint32_t *selection_list(struct row_selection *selection, uint32_t rows)
{
	if (selection->room < rows || !selection->own) {
		uint32_t room = rows + rows / 2 + 1;
		uint32_t *more = memory_new(room, sizeof *more);
		/* Its current contents may be the input of the filter. */
		if (selection->rows == selection->own && selection->own) {
			memcpy(more, selection->own, selection->count * sizeof *more);
			selection->rows = more;
		}
		free(selection->own);
		selection->own = more;
		selection->room = room;
	}
	return selection->own;
}

/* An empty list is also needed: NULL would mean all rows. */
static void selection_clear(struct row_selection *selection)
{
	selection->rows = selection_list(selection, selection->count);
	selection->count = 0;
}

/* The list of the kept rows. Mostly all rows are kept: then no list is needed. */
static void selection_set(struct row_selection *selection, uint32_t *list, uint32_t count)
{
	if (count == selection->count)
		return;
	selection->rows = list;
	selection->count = count;
}

void selection_filter_bits(struct row_selection *selection, struct node *bits, uint64_t need)
{
	struct common_bits common = bits_of(bits, selection);
	uint32_t *list;

	if (!(need & ~common.all))
		return;
	if (need & ~common.some) {
		selection_clear(selection);
		return;
	}
	list = selection_list(selection, selection->count);
	selection_set(selection, list,
	              vector_keep_bits(node_values(bits, selection), need, selection->rows, selection->count,
	                               list));
}

void selection_filter(struct row_selection *selection, struct node *condition)
{
	bool is_less;
	uint32_t *list, count;

	if (!selection->count)
		return;
	/* The second is evaluated only for rows that the first one leaves. */
	if (is_vector(condition, VECTOR_AND) && condition->is_truth) {
		selection_filter(selection, condition->args[0]);
		selection_filter(selection, condition->args[1]);
		return;
	}
	condition = fold(condition, selection);
	if (is_constant(condition)) {
		if (!condition->value.i)
			selection_clear(selection);
		return;
	}
	list = selection_list(selection, selection->count);
	is_less = is_vector(condition, VECTOR_LESS);
	/* A comparison that is used once need not become a column. */
	if (is_less || is_vector(condition, VECTOR_LESS_EQUAL))
		count = vector_keep_less(arg_values(condition, 0, selection),
		                         arg_values(condition, 1, selection), !is_less, selection->rows,
		                         selection->count, list);
	else
		count = vector_keep(node_values(condition, selection), selection->rows, selection->count,
		                    list);
	selection_set(selection, list, count);
}

void selection_release(struct row_selection *selection)
{
	free(selection->own);
	selection->own = NULL;
	selection->room = 0;
}
