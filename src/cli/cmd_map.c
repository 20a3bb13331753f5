#include "analysis/model/traffic_graph.h"
#include "base/json.h"
#include "base/memory.h"
#include "cli/command.h"
#include "cli/job_machine.h"
#include "cli/outputs.h"
#include "cli/terminal.h"
#include "cli/trace_files.h"
#include "topo/machine/drawing.h"
#include "topo/machine/launch_files.h"
#include "topo/machine/placement.h"
#include "topo/mapping/partition.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ranks placed by their traffic: on the cores that the job has, but in another order.
 *
 *	struct rank_mapping mapping = {.machine = machine, .traffic = graph, .before = placement};
 *	TRY(rank_mapping_make(&mapping));
 *	mapping.sums_before.between_nodes_bytes, mapping.sums_after.…
 *	mapping.after.cores[rank]
 *	rank_mapping_release(&mapping); */
/* What a placement means for the traffic. */
struct mapping_sums {
	struct traffic_amount levels[MACHINE_LEVELS_MAX]; /* by where the two ends meet */
	double bytes, between_nodes_bytes;
	double distance; /* bytes times weights of levels */
	/* By the costs of levels, if the machine has them: messages of a rank one after the other. */
	double busiest_s, mean_s;
};

struct rank_mapping {
	const struct machine *machine;
	const struct traffic_graph *traffic;
	struct placement before, after; /* owned */
	struct mapping_sums sums_before, sums_after;
	uint32_t moved; /* ranks that are on another core */
};

/* Slots: a place for each rank, by where they are */

/* Levels of groups, the outermost first. Slots of the same innermost group have `inner` in common. Costs are relative to that level: no two slots are
 * nearer, and swaps look for equal slots in such groups. */
struct slot_levels {
	int inner;
	uint32_t *order; /* the rank before, by slot */
	int32_t *groups; /* by level and slot */
	const int32_t *group_of[MACHINE_LEVELS_MAX];
	double costs[MACHINE_LEVELS_MAX];
	int common_level
		[MACHINE_LEVELS_MAX]; /* of the machine: the lowest that two groups of a level share */
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
		/* What differs further out is another group in any case. */
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

/* Of each rank, in the mean, that are looked at for a placement. */
enum { EDGES_OF_RANK_MOST = 32 };

static int by_weight(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a < b) - (a > b);
}

/* Where nearly all exchange something with all, what all pairs have moves nobody, and takes long: only what is above it counts. */
static double background_of(const struct traffic_graph *traffic)
{
	size_t most = (size_t)traffic->ranks * EDGES_OF_RANK_MOST;
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

/* Edges with more bytes than `background`, and what they have more. */
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

/* What a placement means */

static double pairs_of(double count)
{
	return count * (count - 1) / 2;
}

/* Traffic that all pairs share: as much at a level as pairs meet there. */
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

/* Takes what is better; no rank moves for what rounding may have done. */
static bool take_better(const struct weighted_graph *graph, const struct slot_tree *tree,
                        const int32_t *other, int32_t *slot_of)
{
	bool is_better = placement_cost(graph, tree, other) <
	                 placement_cost(graph, tree, slot_of) * (1 - 1e-9);

	if (is_better)
		memcpy(slot_of, other, (size_t)graph->vertices * sizeof *slot_of);
	return is_better;
}

/* From what is there, and from nothing; `heavy` is what is looked at, `graph` what counts. */
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
	return has_memory ? OK : fail("there is no memory to place %d ranks", graph->vertices);
}

static int by_number(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	return (a > b) - (a < b);
}

/* Whether two slots are as far from all others: cores of one cache, or of one socket without such. */
static bool are_equal_slots(const struct slot_levels *slots, const struct rank_mapping *mapping, uint32_t a,
                            uint32_t b)
{
	uint32_t node = mapping->before.cores[slots->order[a]].node;
	int shared = machine_shape(mapping->machine, node)->cache_name ? LEVEL_SOCKET : LEVEL_NODE;
	int level = slots->common_level[0] - shared;

	return slots->group_of[level][a] == slots->group_of[level][b];
}

/* Ranks on equal cores are there in their order: that is easier to read, and costs nothing. */
static void tidy_slots(const struct slot_levels *slots, const struct rank_mapping *mapping, int32_t *slot_of)
{
	uint32_t count = mapping->before.count;
	uint32_t *rank_at = memory_new(count + (size_t)1, sizeof *rank_at);

	for (uint32_t i = 0; i < count; i++)
		rank_at[slot_of[i]] = i;
	for (uint32_t i = 0, next; i < count; i = next) {
		for (next = i + 1; next < count && are_equal_slots(slots, mapping, i, next);)
			next++;
		qsort(rank_at + i, next - i, sizeof *rank_at, by_number);
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

static enum status rank_mapping_make(struct rank_mapping *mapping)
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

static struct {
	const char *machine, *before;
	const char *rankfile, *slurm, *hostfile, *split;
	int64_t per_node;
	bool json;
} choice = {.before = "trace"};

static const struct option_spec options[] = {
	{"machine", 'm', "MACHINE",
         "a file, or words such as \"switch:2 node:4 socket:2 core:8\" (default: the known machine)",
         OPTION_TEXT, &choice.machine},
	{"before", 0, "trace|block|cyclic",
         "placement to improve: that of the trace, or ranks that fill one node after the other (block) or take the "
         "nodes in turn (cyclic) (default: trace)",
         OPTION_CHOICE, &choice.before},
	{"ranks-per-node", 0, "COUNT", "at most this many on each node, with --before block or cyclic",
         OPTION_COUNT, &choice.per_node},
	{"rankfile", 0, "FILE", "write the placement for Open MPI's --rankfile", OPTION_TEXT,
         &choice.rankfile},
	{"slurm", 0, "FILE", "write it for Slurm: SLURM_HOSTFILE and --distribution=arbitrary", OPTION_TEXT,
         &choice.slurm},
	{"hostfile", 0, "FILE", "write it for MPICH's mpiexec -f", OPTION_TEXT, &choice.hostfile},
	{"split", 0, "FILE", "write the key of each rank for MPI_Comm_split, one per line", OPTION_TEXT,
         &choice.split},
	{"json", 0, NULL, "print JSON", OPTION_FLAG, &choice.json},
	OPTIONS_END,
};

/* Text */

static void add_change(struct text *out, double before, double after)
{
	double change = before > 0 ? (after - before) / before * 100 : 0;

	if (change > -0.5 && change < 0.5)
		text_add(out, "      same\n");
	else
		text_add(out, "   %+5.0f %%\n", change);
}

static void add_bytes_row(struct text *out, const char *name, const struct rank_mapping *mapping,
                          double before, double after, bool with_change)
{
	double all = mapping->sums_before.bytes;

	text_add(out, "  %-22s", name);
	for (int i = 0; i < 2; i++) {
		double bytes = i ? after : before;
		text_add(out, "%12s %3.0f %%", AS_SIZE((uint64_t)(bytes + 0.5)),
		         all > 0 ? bytes / all * 100 : 0);
	}
	if (with_change)
		add_change(out, before, after);
	else
		text_add(out, "\n");
}

static void add_prediction(struct text *out, const struct rank_mapping *mapping)
{
	if (!mapping->machine->has_costs) {
		text_add(
			out,
			"No time is predicted: latency and bandwidth of this machine are unknown. Measure them with 'tarry coll calibrate', or add lines LevelName= to the machine file.\n");
		return;
	}
	text_add(
		out,
		"Predicted by the costs in %s: the messages of the busiest rank take %s instead of %s, those of an average rank %s instead of %s.\n",
		mapping->machine->costs_source, AS_SECONDS(mapping->sums_after.busiest_s),
		AS_SECONDS(mapping->sums_before.busiest_s), AS_SECONDS(mapping->sums_after.mean_s),
		AS_SECONDS(mapping->sums_before.mean_s));
}

static void add_nodes(struct text *out, const struct rank_mapping *mapping)
{
	enum { NODES_SHOWN = 16 };
	uint32_t *order = placement_order(&mapping->after), shown = 0;

	for (uint32_t i = 0, next; i < mapping->after.count; i = next) {
		uint32_t node = mapping->after.cores[order[i]].node;
		for (next = i + 1;
		     next < mapping->after.count && mapping->after.cores[order[next]].node == node;)
			next++;
		if (shown++ >= NODES_SHOWN)
			continue;
		text_add(out, "  %s: ", machine_node(mapping->machine, node)->name);
		text_add_ranks(out, order + i, next - i);
		text_add(out, "\n");
	}
	if (shown > NODES_SHOWN)
		text_add(out, "  and %u nodes more\n", shown - NODES_SHOWN);
	free(order);
}

static void add_text(struct text *out, const struct rank_mapping *mapping, const char *trace)
{
	const struct mapping_sums *before, *after;
	const struct traffic_graph *traffic = mapping->traffic;

	text_add(out, "%s of '%s' on %s: %s in messages, %s in collective operations\n\n",
	         AS_COUNTED(mapping->before.count, "rank", "ranks"), trace, mapping->machine->source,
	         AS_SIZE((uint64_t)traffic->messages.bytes), AS_SIZE((uint64_t)traffic->collectives.bytes));
	if (traffic->left_out_bytes > 0)
		text_add(
			out,
			"Not counted: %s with processes outside of this job's MPI_COMM_WORLD, or between groups.\n\n",
			AS_SIZE((uint64_t)traffic->left_out_bytes));
	if (!(mapping->sums_before.bytes > 0)) {
		text_add(out, "No traffic between ranks: every placement is equally good.\n");
		return;
	}
	before = &mapping->sums_before;
	after = &mapping->sums_after;
	text_add(out, "  %-22s%18s%18s\n", "closest common level", "before     ", "after     ");
	for (int i = 0; i < MACHINE_LEVELS_MAX; i++)
		if (before->levels[i].bytes > 0 || after->levels[i].bytes > 0)
			add_bytes_row(out, level_name(i), mapping, before->levels[i].bytes,
			              after->levels[i].bytes, false);
	add_bytes_row(out, "between nodes", mapping, before->between_nodes_bytes, after->between_nodes_bytes,
	              true);
	text_add(out, "  %-22s%12.3g%18.3g      ", "bytes × distance", before->distance, after->distance);
	add_change(out, before->distance, after->distance);
	text_add(out, "\n");
	if (!mapping->moved) {
		text_add(out, "No better placement was found.\n");
		return;
	}
	add_prediction(out, mapping);
	text_add(out, "\nNew placement, in which %s:\n",
	         AS_COUNTED(mapping->moved, "rank moves", "ranks move"));
	add_nodes(out, mapping);
}

/* JSON */

static void add_sums_json(struct json *json, const char *key, const struct rank_mapping *mapping,
                          const struct mapping_sums *sums)
{
	json_open(json, key, '{');
	json_exact(json, "bytes_times_distance", sums->distance);
	json_exact(json, "between_nodes_bytes", sums->between_nodes_bytes);
	json_open(json, "levels", '[');
	for (int i = 0; i <= machine_top_level(mapping->machine); i++) {
		json_open(json, NULL, '{');
		json_text(json, "meet", level_name(i));
		json_exact(json, "weight", level_weight(i));
		json_exact(json, "bytes", sums->levels[i].bytes);
		json_exact(json, "messages", sums->levels[i].messages);
		json_close(json, '}');
	}
	json_close(json, ']');
	if (mapping->machine->has_costs) {
		json_exact(json, "busiest_rank_seconds", sums->busiest_s);
		json_exact(json, "mean_rank_seconds", sums->mean_s);
	}
	json_close(json, '}');
}

/* Files */

/* A host that comes again further down. */
static bool hosts_come_again(const struct placement *placement, uint32_t node_count)
{
	bool *is_seen = memory_new(node_count, sizeof *is_seen), again = false;

	for (uint32_t i = 0; i < placement->count; i++) {
		uint32_t node = placement->cores[i].node;
		again |= is_seen[node] && placement->cores[i - 1].node != node;
		is_seen[node] = true;
	}
	free(is_seen);
	return again;
}

static bool write_files(const struct rank_mapping *mapping)
{
	const struct {
		const char *path;
		void (*add)(struct text *out, const struct machine *machine,
		            const struct placement *placement);
	} files[] = {{choice.rankfile, text_add_rankfile},
	             {choice.slurm, text_add_slurm_hosts},
	             {choice.hostfile, text_add_mpich_hosts}};
	struct text out = {0};
	bool written = true;

	for (size_t i = 0; i < sizeof files / sizeof *files && written; i++) {
		if (!files[i].path)
			continue;
		text_clear(&out);
		files[i].add(&out, mapping->machine, &mapping->after);
		written = write_output(files[i].path, &out);
	}
	if (written && choice.split) {
		text_clear(&out);
		text_add_split_keys(&out, &mapping->before, &mapping->after);
		written = write_output(choice.split, &out);
	}
	text_release(&out);
	if (written && choice.hostfile && hosts_come_again(&mapping->after, mapping->machine->node_count))
		say("MPICH treats a host that is repeated in '%s' as another node without shared memory: with MPICH, use --split",
		    choice.hostfile);
	return written;
}

static bool show(const struct rank_mapping *mapping, const char *trace)
{
	const char *const files[] = {choice.rankfile, choice.slurm, choice.hostfile, choice.split};
	struct text out = {0};

	if (!write_files(mapping))
		return false;
	if (any_is_stdout(files, sizeof files / sizeof *files))
		return true;
	if (choice.json) {
		struct json json = {.out = &out};
		uint32_t *keys;

		json_open(&json, NULL, '{');
		json_text(&json, "trace", trace);
		json_text(&json, "machine", mapping->machine->source);
		json_number(&json, "ranks", mapping->before.count);
		json_number(&json, "moved", mapping->moved);
		json_exact(&json, "message_bytes", mapping->traffic->messages.bytes);
		json_exact(&json, "collective_bytes", mapping->traffic->collectives.bytes);
		json_exact(&json, "left_out_bytes", mapping->traffic->left_out_bytes);
		add_sums_json(&json, "before", mapping, &mapping->sums_before);
		add_sums_json(&json, "after", mapping, &mapping->sums_after);
		keys = split_keys(&mapping->before, &mapping->after);
		json_open(&json, "placement", '[');
		for (uint32_t i = 0; i < mapping->after.count; i++) {
			json_open(&json, NULL, '{');
			json_number(&json, "rank", i);
			json_text(&json, "node",
			          machine_node(mapping->machine, mapping->after.cores[i].node)->name);
			json_number(&json, "core", mapping->after.cores[i].core);
			json_number(&json, "split_key", keys[i]);
			json_close(&json, '}');
		}
		json_close(&json, ']');
		free(keys);
		json_close(&json, '}');
	} else {
		add_text(&out, mapping, trace);
		text_strip_controls(&out);
		if (!speaks_utf8())
			fold_to_ascii(&out);
	}
	fputs(text_get(&out), stdout);
	text_release(&out);
	return true;
}

/* Reading */

static struct traffic_graph *read_traffic(struct reader *reader, const struct job_ranks *ranks)
{
	struct analysis_session *session = session_new(reader);
	struct figures *figures;
	struct data_flow *flow;
	struct traffic_graph *graph;

	progress_begin("reading");
	session->progress = progress_show;
	session_correct_time(session);
	figures = figures_new(session);
	progress_end();
	flow = data_flow_new(reader, figures);
	graph = traffic_graph_new(reader, figures, flow, ranks->processes, ranks->count);
	data_flow_free(flow);
	figures_free(figures);
	session_free(session);
	return graph;
}

static enum status place_before(const struct machine *machine, const struct job_ranks *ranks,
                                struct placement *placement)
{
	struct text why = {0};
	enum status status;

	if (strcmp(choice.before, "trace") != 0)
		return placement_fill(placement, machine, ranks->count,
		                      strcmp(choice.before, "cyclic") == 0 ? PLACE_CYCLIC : PLACE_BLOCK,
		                      (uint64_t)choice.per_node);
	if (placement_of_job(placement, machine, ranks->at, ranks->count) == OK)
		return OK;
	text_add(&why, "%s", trail_text());
	status = fail("%s; to plan for a machine that the job did not run on, use --before block",
	              text_get(&why));
	text_release(&why);
	return status;
}

static int map_job(struct reader *reader, const struct job_ranks *ranks)
{
	struct rank_mapping mapping = {0};
	struct traffic_graph *traffic;
	struct machine *machine;
	enum status status;
	bool is_shown = false;

	if (job_machine_open(choice.machine, ranks, &machine) != OK)
		return report_failure();
	if (place_before(machine, ranks, &mapping.before) != OK) {
		machine_free(machine);
		return report_failure();
	}
	say_placement_doubts(machine, &mapping.before);
	/* What was measured here says nothing of a machine that is made up. */
	if (!machine->is_synthetic && machine_add_measured_costs(machine) != OK)
		say("%s", trail_text());
	mapping.machine = machine;
	mapping.traffic = traffic = read_traffic(reader, ranks);
	status = rank_mapping_make(&mapping);
	if (status == OK)
		is_shown = show(&mapping, reader->path);
	else
		report_failure();
	placement_release(&mapping.before);
	placement_release(&mapping.after);
	traffic_graph_free(traffic);
	machine_free(machine);
	return is_shown ? EXIT_FINE : EXIT_FAILED;
}

static enum status check_choice(void)
{
	return choice.per_node && strcmp(choice.before, "trace") == 0
	               ? fail("--ranks-per-node is for --before block or cyclic")
	               : OK;
}

static int run_map(const struct invocation *given)
{
	struct job_ranks ranks;
	struct reader *reader;
	int code;

	if (!open_trace(given->argv[0], &reader))
		return EXIT_FAILED;
	code = job_ranks_read(reader, &ranks) == OK ? map_job(reader, &ranks) : report_failure();
	say_damage(reader);
	job_ranks_release(&ranks);
	reader_close(reader);
	return code;
}

const struct command command_map = {
	.name = "map",
	.summary = "place the ranks of a job by the traffic in its trace",
	.usage = "[options] TRACE",
	.example = "tarry map run.tarry --machine cluster.conf --rankfile ranks.txt\n"
		   "tarry map run.tarry --machine \"switch:2 node:4 core:8\" --before block",
	.options = options,
	.operands = {1, 1},
	.check = check_choice,
	.run = run_map,
};
