#include "topo/mapping/layout.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Hash table from keys to nodes with open addressing; `nodes` is -1 in free slots. */
struct node_keys {
	size_t mask;
	int *keys, *nodes;
};

static size_t slot_of(const struct node_keys *table, int key)
{
	size_t slot = (size_t)(((uint64_t)(uint32_t)key * UINT64_C(0x9e3779b97f4a7c15)) >> 20) & table->mask;

	while (table->nodes[slot] >= 0 && table->keys[slot] != key)
		slot = (slot + 1) & table->mask;
	return slot;
}

/* Numbers nodes in order of first appearance. Returns their number, or 0 if out of memory. */
static int number_nodes(int size, const int *keys, int *node_of)
{
	struct node_keys table;
	size_t slots = 4;
	int nodes = 0;

	while (slots < 2 * (size_t)size)
		slots *= 2;
	table.mask = slots - 1;
	table.keys = malloc(slots * sizeof *table.keys);
	table.nodes = malloc(slots * sizeof *table.nodes);
	if (table.keys && table.nodes) {
		memset(table.nodes, -1, slots * sizeof *table.nodes);
		for (int rank = 0; rank < size; rank++) {
			size_t slot = slot_of(&table, keys[rank]);
			if (table.nodes[slot] < 0) {
				table.keys[slot] = keys[rank];
				table.nodes[slot] = nodes++;
			}
			node_of[rank] = table.nodes[slot];
		}
	}
	free(table.keys);
	free(table.nodes);
	return nodes;
}

static bool is_block(const int *node_of, int size, int per_node)
{
	for (int rank = 0; rank < size; rank++)
		if (node_of[rank] != rank / per_node)
			return false;
	return true;
}

static bool is_cyclic(const int *node_of, int size, int nodes)
{
	for (int rank = 0; rank < size; rank++)
		if (node_of[rank] != rank % nodes)
			return false;
	return true;
}

bool layout_make(struct layout *layout, int size, const int *node_keys)
{
	int *node_of = malloc((size_t)size * sizeof *node_of);
	int nodes = node_of ? number_nodes(size, node_keys, node_of) : 0;

	if (!nodes) {
		free(node_of);
		return false;
	}
	if (size % nodes == 0 && is_block(node_of, size, size / nodes))
		layout_make_block(layout, size, size / nodes);
	else if (size % nodes == 0 && is_cyclic(node_of, size, nodes))
		layout_make_cyclic(layout, size, size / nodes);
	else {
		/* Takes ownership of `node_of`. */
		int *first = calloc((size_t)nodes + 1, sizeof *first);
		int *ranks = malloc((size_t)size * sizeof *ranks);
		if (!first || !ranks) {
			free(first);
			free(ranks);
			free(node_of);
			return false;
		}
		for (int rank = 0; rank < size; rank++)
			first[node_of[rank]]++;
		for (int node = 0, begin = 0; node <= nodes; node++) {
			int count = first[node];
			first[node] = begin;
			begin += count;
		}
		/* Writing the ranks moves each node's start to its end; it is restored afterwards. */
		for (int rank = 0; rank < size; rank++)
			ranks[first[node_of[rank]]++] = rank;
		memmove(first + 1, first, (size_t)nodes * sizeof *first);
		first[0] = 0;
		*layout = (struct layout){.size = size,
		                          .nodes = nodes,
		                          .kind = LAYOUT_TABLE,
		                          .node_of = node_of,
		                          .first = first,
		                          .ranks = ranks};
		return true;
	}
	free(node_of);
	return true;
}

void layout_make_block(struct layout *layout, int size, int per_node)
{
	*layout = (struct layout){
		.size = size, .nodes = size / per_node, .kind = LAYOUT_BLOCK, .per_node = per_node};
}

void layout_make_cyclic(struct layout *layout, int size, int per_node)
{
	*layout = (struct layout){
		.size = size, .nodes = size / per_node, .kind = LAYOUT_CYCLIC, .per_node = per_node};
}

void layout_release(struct layout *layout)
{
	free(layout->node_of);
	free(layout->first);
	free(layout->ranks);
	*layout = (struct layout){0};
}

int layout_node(const struct layout *layout, int rank)
{
	switch (layout->kind) {
	case LAYOUT_BLOCK:
		return rank / layout->per_node;
	case LAYOUT_CYCLIC:
		return rank % layout->nodes;
	case LAYOUT_TABLE:
		break;
	}
	return layout->node_of[rank];
}

int layout_node_size(const struct layout *layout, int node)
{
	return layout->kind == LAYOUT_TABLE ? layout->first[node + 1] - layout->first[node]
	                                    : layout->per_node;
}

int layout_rank(const struct layout *layout, int node, int index)
{
	switch (layout->kind) {
	case LAYOUT_BLOCK:
		return node * layout->per_node + index;
	case LAYOUT_CYCLIC:
		return index * layout->nodes + node;
	case LAYOUT_TABLE:
		break;
	}
	return layout->ranks[layout->first[node] + index];
}

int layout_index(const struct layout *layout, int rank)
{
	switch (layout->kind) {
	case LAYOUT_BLOCK:
		return rank % layout->per_node;
	case LAYOUT_CYCLIC:
		return rank / layout->nodes;
	case LAYOUT_TABLE:
		break;
	}
	const int *ranks = layout->ranks + layout->first[layout->node_of[rank]];
	int low = 0, high = layout_node_size(layout, layout->node_of[rank]) - 1;
	while (low < high) {
		int middle = low + (high - low) / 2;
		if (ranks[middle] < rank)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool layout_is_regular(const struct layout *layout)
{
	return layout->kind != LAYOUT_TABLE;
}
