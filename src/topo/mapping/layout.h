/* The node of each process of a communicator.
 *
 * Launchers fill nodes one after another ("block", Slurm's default within an allocation) or deal ranks out in turn ("cyclic").
 * Two numbers describe both. All other layouts, such as nodes of different sizes, need a table.
 *
 *	struct layout layout;
 *
 *	if (!layout_make(&layout, size, keys))
 *		return MPI_ERR_NO_MEM;
 *	for (int i = 0; i < layout_node_size(&layout, node); i++)
 *		receive_from(layout_rank(&layout, node, i));
 *	layout_release(&layout);
 *
 * Nodes are numbered by their lowest rank, processes of a node by rank. This code runs in the user's process: if out of memory,
 * functions return false and change nothing. */
#ifndef TARRY_TOPO_MAPPING_LAYOUT_H
#define TARRY_TOPO_MAPPING_LAYOUT_H

#include <stdbool.h>

enum layout_kind { LAYOUT_BLOCK, LAYOUT_CYCLIC, LAYOUT_TABLE };

struct layout {
	int size, nodes;
	enum layout_kind kind;
	int per_node; /* block, cyclic: processes per node; table: 0 */
	int *node_of; /* table: node of each rank; otherwise NULL, like the next two */
	int *first;   /* table: index of each node's first rank in `ranks`; nodes + 1 entries */
	int *ranks;   /* table: ranks of each node, ascending */
};

/* Ranks with equal `node_keys` share a node. Detects block and cyclic layouts; keeps a table only for
 * others. At least one process. */
bool layout_make(struct layout *layout, int size, const int *node_keys);

/* Without a table; `size` must be a multiple of `per_node`. */
void layout_make_block(struct layout *layout, int size, int per_node);
void layout_make_cyclic(struct layout *layout, int size, int per_node);

void layout_release(struct layout *layout);

int layout_node(const struct layout *layout, int rank);
int layout_node_size(const struct layout *layout, int node);
int layout_rank(const struct layout *layout, int node, int index);

/* Number of a process on its node: layout_rank(layout, layout_node(layout, rank), index) == rank. */
int layout_index(const struct layout *layout, int rank);

/* Block or cyclic: every process can compute it without a table. */
bool layout_is_regular(const struct layout *layout);

#endif
