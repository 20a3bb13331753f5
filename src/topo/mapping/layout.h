/* Which node each process of a communicator runs on.
 *
 * Launchers fill nodes one after another ("block", Slurm's default within an allocation) or deal ranks out in turn ("cyclic"). Both are
 * known from two numbers, and no process needs a table. Every other allocation, nodes of different sizes included, is a table.
 *
 *	struct layout layout;
 *
 *	if (!layout_make(&layout, size, keys))
 *		return MPI_ERR_NO_MEM;
 *	for (int i = 0; i < layout_node_size(&layout, node); i++)
 *		receive_from(layout_rank(&layout, node, i));
 *	layout_release(&layout);
 *
 * Nodes are numbered in the order of their lowest rank, the processes of a node in the order of their ranks. A layout belongs to
 * the caller and runs inside the user's process: without memory, functions return false and change nothing.
 */
#ifndef TARRY_TOPO_MAPPING_LAYOUT_H
#define TARRY_TOPO_MAPPING_LAYOUT_H

#include <stdbool.h>

enum layout_kind { LAYOUT_BLOCK, LAYOUT_CYCLIC, LAYOUT_TABLE };

struct layout {
	int size, nodes;
	enum layout_kind kind;
	int per_node; /* block, cyclic: processes on each node; table: 0 */
	int *node_of; /* table: the node of each rank; otherwise NULL, as the next two */
	int *first;   /* table: where the ranks of each node begin in `ranks`; nodes + 1 of them */
	int *ranks;   /* table: the ranks of each node, ascending */
};

/* `node_keys` has a number for each rank that is equal for processes of one node and for no others. Finds out whether this is a block
   or a cyclic layout, and keeps a table only if it is neither. At least one process. */
bool layout_make(struct layout *layout, int size, const int *node_keys);

/* Without a table; `size` is a multiple of `per_node`. */
void layout_make_block(struct layout *layout, int size, int per_node);
void layout_make_cyclic(struct layout *layout, int size, int per_node);

void layout_release(struct layout *layout);

int layout_node(const struct layout *layout, int rank);
int layout_node_size(const struct layout *layout, int node);
int layout_rank(const struct layout *layout, int node, int index);

/* The number of a process on its node: layout_rank(layout, layout_node(layout, rank), index) is rank. */
int layout_index(const struct layout *layout, int rank);

/* Known without a table, by every process alike. */
bool layout_is_regular(const struct layout *layout);

#endif
