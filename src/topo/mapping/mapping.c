#include "topo/mapping/mapping.h"

#include "topo/mapping/places.h"

#include <stdlib.h>

/* Tables of classes have at most so many places. */
enum { MOST_OF_CLASS = 2048 };

/* The place at a position in ascending order of reversed bits, `size` of any value: each bit halves what is left. */
static int reversed_place(int size, int position)
{
	int place = 0;

	for (int64_t bit = 1; places_of_class(size, place, bit) > 1; bit *= 2) {
		int even = places_of_class(size, place, 2 * bit);

		if (position >= even) {
			position -= even;
			place += (int)bit;
		}
	}
	return place;
}

static int reversed_position(int size, int place)
{
	int position = 0, residue = 0;

	for (int64_t bit = 1; residue != place; bit *= 2)
		if (place & bit) {
			position += places_of_class(size, residue, 2 * bit);
			residue += (int)bit;
		}
	return position;
}

/* Which place each process takes, from the node of each place: processes of a node in ascending order. */
static bool make_table(struct mapping *mapping, const int *node_of)
{
	const struct layout *layout = &mapping->layout;
	int *next = calloc((size_t)layout->nodes, sizeof *next);

	mapping->order = ORDER_TABLE;
	mapping->place_of = malloc((size_t)layout->size * sizeof *mapping->place_of);
	mapping->rank_of = malloc((size_t)layout->size * sizeof *mapping->rank_of);
	if (!next || !mapping->place_of || !mapping->rank_of) {
		free(next);
		return false;
	}
	for (int place = 0; place < layout->size; place++) {
		int rank = layout_rank(layout, node_of[place], next[node_of[place]]++);

		mapping->rank_of[place] = rank;
		mapping->place_of[rank] = place;
	}
	free(next);
	return true;
}

static bool make_irregular(struct mapping *mapping)
{
	const struct layout *layout = &mapping->layout;
	int *node_of = malloc(((size_t)layout->size + (size_t)layout->nodes) * sizeof *node_of);
	int *sizes = node_of + layout->size, stride;
	bool made;

	if (!node_of)
		return false;
	for (int node = 0; node < layout->nodes; node++)
		sizes[node] = layout_node_size(layout, node);
	made = divide_places(mapping->graph, layout->size, layout->nodes, sizes, node_of, &stride) &&
	       make_table(mapping, node_of);
	free(node_of);
	return made;
}

/* The order of a class from the node of each of its places. */
static bool make_class_table(struct mapping *mapping, int nodes, const int *node_of)
{
	int per_node = mapping->layout.per_node, size = mapping->class_size;
	int *next = calloc((size_t)nodes, sizeof *next);

	mapping->order = ORDER_CLASS_TABLE;
	mapping->class_places = malloc(2 * (size_t)size * sizeof *mapping->class_places);
	if (!next || !mapping->class_places) {
		free(next);
		return false;
	}
	mapping->class_positions = mapping->class_places + size;
	for (int place = 0; place < size; place++) {
		int position = node_of[place] * per_node + next[node_of[place]]++;

		mapping->class_places[position] = (uint16_t)place;
		mapping->class_positions[place] = (uint16_t)position;
	}
	free(next);
	return true;
}

/* A class that several nodes share: a table if that is better than a progression. */
static bool make_class(struct mapping *mapping)
{
	int size = mapping->class_size, nodes = size / mapping->layout.per_node, stride;
	int *node_of = malloc(((size_t)size + (size_t)nodes) * sizeof *node_of), *sizes = node_of + size;
	bool made;

	if (!node_of)
		return false;
	for (int node = 0; node < nodes; node++)
		sizes[node] = mapping->layout.per_node;
	made = divide_places(mapping->graph, size, nodes, sizes, node_of, &stride);
	if (made && stride)
		progression_make(&mapping->progression, size, stride);
	else if (made)
		made = make_class_table(mapping, nodes, node_of);
	free(node_of);
	return made;
}

static bool make_regular(struct mapping *mapping)
{
	const struct layout *layout = &mapping->layout;

	mapping->classes = layout->nodes & -layout->nodes;
	mapping->class_size = layout->size / mapping->classes;
	progression_make(&mapping->progression, mapping->class_size, 1);
	/* A node for each class, a power of two: the optimum for every size of node. */
	if (mapping->classes == layout->nodes)
		return true;
	if (mapping->class_size <= MOST_OF_CLASS)
		return make_class(mapping);
	if (mapping->graph == GRAPH_BRUCK)
		progression_make(&mapping->progression, mapping->class_size,
		                 best_stride(mapping->class_size, layout->per_node));
	else
		mapping->order = ORDER_REVERSED;
	return true;
}

bool mapping_make(struct mapping *mapping, const struct layout *layout, enum mapping_graph graph)
{
	*mapping = (struct mapping){.layout = *layout, .graph = graph};
	if (layout_is_regular(layout) ? make_regular(mapping) : make_irregular(mapping))
		return true;
	mapping_release(mapping);
	return false;
}

void mapping_release(struct mapping *mapping)
{
	free(mapping->class_places);
	free(mapping->place_of);
	free(mapping->rank_of);
	*mapping = (struct mapping){0};
}

static int place_in_class(const struct mapping *mapping, int position)
{
	switch (mapping->order) {
	case ORDER_PROGRESSION:
		return progression_place(&mapping->progression, position);
	case ORDER_REVERSED:
		return reversed_place(mapping->class_size, position);
	default:
		return mapping->class_places[position];
	}
}

static int position_in_class(const struct mapping *mapping, int place)
{
	switch (mapping->order) {
	case ORDER_PROGRESSION:
		return progression_position(&mapping->progression, place);
	case ORDER_REVERSED:
		return reversed_position(mapping->class_size, place);
	default:
		return mapping->class_positions[place];
	}
}

int mapping_place(const struct mapping *mapping, int rank)
{
	const struct layout *layout = &mapping->layout;
	int node, position;

	if (mapping->order == ORDER_TABLE)
		return mapping->place_of[rank];
	node = layout_node(layout, rank);
	position = node / mapping->classes * layout->per_node + layout_index(layout, rank);
	return place_in_class(mapping, position) * mapping->classes + node % mapping->classes;
}

int mapping_rank(const struct mapping *mapping, int place)
{
	const struct layout *layout = &mapping->layout;
	int position, node;

	if (mapping->order == ORDER_TABLE)
		return mapping->rank_of[place];
	position = position_in_class(mapping, place / mapping->classes);
	node = position / layout->per_node * mapping->classes + place % mapping->classes;
	return layout_rank(layout, node, position % layout->per_node);
}
