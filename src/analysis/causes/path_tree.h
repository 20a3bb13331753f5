/* By which threads the critical path came to each thread, put together while a run is gone through forwards. Internal to the causes.
 *
 *	path_tree_init(&tree, threads, 0);
 *	path_tree_move(&tree, waiting, moment, late);     for each wait, in the order of the moments
 *	for (number = path_tree_at(&tree, last, end); number != NO_NODE; number = tree.nodes.items[number].parent)
 *		show(&tree.nodes.items[number]);          from the end to the beginning
 *	path_tree_release(&tree);
 *
 * The path to a thread is the one to whom it waited for last, and this thread since then. So each wait makes a node, whose parent is the node that the
 * late thread had. What no thread's path goes through any longer is freed at once: after a collective call, all paths share
 * all but their ends. Memory is that of the shared part, and of what the paths differ in. If that is too much, the older half is cut off. */
#ifndef TARRY_ANALYSIS_CAUSES_PATH_TREE_H
#define TARRY_ANALYSIS_CAUSES_PATH_TREE_H

#include "base/array.h"

#define NO_NODE UINT32_MAX

/* Of a thread that are kept: rows of one batch may come late. */
enum { PATH_HEADS = 4 };

struct critical_node {
	int64_t from;    /* when the path came to this thread; INT64_MIN: it began there */
	uint32_t parent; /* NO_NODE: the path began here, or what was before is cut off */
	uint32_t thread;
	uint32_t uses; /* by heads and other nodes; 0: it is free, and `parent` is the next free one */
};

struct path_heads {
	uint32_t nodes[PATH_HEADS]; /* one above the number, the latest first; 0: none */
};

struct path_tree {
	struct path_heads *heads; /* by thread */
	uint32_t thread_count;
	ARRAY(struct critical_node) nodes;
	uint32_t free; /* NO_NODE: none is */
	uint32_t live, most;
	uint64_t missed; /* waits that came too late to be placed */
};

/* At most so many nodes; 0: as many as there is memory for. */
void path_tree_init(struct path_tree *tree, uint32_t threads, uint32_t most);
void path_tree_release(struct path_tree *tree);
/* The thread waited until then, when the late one had come. */
void path_tree_move(struct path_tree *tree, uint32_t thread, int64_t moment, uint32_t late);
/* The node that a thread had at this time; NO_NODE: it is not kept. */
uint32_t path_tree_at(struct path_tree *tree, uint32_t thread, int64_t ns);

#endif
