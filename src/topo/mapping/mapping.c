#include "topo/mapping/mapping.h"

#include <stdlib.h>

/* How many places below `size` are `residue` modulo `modulus`. */
static int count_of(int size, int residue, int64_t modulus)
{
	return residue < size ? (int)((size - residue - 1) / modulus) + 1 : 0;
}

/* The place at a position in ascending order of reversed bits, `size` of any value: each bit halves what is left. */
static int place_at(int size, int position)
{
	int place = 0;

	for (int64_t bit = 1; count_of(size, place, bit) > 1; bit *= 2) {
		int even = count_of(size, place, 2 * bit);

		if (position >= even) {
			position -= even;
			place += (int)bit;
		}
	}
	return place;
}

static int position_of(int size, int place)
{
	int position = 0, residue = 0;

	for (int64_t bit = 1; residue != place; bit *= 2)
		if (place & bit) {
			position += count_of(size, residue, 2 * bit);
			residue += (int)bit;
		}
	return position;
}

static bool is_power_of_two(int number)
{
	return (number & (number - 1)) == 0;
}

bool mapping_make(struct mapping *mapping, const struct layout *layout, enum mapping_graph graph)
{
	bool cyclic = layout_is_regular(layout) && is_power_of_two(layout->nodes);

	*mapping = (struct mapping){
		.layout = *layout,
		.graph = graph,
		.order = cyclic ? ORDER_CYCLIC : ORDER_REVERSED,
	};
	return true;
}

void mapping_release(struct mapping *mapping)
{
	free(mapping->place_of);
	free(mapping->rank_of);
	*mapping = (struct mapping){0};
}

/* Where the processes of a node begin, when nodes follow each other. */
static int node_begin(const struct layout *layout, int node)
{
	return layout->kind == LAYOUT_TABLE ? layout->first[node] : node * layout->per_node;
}

static int node_at(const struct layout *layout, int position)
{
	int low = 0, high = layout->nodes - 1;

	if (layout->kind != LAYOUT_TABLE)
		return position / layout->per_node;
	while (low < high) {
		int middle = low + (high - low + 1) / 2;

		if (layout->first[middle] <= position)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

int mapping_place(const struct mapping *mapping, int rank)
{
	const struct layout *layout = &mapping->layout;
	int node, index;

	if (mapping->order == ORDER_TABLE)
		return mapping->place_of[rank];
	node = layout_node(layout, rank);
	index = layout_index(layout, rank);
	if (mapping->order == ORDER_CYCLIC)
		return index * layout->nodes + node;
	return place_at(layout->size, node_begin(layout, node) + index);
}

int mapping_rank(const struct mapping *mapping, int place)
{
	const struct layout *layout = &mapping->layout;
	int position, node;

	if (mapping->order == ORDER_TABLE)
		return mapping->rank_of[place];
	if (mapping->order == ORDER_CYCLIC)
		return layout_rank(layout, place % layout->nodes, place / layout->nodes);
	position = position_of(layout->size, place);
	node = node_at(layout, position);
	return layout_rank(layout, node, position - node_begin(layout, node));
}
