#include "topo/mapping/mapping.h"

#include "topo/mapping/places.h"

#include <stdlib.h>

/* Tables of classes have at most so many places; from CLASS_OF_ORDERS places on, one is only made if it is better than an order that needs none.
   Without a table, about so many places are looked at. */
enum { MOST_OF_CLASS = 8192, CLASS_OF_ORDERS = 4096, SAMPLED = 4096 };

/* The place at a position in ascending order of reversed bits, `size` of any value: each bit halves what is left. */
static int reversed_place(int size, int position)
{
	int place = 0;

	for (int level = 0; places_of_class(size, place, level) > 1; level++) {
		int even = places_of_class(size, place, level + 1);

		if (position >= even) {
			position -= even;
			place += 1 << level;
		}
	}
	return place;
}

static int reversed_position(int size, int place)
{
	int position = 0, residue = 0;

	for (int level = 0; residue != place; level++)
		if (place >> level & 1) {
			position += places_of_class(size, residue, level + 1);
			residue += 1 << level;
		}
	return position;
}

/* Order of a class by reversed bits. It is divided into columns, the places that are equal modulo their number, so that as many whole nodes
   as possible are inside a column each; what is left of columns comes at the end. */
static int aligned_place(const struct mapping *mapping, int position)
{
	int column_size = mapping->class_size / mapping->columns, per_node = mapping->layout.per_node;
	int whole = column_size / per_node * per_node, column, within;

	if (position < whole * mapping->columns) {
		column = position / whole;
		within = position % whole;
	} else {
		position -= whole * mapping->columns;
		column = position / (column_size - whole);
		within = whole + position % (column_size - whole);
	}
	return reversed_place(column_size, within) * mapping->columns +
	       reversed_place(mapping->columns, column);
}

static int aligned_position(const struct mapping *mapping, int place)
{
	int column_size = mapping->class_size / mapping->columns, per_node = mapping->layout.per_node;
	int whole = column_size / per_node * per_node;
	int column = reversed_position(mapping->columns, place % mapping->columns);
	int within = reversed_position(column_size, place / mapping->columns);

	if (within < whole)
		return column * whole + within;
	return whole * mapping->columns + column * (column_size - whole) + within - whole;
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
	int *node_of = calloc((size_t)layout->size + (size_t)layout->nodes, sizeof *node_of);
	int *sizes = node_of + layout->size;
	struct progression progression;
	bool made;

	if (!node_of)
		return false;
	for (int node = 0; node < layout->nodes; node++)
		sizes[node] = layout_node_size(layout, node);
	made = divide_places(mapping->graph, layout->size, layout->nodes, sizes, node_of, &progression) &&
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
	int size = mapping->class_size, nodes = size / mapping->layout.per_node;
	int *node_of = calloc((size_t)size + (size_t)nodes, sizeof *node_of), *sizes = node_of + size;
	struct progression progression;
	bool made;

	if (!node_of)
		return false;
	for (int node = 0; node < nodes; node++)
		sizes[node] = mapping->layout.per_node;
	made = divide_places(mapping->graph, size, nodes, sizes, node_of, &progression);
	if (made && progression.stride)
		mapping->progression = progression;
	else if (made)
		made = make_class_table(mapping, nodes, node_of);
	free(node_of);
	return made;
}

static int place_in_class(const struct mapping *mapping, int position)
{
	switch (mapping->order) {
	case ORDER_PROGRESSION:
		return progression_place(&mapping->progression, position);
	case ORDER_REVERSED:
		return aligned_place(mapping, position);
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
		return aligned_position(mapping, place);
	default:
		return mapping->class_positions[place];
	}
}

/* What is cut of the edges at some places of a class. */
static int64_t sampled_cut(const struct mapping *mapping)
{
	int size = mapping->class_size, per_node = mapping->layout.per_node,
	    step = size > SAMPLED ? size / SAMPLED | 1 : 1;
	int64_t cut = 0;

	for (int place = 0; place < size; place += step) {
		int node = position_in_class(mapping, place) / per_node;

		for (int64_t distance = 1; distance < size; distance *= 2) {
			int peer = graph_peer(mapping->graph, size, place, (int)distance);

			if (peer >= 0 && position_in_class(mapping, peer) / per_node != node)
				cut += graph_units(mapping->graph, size, (int)distance);
		}
	}
	return cut;
}

/* The number of columns with which the least is cut. Returns what it is. */
static int64_t choose_columns(struct mapping *mapping)
{
	int64_t least = INT64_MAX;
	int best = 1;

	mapping->order = ORDER_REVERSED;
	for (int columns = 1;
	     mapping->class_size % columns == 0 && mapping->class_size / columns >= mapping->layout.per_node;
	     columns *= 2) {
		int64_t cut;

		mapping->columns = columns;
		cut = sampled_cut(mapping);
		if (cut < least) {
			least = cut;
			best = columns;
		}
	}
	mapping->columns = best;
	return least;
}

/* A large class, without a table: in Bruck's graph, progressions suit many small nodes, reversed bits a few large ones. */
static void choose_order(struct mapping *mapping)
{
	int64_t cut = choose_columns(mapping);

	if (mapping->graph != GRAPH_BRUCK)
		return;
	mapping->order = ORDER_PROGRESSION;
	progression_choose(&mapping->progression, mapping->class_size, mapping->layout.per_node);
	if (cut < sampled_cut(mapping))
		mapping->order = ORDER_REVERSED;
}

/* A table, if less is cut with it than in the order that was chosen. */
static bool make_better_class(struct mapping *mapping)
{
	struct mapping chosen = *mapping;

	mapping->order = ORDER_PROGRESSION;
	if (!make_class(mapping))
		return false;
	if (sampled_cut(mapping) >= sampled_cut(&chosen)) {
		free(mapping->class_places);
		*mapping = chosen;
	}
	return true;
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
	if (mapping->class_size <= CLASS_OF_ORDERS)
		return make_class(mapping);
	choose_order(mapping);
	return mapping->class_size > MOST_OF_CLASS || make_better_class(mapping);
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
