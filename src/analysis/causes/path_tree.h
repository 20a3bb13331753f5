/* The critical path to each thread, built in one forward pass over the run. Internal to the causes.
 *
 *	path_tree_init(&tree, threads, 0);
 *	path_tree_add(&tree, waiting, moment, late);      for each wait, in any order
 *	path_tree_finish(&tree);
 *	for (number = path_tree_at(&tree, last, end); number != NO_NODE; number = tree.nodes.items[number].parent)
 *		show(&tree.nodes.items[number]);          from the end to the start
 *	path_tree_release(&tree);
 *
 * The path to a thread is the path to the thread that it last waited for, then this thread since that
 * wait. So each wait creates a node, whose parent is the current node of the late thread. Nodes that are
 * on no thread's path any more are freed at once: after a collective call, all paths share everything but
 * their ends. Memory is needed for the shared part and for the differences. If that is too much, the
 * older half is cut off.
 *
 * Some waits become known late. A send's wait for a receive is known only when the receiver completes its
 * request. So many waits are kept, and inserted in the order of their moments. */
#ifndef TARRY_ANALYSIS_CAUSES_PATH_TREE_H
#define TARRY_ANALYSIS_CAUSES_PATH_TREE_H

#include "base/array.h"

#define NO_NODE UINT32_MAX

/* Kept per thread, for waits of other threads that ended before its last one. */
enum { PATH_HEADS = 4 };

struct critical_node {
	int64_t from;    /* when the path reached this thread; INT64_MIN: it began there */
	uint32_t parent; /* NO_NODE: the path began here, or the earlier part is cut off */
	uint32_t thread;
	uint32_t uses; /* by heads and other nodes; 0: free, and `parent` is the next free one */
};

struct path_heads {
	uint32_t nodes[PATH_HEADS]; /* number + 1, the latest first; 0: none */
};

/* The thread waited until the late one arrived at this moment. */
struct path_move {
	int64_t moment;
	uint32_t thread, late;
	bool is_inserted;
};

struct path_tree {
	struct path_heads *heads; /* by thread */
	uint32_t thread_count;
	ARRAY(struct critical_node) nodes;
	uint32_t free; /* NO_NODE: none */
	uint32_t live, most;
	uint64_t missed;               /* waits that arrived too late to be inserted */
	ARRAY(struct path_move) moves; /* not inserted yet */
	size_t moves_most;
	uint32_t *move_of; /* by thread: number + 1 of its move at the current moment; 0: none */
	uint32_t *chain;   /* moves to insert next, the last one first */
};

/* At most this many nodes; 0: as many as fit into memory. */
void path_tree_init(struct path_tree *tree, uint32_t threads, uint32_t most);
void path_tree_release(struct path_tree *tree);
/* The thread waited until the late one arrived at this moment. */
void path_tree_add(struct path_tree *tree, uint32_t thread, int64_t moment, uint32_t late);
/* Inserts all waits. */
void path_tree_finish(struct path_tree *tree);
/* The node of a thread at this time; NO_NODE: not kept. */
uint32_t path_tree_at(struct path_tree *tree, uint32_t thread, int64_t ns);

#endif
