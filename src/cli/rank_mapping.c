#include "cli/rank_mapping.h"

#include "base/memory.h"
#include "base/sort.h"
#include "topo/mapping/partition.h"

#include <stdlib.h>
#include <string.h>

/* Slots, one for each rank, sorted by their location */

/* Levels of groups, the outermost first. Slots of the same innermost group share the level `inner`. Costs are
 * relative to this level, because no two slots are nearer; swaps look for equal slots in such groups. */
struct slot_levels {
	int inner;
	uint32_t *order; /* the rank before, by slot */
	int32_t *groups; /* by level and slot */
	const int32_t *group_of[MACHINE_LEVELS_MAX];
	double costs[MACHINE_LEVELS_MAX];
	int common_level
		[MACHINE_LEVELS_MAX]; /* of the machine: the lowest level that two groups of a level share */
	struct slot_tree tree;
};

static uint32_t group_key(const struct machine *machine, struct core core, int common_level)
{
	const struct node_shape *shape = machine_shape(machine, core.node);

	if (common_level >= LEVEL_SWITCH) {
		uint32_t tier = (uint32_t)(common_level - LEVEL_SWITCH) + 1;
		uint32_t part = machine->nodes[core.node];

		/* The highest part around the node that is below this tier. */
		while (part && machine->parts[machine->parts[part].parent].tier < tier)
			part = machine->parts[part].parent;
		return part;
	}
	if (common_level == LEVEL_NODE)
		return shape->socket_of[core.core];
	if (common_level == LEVEL_SOCKET && shape->cache_name)
		return shape->cache_of[core.core];
	return core.core;
}

static void fill_level(struct slot_levels *slots, const struct rank_mapping *mapping, int level)
{
	uint32_t count = mapping->before.count, last = 0;
	int32_t *groups = slots->groups + (size_t)level * count, number = 0;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t key = group_key(mapping->machine, mapping->before.cores[slots->order[i]],
		                         slots->common_level[level]);
		/* Slots in different outer groups are always in different groups. */
		if (i && (key != last ||
		          (level && slots->group_of[level - 1][i] != slots->group_of[level - 1][i - 1])))
			number++;
		groups[i] = number;
		last = key;
	}
	slots->group_of[level] = groups;
}

static int inner_level(const struct rank_mapping *mapping)
{
	if (mapping->before.is_crowded)
		return LEVEL_CORE;
	for (uint32_t i = 0; i < mapping->machine->shape_count; i++)
		if (mapping->machine->shapes[i].cache_name)
			return LEVEL_CACHE;
	return LEVEL_SOCKET;
}

static void slot_levels_init(struct slot_levels *slots, const struct rank_mapping *mapping)
{
	uint32_t count = mapping->before.count;
	int top = machine_top_level(mapping->machine), inner = inner_level(mapping), levels = top - inner;

	*slots = (struct slot_levels){
		.inner = inner,
		.order = placement_order(&mapping->before),
		.groups = memory_new((size_t)levels * count + 1, sizeof *slots->groups),
	};
	for (int i = 0; i < levels; i++) {
		slots->common_level[i] = top - i;
		slots->costs[i] = level_weight(top - i) - level_weight(inner);
		fill_level(slots, mapping, i);
	}
	slots->tree = (struct slot_tree){.slots = (int32_t)count,
	                                 .levels = levels,
	                                 .group_of = slots->group_of,
	                                 .costs = slots->costs};
}

/* The graph as rows of neighbours */

/* The mean number of edges per rank that a placement considers. */
enum { EDGES_OF_RANK_MAX = 32 };

static int by_weight(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a < b) - (a > b);
}

/* If nearly all pairs of ranks exchange data, the bytes that all pairs have in common do not affect the
 * placement but cost time. So only the excess counts. */
static double background_of(const struct traffic_graph *traffic)
{
	size_t most = (size_t)traffic->ranks * EDGES_OF_RANK_MAX;
	double *weights, background;

	if (traffic->edge_count <= most)
		return 0;
	weights = memory_new(traffic->edge_count, sizeof *weights);
	for (size_t i = 0; i < traffic->edge_count; i++)
		weights[i] = traffic->edges[i].bytes;
	qsort(weights, traffic->edge_count, sizeof *weights, by_weight);
	background = weights[most];
	free(weights);
	return background;
}

struct rank_graph {
	struct weighted_graph graph;
	int64_t *offsets;
	int32_t *targets;
	double *weights;
};

/* Edges with more bytes than `background`, with the bytes above it. */
static void rank_graph_init(struct rank_graph *rows, const struct traffic_graph *traffic, double background)
{
	uint32_t count = traffic->ranks;
	int64_t *next = memory_new(count + (size_t)1, sizeof *next);

	rows->offsets = memory_new(count + (size_t)1, sizeof *rows->offsets);
	for (size_t i = 0; i < traffic->edge_count; i++) {
		bool is_kept = traffic->edges[i].bytes > background;
		rows->offsets[traffic->edges[i].a + 1] += is_kept;
		rows->offsets[traffic->edges[i].b + 1] += is_kept;
	}
	for (uint32_t i = 0; i < count; i++)
		rows->offsets[i + 1] += rows->offsets[i];
	rows->targets = memory_new((size_t)rows->offsets[count] + 1, sizeof *rows->targets);
	rows->weights = memory_new((size_t)rows->offsets[count] + 1, sizeof *rows->weights);
	memcpy(next, rows->offsets, count * sizeof *next);
	for (size_t i = 0; i < traffic->edge_count; i++) {
		const struct traffic_edge *edge = &traffic->edges[i];
		int64_t here, there;
		if (!(edge->bytes > background))
			continue;
		here = next[edge->a]++;
		there = next[edge->b]++;
		rows->targets[here] = (int32_t)edge->b;
		rows->targets[there] = (int32_t)edge->a;
		rows->weights[here] = rows->weights[there] = edge->bytes - background;
	}
	free(next);
	rows->graph = (struct weighted_graph){(int32_t)count, rows->offsets, rows->targets, rows->weights};
}

static void rank_graph_release(struct rank_graph *rows)
{
	free(rows->offsets);
	free(rows->targets);
	free(rows->weights);
}

/* Effects of a placement */

static double pairs_of(double count)
{
	return count * (count - 1) / 2;
}

/* Adds the traffic common to all pairs: at each level in proportion to the pairs that meet there. */
static void add_everywhere(struct mapping_sums *sums, const struct slot_levels *slots,
                           struct traffic_amount everywhere)
{
	double all = pairs_of(slots->tree.slots), left = all;

	if (all <= 0)
		return;
	for (int level = 0; level <= slots->tree.levels; level++) {
		double within = 0, run = 0;
		int joined_at = level < slots->tree.levels ? slots->common_level[level] : slots->inner;
		for (int32_t i = 0; i < slots->tree.slots && level < slots->tree.levels; i++) {
			bool is_new = i && slots->group_of[level][i] != slots->group_of[level][i - 1];
			within += is_new ? pairs_of(run) : 0;
			run = is_new ? 1 : run + 1;
		}
		within += pairs_of(run);
		sums->levels[joined_at].bytes += everywhere.bytes * (left - within) / all;
		sums->levels[joined_at].messages += everywhere.messages * (left - within) / all;
		left = within;
	}
}

static double cost_of(const struct machine *machine, int level, double bytes, double messages)
{
	const struct level_cost *cost = &machine->costs[level];

	return cost->is_known ? messages * cost->latency_s + bytes / cost->bytes_per_s : 0;
}

static void sum_up(const struct rank_mapping *mapping, const struct slot_levels *slots,
                   const struct placement *placement, struct mapping_sums *sums)
{
	const struct traffic_graph *traffic = mapping->traffic;
	double *seconds = memory_new(placement->count + (size_t)1, sizeof *seconds), everywhere_s = 0;

	*sums = (struct mapping_sums){0};
	add_everywhere(sums, slots, traffic->everywhere);
	for (int i = 0; i < MACHINE_LEVELS_MAX; i++)
		everywhere_s += cost_of(mapping->machine, i, sums->levels[i].bytes, sums->levels[i].messages);
	for (size_t i = 0; i < traffic->edge_count; i++) {
		const struct traffic_edge *edge = &traffic->edges[i];
		int level = machine_level(mapping->machine, placement->cores[edge->a],
		                          placement->cores[edge->b]);
		double time = cost_of(mapping->machine, level, edge->bytes, edge->messages);
		sums->levels[level].bytes += edge->bytes;
		sums->levels[level].messages += edge->messages;
		seconds[edge->a] += time;
		seconds[edge->b] += time;
	}
	for (int i = 0; i < MACHINE_LEVELS_MAX; i++) {
		sums->bytes += sums->levels[i].bytes;
		sums->between_nodes_bytes += i >= LEVEL_SWITCH ? sums->levels[i].bytes : 0;
		sums->distance += sums->levels[i].bytes * level_weight(i);
	}
	for (uint32_t i = 0; i < placement->count; i++) {
		/* Each message has two ends. */
		double time = seconds[i] + 2 * everywhere_s / placement->count;

		sums->busiest_s = time > sums->busiest_s ? time : sums->busiest_s;
		sums->mean_s += time / placement->count;
	}
	free(seconds);
}

/* Placing */

/* Takes the other placement if it is better by more than rounding. */
static bool take_better(const struct weighted_graph *graph, const struct slot_tree *tree,
                        const int32_t *other, int32_t *slot_of)
{
	bool is_better = placement_cost(graph, tree, other) <
	                 placement_cost(graph, tree, slot_of) * (1 - 1e-9);

	if (is_better)
		memcpy(slot_of, other, (size_t)graph->vertices * sizeof *slot_of);
	return is_better;
}

/* Improves the given placement, and tries a new one. `heavy` has the edges that the search uses, `graph` those that decide. */
static enum status find_slots(const struct weighted_graph *graph, const struct weighted_graph *heavy,
                              const struct slot_tree *tree, int32_t *slot_of, bool *is_better)
{
	int32_t *other = memory_new((size_t)graph->vertices + 1, sizeof *other);
	bool has_memory;

	memcpy(other, slot_of, (size_t)graph->vertices * sizeof *other);
	has_memory = placement_refine(heavy, tree, other);
	*is_better = has_memory && take_better(graph, tree, other, slot_of);
	has_memory = has_memory && placement_make(heavy, tree, other);
	*is_better |= has_memory && take_better(graph, tree, other, slot_of);
	free(other);
	return has_memory ? OK : fail("not enough memory to place %d ranks", graph->vertices);
}

/* Whether two slots have the same distance to all others: cores of one cache, or of one socket without shared caches. */
static bool are_equal_slots(const struct slot_levels *slots, const struct rank_mapping *mapping, uint32_t a,
                            uint32_t b)
{
	uint32_t node = mapping->before.cores[slots->order[a]].node;
	int shared = machine_shape(mapping->machine, node)->cache_name ? LEVEL_SOCKET : LEVEL_NODE;
	int level = slots->common_level[0] - shared;

	return slots->group_of[level][a] == slots->group_of[level][b];
}

/* Sorts ranks on equal cores: this is easier to read, and costs nothing. */
static void tidy_slots(const struct slot_levels *slots, const struct rank_mapping *mapping, int32_t *slot_of)
{
	uint32_t count = mapping->before.count;
	uint32_t *rank_at = memory_new(count + (size_t)1, sizeof *rank_at);

	for (uint32_t i = 0; i < count; i++)
		rank_at[slot_of[i]] = i;
	for (uint32_t i = 0, next; i < count; i = next) {
		for (next = i + 1; next < count && are_equal_slots(slots, mapping, i, next);)
			next++;
		sort_u32(rank_at + i, next - i);
	}
	for (uint32_t i = 0; i < count; i++)
		slot_of[rank_at[i]] = (int32_t)i;
	free(rank_at);
}

static void take_slots(struct rank_mapping *mapping, const struct slot_levels *slots, const int32_t *slot_of)
{
	uint32_t count = mapping->before.count;

	mapping->after = (struct placement){.cores = memory_new(count + (size_t)1, sizeof(struct core)),
	                                    .count = count,
	                                    .is_crowded = mapping->before.is_crowded};
	for (uint32_t i = 0; i < count; i++) {
		struct core old = mapping->before.cores[i];
		struct core new = mapping->before.cores[slots->order[slot_of[i]]];
		mapping->after.cores[i] = new;
		mapping->moved += old.node != new.node || old.core != new.core;
	}
}

enum status rank_mapping_make(struct rank_mapping *mapping)
{
	uint32_t count = mapping->before.count;
	int32_t *slot_of = memory_new(count + (size_t)1, sizeof *slot_of);
	struct slot_levels slots;
	struct rank_graph rows, heavy;
	enum status status;
	bool is_better;

	slot_levels_init(&slots, mapping);
	rank_graph_init(&rows, mapping->traffic, 0);
	rank_graph_init(&heavy, mapping->traffic, background_of(mapping->traffic));
	for (uint32_t i = 0; i < count; i++)
		slot_of[slots.order[i]] = (int32_t)i;
	status = find_slots(&rows.graph, &heavy.graph, &slots.tree, slot_of, &is_better);
	if (status == OK && is_better && !mapping->before.is_crowded)
		tidy_slots(&slots, mapping, slot_of);
	if (status == OK) {
		take_slots(mapping, &slots, slot_of);
		sum_up(mapping, &slots, &mapping->before, &mapping->sums_before);
		sum_up(mapping, &slots, &mapping->after, &mapping->sums_after);
	}
	rank_graph_release(&rows);
	rank_graph_release(&heavy);
	free(slots.order);
	free(slots.groups);
	free(slot_of);
	return status;
}

void rank_mapping_release(struct rank_mapping *mapping)
{
	placement_release(&mapping->before);
	placement_release(&mapping->after);
}

struct traffic_graph *read_traffic(struct analysis_session *session, const struct job_ranks *ranks)
{
	struct figures *figures = figures_new(session);
	struct data_flow *flow = data_flow_new(session->reader, figures);
	struct traffic_graph *graph = traffic_graph_new(session->reader, figures, flow, ranks->processes,
	                                                ranks->count);

	data_flow_free(flow);
	figures_free(figures);
	return graph;
}
