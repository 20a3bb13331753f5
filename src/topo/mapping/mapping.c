#include "topo/mapping/mapping.h"

#include "topo/mapping/places.h"

#include <stdlib.h>

/* A class table has at most CLASS_PLACES_MAX places. From CLASS_OF_ORDERS places on it is kept only if it beats
 * the best order without a table. Without a table, about SAMPLED places are evaluated. */
enum { CLASS_PLACES_MAX = 8192, CLASS_OF_ORDERS = 4096, SAMPLED = 4096 };

/* The place at a position in bit-reversed order, for any `size`: each bit halves the remaining places. */
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

/* Bit-reversed order of a class. The class is divided into columns (places equal modulo their number), so
 * that as many nodes as possible are inside one column; the remainders of columns come last. */
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

/* Assigns a place to each process from the group of each place; processes of a group take ascending places. */
static bool make_table(struct mapping *mapping, const struct layout *layout, const int *node_of)
{
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

/* A tree of several levels. */
static bool make_levels(struct mapping *mapping, const struct rank_tree *tree,
                        const struct mapping_workers *workers)
{
	int *leaf_of = malloc((size_t)mapping->layout.size * sizeof *leaf_of);
	bool made = workers_agree(workers, leaf_of != NULL) &&
	            divide_tree(mapping->graph, tree, workers, leaf_of) &&
	            workers_agree(workers, make_table(mapping, &tree->layouts[tree->levels - 1], leaf_of));

	free(leaf_of);
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

/* Divides all places of an irregular layout, or the places of a class that several nodes share: a table if it beats a
 * progression. */
static bool make_divided(struct mapping *mapping, const struct mapping_workers *workers)
{
	const struct layout *layout = &mapping->layout;
	const bool is_class = layout_is_regular(layout);
	int size = is_class ? mapping->class_size : layout->size;
	int nodes = is_class ? size / layout->per_node : layout->nodes;
	int *node_of = calloc((size_t)size + (size_t)nodes, sizeof *node_of), *sizes = node_of + size;
	struct progression progression;
	bool made;

	if (!workers_agree(workers, node_of != NULL)) {
		free(node_of);
		return false;
	}
	for (int node = 0; node < nodes; node++)
		sizes[node] = layout_node_size(layout, node);
	made = divide_places(mapping->graph, size, nodes, sizes, workers, node_of, &progression);
	if (made && is_class && progression.stride)
		mapping->progression = progression;
	else if (made)
		made = workers_agree(workers, is_class ? make_class_table(mapping, nodes, node_of)
		                                       : make_table(mapping, layout, node_of));
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

/* The cut at a sample of places of a class. */
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

/* The number of columns with the smallest cut. Returns that cut. */
static int64_t choose_columns(struct mapping *mapping)
{
	int64_t lowest_cut = INT64_MAX;
	int best = 1;

	mapping->order = ORDER_REVERSED;
	for (int columns = 1;
	     mapping->class_size % columns == 0 && mapping->class_size / columns >= mapping->layout.per_node;
	     columns *= 2) {
		int64_t cut;

		mapping->columns = columns;
		cut = sampled_cut(mapping);
		if (cut < lowest_cut) {
			lowest_cut = cut;
			best = columns;
		}
	}
	mapping->columns = best;
	return lowest_cut;
}

/* Uses a table if it beats the chosen order. */
static bool make_better_class(struct mapping *mapping, const struct mapping_workers *workers)
{
	struct mapping chosen = *mapping;

	mapping->order = ORDER_PROGRESSION;
	if (!make_divided(mapping, workers))
		return false;
	if (sampled_cut(mapping) >= sampled_cut(&chosen)) {
		free(mapping->class_places);
		*mapping = chosen;
	}
	return true;
}

/* Sets what needs no division. Returns true if the mapping is complete. */
static bool make_regular(struct mapping *mapping)
{
	const struct layout *layout = &mapping->layout;

	mapping->classes = layout->nodes & -layout->nodes;
	mapping->class_size = layout->size / mapping->classes;
	progression_make(&mapping->progression, mapping->class_size, 1);
	/* One node per class, a power of two: optimal for every node size. */
	if (mapping->classes == layout->nodes)
		return true;
	if (mapping->class_size > CLASS_OF_ORDERS) {
		/* A large class without a table. In Bruck's graph, progressions suit many small nodes, bit-reversed order a few large ones. */
		int64_t cut = choose_columns(mapping);
		if (mapping->graph == GRAPH_BRUCK) {
			mapping->order = ORDER_PROGRESSION;
			progression_choose(&mapping->progression, mapping->class_size,
			                   mapping->layout.per_node);
			if (cut < sampled_cut(mapping))
				mapping->order = ORDER_REVERSED;
		}
	}
	return mapping->class_size > CLASS_PLACES_MAX;
}

static bool is_power_of_two(int number)
{
	return (number & (number - 1)) == 0;
}

static int digits_place(const struct mapping_digits *digits, int rank)
{
	int numbers[TREE_LEVELS_MAX + 1], place = 0;

	for (int i = digits->count - 1; i >= 0; i--) {
		numbers[i] = rank % digits->radix[i];
		rank /= digits->radix[i];
	}
	for (int i = digits->count - 1; i >= 0; i--)
		place = place * digits->radix[i] + numbers[i];
	return place;
}

static int digits_rank(const struct mapping_digits *digits, int place)
{
	int rank = 0;

	for (int i = 0; i < digits->count; i++) {
		rank = rank * digits->radix[i] + place % digits->radix[i];
		place /= digits->radix[i];
	}
	return rank;
}

struct rank_tree rank_tree_of_nodes(const struct layout *layout)
{
	return (struct rank_tree){.levels = 1, .layouts = {*layout}, .costs = {1}};
}

bool mapping_make_closed(struct mapping *mapping, const struct rank_tree *tree, enum mapping_graph graph)
{
	*mapping = (struct mapping){.layout = tree->layouts[tree->node_level], .graph = graph};
	if (tree->levels == 1)
		return layout_is_regular(&mapping->layout) && make_regular(mapping);
	mapping->order = ORDER_DIGITS;
	/* Whether the tree can be written as digits. */
	int outer = 1;
	for (int level = 0; level < tree->levels; level++) {
		const struct layout *layout = &tree->layouts[level];
		if (layout->kind != LAYOUT_BLOCK || layout->nodes % outer || !is_power_of_two(layout->nodes))
			return false;
		mapping->digits.radix[level] = layout->nodes / outer;
		outer = layout->nodes;
	}
	mapping->digits.count = tree->levels + 1;
	mapping->digits.radix[tree->levels] = tree->layouts[tree->levels - 1].per_node;
	return true;
}

bool mapping_make_tree(struct mapping *mapping, const struct rank_tree *tree, enum mapping_graph graph,
                       const struct mapping_workers *workers)
{
	bool made;

	if (mapping_make_closed(mapping, tree, graph))
		return true;
	if (tree->levels > 1)
		made = make_levels(mapping, tree, workers);
	else if (!layout_is_regular(&mapping->layout) || mapping->class_size <= CLASS_OF_ORDERS)
		made = make_divided(mapping, workers);
	else
		made = make_better_class(mapping, workers);
	if (!made)
		mapping_release(mapping);
	return made;
}

bool mapping_make(struct mapping *mapping, const struct layout *layout, enum mapping_graph graph)
{
	struct rank_tree tree = rank_tree_of_nodes(layout);

	return mapping_make_tree(mapping, &tree, graph, &mapping_alone);
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
	if (mapping->order == ORDER_DIGITS)
		return digits_place(&mapping->digits, rank);
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
	if (mapping->order == ORDER_DIGITS)
		return digits_rank(&mapping->digits, place);
	position = position_in_class(mapping, place / mapping->classes);
	node = position / layout->per_node * mapping->classes + place % mapping->classes;
	return layout_rank(layout, node, position % layout->per_node);
}
