/* The calls of all processes by the way to them: a tree whose leaves are places (model/places.h) with a function, and
 * whose inner nodes are the steps on the way, where paths were recorded (--callpath).
 *
 *	struct call_tree tree = {.places = &places};
 *	call_tree_read(&tree, reader, clocks, NULL);     or call_tree_add() for each call
 *	struct call_tree_iter iter;
 *	struct call_node node;
 *	call_tree_begin(&tree, &iter);
 *	while (call_tree_next(&iter, &node))
 *		print(node.depth, place_get(&places, node.place), node.total.ns);
 *	call_tree_release(&tree);
 *
 * Nodes come before those below them, and of those beside each other the one with the most time first. */
#ifndef TARRY_ANALYSIS_MODEL_CALL_TREE_H
#define TARRY_ANALYSIS_MODEL_CALL_TREE_H

#include "analysis/model/clocks.h"
#include "analysis/model/places.h"

struct call_sum {
	uint64_t calls; /* fruitless polls counted one by one */
	int64_t ns;     /* inside them, summed over threads */
};

struct call_tree {
	struct places *places;
	struct call_sum *own; /* by place */
	uint32_t room;
};

struct call_node {
	uint32_t place;
	uint32_t depth;        /* from 0 */
	struct call_sum total; /* with all that lies below; of a leaf, its own */
};

struct call_tree_iter {
	struct call_node *nodes; /* in the order of the walk */
	uint32_t count, next;
};

void call_tree_add(struct call_tree *tree, uint32_t place, uint64_t calls, int64_t ns);
/* All calls of a trace, without the user's marks. `progress` is called with a part from 0 to 1, and may be NULL. */
void call_tree_read(struct call_tree *tree, struct reader *reader, const struct clocks *clocks,
                    void (*progress)(double part));
void call_tree_release(struct call_tree *tree);

/* Of the tree as it is now. */
void call_tree_begin(const struct call_tree *tree, struct call_tree_iter *iter);
/* False at the end, where the iterator is released. */
bool call_tree_next(struct call_tree_iter *iter, struct call_node *node);
/* Only for a loop that is left before its end. */
void call_tree_iter_release(struct call_tree_iter *iter);

#endif
