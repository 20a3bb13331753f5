/* Divides places among the groups of a tree with several levels. Two divisions are compared: from the outermost level inwards
 * (least traffic on the outermost links), and from the nodes inwards (least traffic between nodes). The cheaper one is kept. */
#include "topo/mapping/anneal.h"
#include "topo/mapping/owned_graph.h"
#include "topo/mapping/places.h"

#include <stdlib.h>
#include <string.h>

/* Attempts for a group below the first level, which is small. */
enum { INNER_TRIES = 8 };

struct tree_division {
	enum mapping_graph graph;
	const struct rank_tree *tree;
	const struct mapping_workers *workers;
	int size;
	struct owned_graph rows; /* of few places */
	bool has_rows;
	/* Of the current level: the places of each group, and its groups at the next level. */
	int *first_place, *places, *first_child, *children;
	int *numbers, *sizes, *part_of;
	int *memory;
};

static const struct layout *level_of(const struct tree_division *d, int level)
{
	return &d->tree->layouts[level];
}

static bool division_begin(struct tree_division *d)
{
	size_t n = (size_t)d->size;
	bool enough;

	d->memory = calloc(7 * (n + 2), sizeof *d->memory);
	if (d->memory) {
		d->first_place = d->memory;
		d->places = d->first_place + n + 2;
		d->first_child = d->places + n + 2;
		d->children = d->first_child + n + 2;
		d->numbers = d->children + n + 2;
		d->sizes = d->numbers + n + 2;
		d->part_of = d->sizes + n + 2;
	}
	enough = d->memory != NULL;
	if (enough && d->size <= PLACES_WITH_EDGES)
		enough = d->has_rows = owned_graph_of(&d->rows, d->graph, d->size);
	return workers_agree(d->workers, enough);
}

/* Divides the places of a group among its groups at the next level. */
static bool divide_group(struct tree_division *d, int level, int group, int *next_of)
{
	const int *places = d->places + d->first_place[group],
		  *children = d->children + d->first_child[group];
	int count = d->first_place[group + 1] - d->first_place[group];
	int parts = d->first_child[group + 1] - d->first_child[group];
	struct owned_graph inner;
	bool enough = true;

	for (int part = 0; part < parts; part++)
		d->sizes[part] = layout_node_size(level_of(d, level + 1), children[part]);
	for (int i = 0; i < count; i++)
		d->numbers[places[i]] = i;
	if (parts == 1 || !d->has_rows) {
		/* Without edges: consecutive places. In a class of residues, those with heavy edges are close to each other. */
		for (int part = 0, next = 0; part < parts; part++)
			for (int i = 0; i < d->sizes[part] && next < count; i++)
				d->part_of[next++] = part;
	} else {
		enough = owned_graph_induced(&inner, &d->rows.graph, places, count, d->numbers);
		if (enough) {
			enough = partition_graph_tries(&inner.graph, parts, d->sizes, INNER_TRIES,
			                               d->part_of);
			owned_graph_release(&inner);
		}
	}
	for (int i = 0; enough && i < count; i++)
		next_of[places[i]] = children[d->part_of[i]];
	return enough;
}

/* From a level inwards; outer levels follow from it. */
static bool divide_from(struct tree_division *d, int level, int *leaf_of, int *next_of)
{
	struct rank_tree one = rank_tree_of_nodes(level_of(d, level));
	struct mapping mapping;

	if (!mapping_make_tree(&mapping, &one, d->graph, d->workers))
		return false;
	for (int place = 0; place < d->size; place++)
		leaf_of[place] = layout_node(level_of(d, level), mapping_rank(&mapping, place));
	mapping_release(&mapping);
	for (; level + 1 < d->tree->levels; level++) {
		/* From groups of one level to groups of the next. Workers take groups in turn. */
		int groups = level_of(d, level)->nodes, children = level_of(d, level + 1)->nodes;
		bool enough = true;
		for (int child = 0; child < children; child++)
			d->numbers[child] = layout_node(level_of(d, level),
			                                layout_rank(level_of(d, level + 1), child, 0));
		partition_members(children, groups, d->numbers, d->first_child, d->children);
		partition_members(d->size, groups, leaf_of, d->first_place, d->places);
		memset(next_of, -1, (size_t)d->size * sizeof *next_of);
		for (int group = d->workers->me; enough && group < groups; group += d->workers->count)
			enough = divide_group(d, level, group, next_of);
		if (!workers_agree(d->workers, enough) || !workers_merge(d->workers, next_of, d->size))
			return false;
		memcpy(leaf_of, next_of, (size_t)d->size * sizeof *leaf_of);
	}
	return true;
}

/* Cost of a unit between two innermost groups. */
static double cost_between(const struct rank_tree *tree, int a, int b)
{
	const struct layout *innermost = &tree->layouts[tree->levels - 1];
	int rank = layout_rank(innermost, a, 0), other = layout_rank(innermost, b, 0);

	for (int level = 0; level < tree->levels; level++)
		if (layout_node(&tree->layouts[level], rank) != layout_node(&tree->layouts[level], other))
			return tree->costs[level];
	return 0;
}

static double tree_cost(enum mapping_graph graph, const struct rank_tree *tree, const int *leaf_of)
{
	int size = tree->layouts[0].size;
	double cost = 0;

	for (int64_t distance = 1; distance < size; distance *= 2) {
		double crossing = 0;
		for (int place = 0; place < size; place++) {
			int peer = graph_peer(graph, size, place, (int)distance);
			if (peer >= 0 && leaf_of[peer] != leaf_of[place])
				crossing += cost_between(tree, leaf_of[place], leaf_of[peer]);
		}
		cost += crossing * graph_units(graph, size, (int)distance);
	}
	return cost;
}

/* Both directions; `leaf_of` gets the cheaper result. */
static bool divide_both_ways(struct tree_division *d, int *leaf_of, int *other_of, int *next_of)
{
	if (!divide_from(d, d->tree->node_level, leaf_of, next_of))
		return false;
	if (d->tree->node_level == 0)
		return true;
	if (!divide_from(d, 0, other_of, next_of))
		return false;
	if (tree_cost(d->graph, d->tree, other_of) < tree_cost(d->graph, d->tree, leaf_of))
		memcpy(leaf_of, other_of, (size_t)d->size * sizeof *leaf_of);
	return true;
}

bool divide_tree(enum mapping_graph graph, const struct rank_tree *tree,
                 const struct mapping_workers *workers, int *leaf_of)
{
	struct tree_division d = {
		.graph = graph, .tree = tree, .workers = workers, .size = tree->layouts[0].size};
	int *other_of = malloc(2 * (size_t)d.size * sizeof *other_of);
	bool enough = workers_agree(workers, other_of != NULL) && division_begin(&d) &&
	              divide_both_ways(&d, leaf_of, other_of, other_of + d.size);

	if (d.has_rows)
		owned_graph_release(&d.rows);
	free(d.memory);
	free(other_of);
	return enough;
}
