#include "analysis/causes/path_tree.h"

#include "base/memory.h"
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

enum { NODES_MAX = 1 << 22, SAMPLES = 1024, MOVES_MIN = 1 << 18, MOVES_PER_THREAD = 16 };

void path_tree_init(struct path_tree *tree, uint32_t threads, uint32_t most)
{
	*tree = (struct path_tree){.thread_count = threads, .free = NO_NODE};
	/* Each thread keeps its heads, whatever is cut off. */
	tree->most = (most ? most : NODES_MAX) + 2 * PATH_HEADS * threads;
	tree->heads = memory_new(threads + 1u, sizeof *tree->heads);
	tree->moves_most = (size_t)MOVES_PER_THREAD * threads;
	if (tree->moves_most < MOVES_MIN)
		tree->moves_most = MOVES_MIN;
	tree->move_of = memory_new(threads + 1u, sizeof *tree->move_of);
	tree->chain = memory_new(threads + 1u, sizeof *tree->chain);
}

void path_tree_release(struct path_tree *tree)
{
	free(tree->heads);
	free(tree->move_of);
	free(tree->chain);
	array_release(&tree->moves);
	array_release(&tree->nodes);
}

static uint32_t new_node(struct path_tree *tree, const struct critical_node *node)
{
	uint32_t number = tree->free;

	tree->live++;
	if (number == NO_NODE) {
		array_add(&tree->nodes, *node);
		return (uint32_t)tree->nodes.count - 1;
	}
	tree->free = tree->nodes.items[number].parent;
	tree->nodes.items[number] = *node;
	return number;
}

static void stop_using(struct path_tree *tree, uint32_t number)
{
	while (number != NO_NODE) {
		struct critical_node *node = &tree->nodes.items[number];
		uint32_t parent = node->parent;
		if (--node->uses)
			return;
		node->parent = tree->free;
		tree->free = number;
		tree->live--;
		number = parent;
	}
}

static void add_head(struct path_tree *tree, uint32_t thread, uint32_t number)
{
	struct path_heads *heads = &tree->heads[thread];
	uint32_t oldest = heads->nodes[PATH_HEADS - 1];

	for (int i = PATH_HEADS - 1; i > 0; i--)
		heads->nodes[i] = heads->nodes[i - 1];
	heads->nodes[0] = number + 1;
	if (oldest)
		stop_using(tree, oldest - 1);
}

uint32_t path_tree_at(struct path_tree *tree, uint32_t thread, int64_t ns)
{
	const struct path_heads *heads = &tree->heads[thread];

	if (!heads->nodes[0])
		add_head(tree, thread,
		         new_node(tree, &(struct critical_node){INT64_MIN, NO_NODE, thread, 1}));
	for (int i = 0; i < PATH_HEADS && heads->nodes[i]; i++)
		if (tree->nodes.items[heads->nodes[i] - 1].from <= ns)
			return heads->nodes[i] - 1;
	return NO_NODE;
}

/* Limiting the memory */

/* About half of the nodes are older. */
static int64_t middle_time(const struct path_tree *tree)
{
	size_t step = tree->nodes.count / SAMPLES + 1, count = 0;
	int64_t times[SAMPLES];

	for (size_t i = 0; i < tree->nodes.count; i += step)
		if (tree->nodes.items[i].uses)
			times[count++] = tree->nodes.items[i].from;
	sort_i64(times, count);
	return count ? times[count / 2] : INT64_MIN;
}

/* The path continues only from nodes that have no parent any more. */
static void cut_off(struct path_tree *tree)
{
	int64_t floor = middle_time(tree);

	for (size_t i = 0; i < tree->nodes.count; i++) {
		struct critical_node *node = &tree->nodes.items[i];
		uint32_t parent = node->parent;
		if (!node->uses || node->from > floor || parent == NO_NODE)
			continue;
		node->parent = NO_NODE;
		stop_using(tree, parent);
	}
}

static void insert(struct path_tree *tree, uint32_t thread, int64_t moment, uint32_t late)
{
	uint32_t parent, own;

	if (tree->live >= tree->most)
		cut_off(tree);
	parent = path_tree_at(tree, late, moment);
	own = path_tree_at(tree, thread, moment);
	/* A later wait of the same thread was already added, or one that ended at the same time. */
	if (parent == NO_NODE || own != tree->heads[thread].nodes[0] - 1) {
		tree->missed++;
		return;
	}
	if (tree->nodes.items[own].from == moment)
		return;
	tree->nodes.items[parent].uses++;
	add_head(tree, thread, new_node(tree, &(struct critical_node){moment, parent, thread, 1}));
}

static int by_moment(const void *left, const void *right)
{
	const struct path_move *a = left, *b = right;

	if (a->moment != b->moment)
		return a->moment < b->moment ? -1 : 1;
	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	return (a->late > b->late) - (a->late < b->late);
}

/* Inserts moves of one moment: the move of a late thread before the moves of the threads that waited for it. */
static void insert_all(struct path_tree *tree, size_t first, size_t end)
{
	struct path_move *moves = tree->moves.items;

	for (size_t i = end; i-- > first;)
		tree->move_of[moves[i].thread] = (uint32_t)i + 1;
	for (size_t i = first; i < end; i++) {
		uint32_t depth = 0, number = tree->move_of[moves[i].thread];
		for (; number && !moves[number - 1].is_inserted;
		     number = tree->move_of[moves[number - 1].late]) {
			moves[number - 1].is_inserted = true;
			tree->chain[depth++] = number - 1;
		}
		while (depth) {
			const struct path_move *move = &moves[tree->chain[--depth]];
			insert(tree, move->thread, move->moment, move->late);
		}
	}
	for (size_t i = first; i < end; i++)
		tree->move_of[moves[i].thread] = 0;
}

/* Inserts the earliest moves, until at most this many are left. */
static void insert_earliest(struct path_tree *tree, size_t left)
{
	struct path_move *moves = tree->moves.items;
	size_t count = tree->moves.count, first = 0, end;

	if (count)
		qsort(moves, count, sizeof *moves, by_moment);
	for (; count - first > left; first = end) {
		for (end = first + 1; end < count && moves[end].moment == moves[first].moment; end++)
			;
		insert_all(tree, first, end);
	}
	if (first)
		memmove(moves, moves + first, (count - first) * sizeof *moves);
	tree->moves.count = count - first;
}

void path_tree_add(struct path_tree *tree, uint32_t thread, int64_t moment, uint32_t late)
{
	if (thread == late)
		return;
	if (tree->moves.count >= tree->moves_most)
		insert_earliest(tree, tree->moves_most / 2);
	array_add(&tree->moves, ((struct path_move){.moment = moment, .thread = thread, .late = late}));
}

void path_tree_finish(struct path_tree *tree)
{
	insert_earliest(tree, 0);
}
