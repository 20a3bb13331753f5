/* Traffic between processes, for the page: matrices that are folded to a bounded size, whatever the number of processes; how
 * far it went on the machine; the pairs that stand out; the traffic of each region; and collective operations by
 * communicator. Read by src/page/communication.js alone. */
#include "analysis/model/marks.h"
#include "base/memory.h"
#include "base/text.h"
#include "output/report/parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE_MAX = 128, PAIRS_SHOWN = 20, NODES_NAMED = 128, COMMS_SHOWN = 100 };
/* The matrices of regions: their longest side, and the cells of all of them. */
enum { REGIONS_SHOWN = 24, REGION_SIDE_MAX = 64, REGION_CELLS_MAX = 6000 };

/* Traffic from one process, or a group, to another, and the time that the receiver waited for the sender. */
struct pair_flow {
	uint32_t from, to;
	uint64_t messages, bytes, collective_bytes;
	int64_t wait_ns;
};

static void add_flow(struct pair_flow *sum, const struct pair_flow *more)
{
	sum->messages += more->messages;
	sum->bytes += more->bytes;
	sum->collective_bytes += more->collective_bytes;
	sum->wait_ns = saturating_add(sum->wait_ns, more->wait_ns);
}

/* All pairs of processes that exchanged data or waited. */
struct pair_flows {
	struct pair_flow *items; /* by `from`, then by `to`, each once */
	size_t count;
};

static int by_ends(const void *left, const void *right)
{
	const struct pair_flow *a = left, *b = right;

	return a->from != b->from ? (a->from > b->from) - (a->from < b->from)
	                          : (a->to > b->to) - (a->to < b->to);
}

/* True for the region and for those in it. */
static bool is_in_region(const char *region, const char *path)
{
	size_t length = strlen(path);

	return region && text_begins(region, path) &&
	       (!region[length] || text_begins(region + length, REGION_SEPARATOR));
}

/* `path`: only waits in this region; NULL: all. */
static struct pair_flows gather_flows(const struct report *report, const struct data_flow *flow,
                                      const char *path)
{
	const struct pair_wait *waits = report->waits;
	struct pair_flows flows = {
		.items = memory_new(flow->traffic_count + report->wait_count + 1, sizeof *flows.items)};
	size_t count = 0;

	for (size_t i = 0; i < flow->traffic_count; i++) {
		const struct rank_traffic *traffic = &flow->traffic[i];
		flows.items[count++] = (struct pair_flow){.from = traffic->from,
		                                          .to = traffic->to,
		                                          .messages = traffic->messages,
		                                          .bytes = traffic->bytes,
		                                          .collective_bytes = traffic->collective_bytes};
	}
	for (size_t i = 0; i < report->wait_count; i++)
		if (!path || is_in_region(waits[i].region, path))
			flows.items[count++] = (struct pair_flow){
				.from = waits[i].late, .to = waits[i].waiting, .wait_ns = waits[i].ns};
	qsort(flows.items, count, sizeof *flows.items, by_ends);
	for (size_t i = 0; i < count; i++) {
		struct pair_flow *last = flows.count ? &flows.items[flows.count - 1] : NULL;
		if (last && by_ends(last, &flows.items[i]) == 0)
			add_flow(last, &flows.items[i]);
		else
			flows.items[flows.count++] = flows.items[i];
	}
	return flows;
}

/* Matrices */

/* Groups of processes: if there are too many processes, neighbours share a row and a column. */
struct matrix_folding {
	const uint32_t *group_of; /* by process; NULL: each is its own */
	size_t groups;
	size_t block; /* groups to a row */
	size_t side;
};

static struct matrix_folding folding_of(const uint32_t *group_of, size_t groups, size_t side_most)
{
	size_t block = (groups + side_most - 1) / side_most;

	block = block ? block : 1;
	return (struct matrix_folding){group_of, groups, block, (groups + block - 1) / block};
}

static size_t row_of(const struct matrix_folding *folding, uint32_t process)
{
	return (folding->group_of ? folding->group_of[process] : process) / folding->block;
}

/* Six numbers for each cell that is not empty. Returns how many cells there are. */
static size_t add_matrix(struct json *json, const char *key, const struct matrix_folding *folding,
                         const struct pair_flows *flows)
{
	struct pair_flow *cells = memory_new(folding->side * folding->side + 1, sizeof *cells);
	size_t filled = 0;

	for (size_t i = 0; i < flows->count; i++) {
		size_t row = row_of(folding, flows->items[i].from),
		       column = row_of(folding, flows->items[i].to);
		add_flow(&cells[row * folding->side + column], &flows->items[i]);
	}
	json_open(json, key, '{');
	json_number(json, "side", (int64_t)folding->side);
	json_number(json, "block", (int64_t)folding->block);
	json_number(json, "groups", (int64_t)folding->groups);
	json_open(json, "cells", '[');
	for (size_t i = 0; i < folding->side * folding->side; i++) {
		const struct pair_flow *cell = &cells[i];
		if (!cell->messages && !cell->bytes && !cell->collective_bytes && !cell->wait_ns)
			continue;
		filled++;
		json_numbers(json,
		             (int64_t[]){(int64_t)(i / folding->side), (int64_t)(i % folding->side),
		                         (int64_t)cell->messages, (int64_t)cell->bytes,
		                         (int64_t)cell->collective_bytes, cell->wait_ns},
		             6);
	}
	json_close_all(json, "]}");
	free(cells);
	return filled;
}

/* Distances */

static const struct json_field flow_fields[] = {
	JSON_FIELD(pair_flow, "messages", COUNT, messages, "messages and UPC accesses"),
	JSON_FIELD(pair_flow, "bytes", COUNT, bytes, "bytes in messages and UPC accesses"),
	JSON_FIELD(pair_flow, "collective_bytes", COUNT, collective_bytes, "bytes in collective operations"),
	JSON_FIELD(pair_flow, "wait_s", SECONDS, wait_ns, "time that the receiver waited for the sender"),
	{0},
};

static void add_distances(struct json *json, const struct report *report, const struct pair_flows *flows)
{
	struct pair_flow sums[PROXIMITIES] = {0};
	size_t pairs[PROXIMITIES] = {0};

	for (size_t i = 0; i < flows->count; i++) {
		enum proximity proximity = nodes_proximity(report->nodes, flows->items[i].from,
		                                           flows->items[i].to);
		add_flow(&sums[proximity], &flows->items[i]);
		pairs[proximity]++;
	}
	json_open(json, "distances", '[');
	for (int i = 0; i < PROXIMITIES; i++) {
		if (!pairs[i])
			continue;
		json_open(json, NULL, '{');
		json_text(json, "distance", proximity_names[i]);
		json_number(json, "pairs", (int64_t)pairs[i]);
		json_fields(json, flow_fields, &sums[i]);
		json_close(json, '}');
	}
	json_close(json, ']');
}

/* Pairs */

static int by_amount(const void *left, const void *right)
{
	const struct pair_flow *a = left, *b = right;
	uint64_t bytes_a = a->bytes + a->collective_bytes, bytes_b = b->bytes + b->collective_bytes;

	if (bytes_a != bytes_b)
		return bytes_a < bytes_b ? 1 : -1;
	return a->wait_ns != b->wait_ns ? (a->wait_ns < b->wait_ns) - (a->wait_ns > b->wait_ns)
	                                : by_ends(a, b);
}

static int by_wait(const void *left, const void *right)
{
	const struct pair_flow *a = left, *b = right;

	return a->wait_ns != b->wait_ns ? (a->wait_ns < b->wait_ns) - (a->wait_ns > b->wait_ns)
	                                : by_ends(a, b);
}

static void add_pairs(struct json *json, const char *key, const struct report *report,
                      struct pair_flows *flows, int (*order)(const void *, const void *))
{
	const struct process *processes = report->analysis->reader->processes;

	qsort(flows->items, flows->count, sizeof *flows->items, order);
	json_open(json, key, '[');
	for (size_t i = 0; i < flows->count && i < PAIRS_SHOWN; i++) {
		const struct pair_flow *pair = &flows->items[i];
		json_open(json, NULL, '{');
		json_rank(json, "from", &processes[pair->from]);
		json_rank(json, "to", &processes[pair->to]);
		json_text(json, "distance",
		          proximity_names[nodes_proximity(report->nodes, pair->from, pair->to)]);
		json_fields(json, flow_fields, pair);
		json_close(json, '}');
	}
	json_close(json, ']');
}

/* Regions with the traffic of their calls, as many as there is room for: those with the longest time in calls
 * first. */

static size_t add_region(struct json *json, const struct report *report, uint32_t phase, size_t room)
{
	const struct reader *reader = report->analysis->reader;
	const struct figures *figures = report->analysis->figures;
	struct data_flow *flow = data_flow_of_phase(reader, figures, phase);
	struct pair_flows flows = gather_flows(report, flow, figures->phases[phase].path);
	struct matrix_folding by_rank = folding_of(NULL, reader->process_count, REGION_SIDE_MAX);
	struct matrix_folding by_node = folding_of(report->nodes->of, report->nodes->count, REGION_SIDE_MAX);
	size_t filled = 0;

	if (flows.count && smaller(flows.count, by_rank.side * by_rank.side) <= room) {
		json_open(json, NULL, '{');
		json_text(json, "region", figures->phases[phase].path);
		add_distances(json, report, &flows);
		filled = add_matrix(json, "by_rank", &by_rank, &flows);
		if (report->nodes->count > 1)
			filled += add_matrix(json, "by_node", &by_node, &flows);
		json_close(json, '}');
	}
	free(flows.items);
	data_flow_free(flow);
	return filled;
}

struct ranked_phase {
	uint32_t number;
	int64_t communication_ns;
};

static int by_communication(const void *left, const void *right)
{
	const struct ranked_phase *a = left, *b = right;

	if (a->communication_ns != b->communication_ns)
		return a->communication_ns < b->communication_ns ? 1 : -1;
	return (a->number > b->number) - (a->number < b->number);
}

static void add_regions(struct json *json, const struct report *report)
{
	const struct figures *figures = report->analysis->figures;
	struct ranked_phase *ranked = memory_new(figures->phase_count + 1, sizeof *ranked);
	size_t room = REGION_CELLS_MAX;

	for (uint32_t i = 0; i < figures->phase_count; i++)
		ranked[i] = (struct ranked_phase){i, figures->phases[i].communication_ns};
	qsort(ranked, figures->phase_count, sizeof *ranked, by_communication);
	json_open(json, "regions", '[');
	for (uint32_t i = 0; i < figures->phase_count && i < REGIONS_SHOWN; i++) {
		size_t filled = add_region(json, report, ranked[i].number, room);
		room -= smaller(filled, room);
	}
	json_close(json, ']');
	free(ranked);
}

/* Collective operations by communicator. Communicators with the same name and size share a row, because
 * programs split a communicator into many similar ones. */

struct comm_row {
	const char *call, *name;
	uint64_t size, comms, count, bytes;
	int64_t inside_ns;
	uint32_t last; /* number of the last communicator */
};

static int by_comm(const void *left, const void *right)
{
	const struct comm_collective *a = left, *b = right;

	return (a->comm > b->comm) - (a->comm < b->comm);
}

static int by_comm_time(const void *left, const void *right)
{
	const struct comm_row *a = left, *b = right;
	int order = (a->inside_ns < b->inside_ns) - (a->inside_ns > b->inside_ns);

	return order ? order : strcmp(a->call, b->call);
}

static struct comm_row *row_of_comm(struct comm_row *rows, size_t *count, const struct comm_row *wanted)
{
	for (size_t i = 0; i < *count; i++)
		if (rows[i].size == wanted->size && strcmp(rows[i].call, wanted->call) == 0 &&
		    strcmp(rows[i].name, wanted->name) == 0)
			return &rows[i];
	rows[*count] = *wanted;
	return &rows[(*count)++];
}

static const struct json_field comm_fields[] = {
	JSON_FIELD(comm_row, "call", TEXT, call, "function"),
	JSON_FIELD(comm_row, "comm", TEXT, name, "name of the communicator"),
	JSON_FIELD(comm_row, "size", COUNT, size, "its ranks"),
	JSON_FIELD(comm_row, "comms", COUNT, comms, "communicators of this name and size"),
	JSON_FIELD(comm_row, "calls", COUNT, count, "calls of all ranks"),
	JSON_FIELD(comm_row, "bytes", COUNT, bytes, "bytes that ranks contribute"),
	JSON_FIELD(comm_row, "total_s", SECONDS, inside_ns, "time inside calls"),
	{0},
};

static void add_comms(struct json *json, const struct report *report)
{
	struct data_flow *flow = report->profile->flow;
	struct comm_row *rows = memory_new(flow->on_comm_count + 1, sizeof *rows);
	size_t count = 0;

	if (flow->on_comm_count)
		qsort(flow->on_comms, flow->on_comm_count, sizeof *flow->on_comms, by_comm);
	for (size_t i = 0; i < flow->on_comm_count; i++) {
		const struct comm_collective *one = &flow->on_comms[i];
		const struct communicator *comm = &report->analysis->figures->comms->comms[one->comm];
		struct comm_row *row = row_of_comm(
			rows, &count,
			&(struct comm_row){.call = one->call,
		                           .name = comm->name ? comm->name : "",
		                           .size = comm->sides[0].size +
		                                   (is_inter(comm) ? comm->sides[1].size : 0),
		                           .last = UINT32_MAX});
		row->comms += row->last != one->comm;
		row->last = one->comm;
		row->count += one->count;
		row->bytes += one->bytes;
		row->inside_ns = saturating_add(row->inside_ns, one->inside_ns);
	}
	if (count)
		qsort(rows, count, sizeof *rows, by_comm_time);
	json_open(json, "collectives", '[');
	for (size_t i = 0; i < count && i < COMMS_SHOWN; i++) {
		json_open(json, NULL, '{');
		json_fields(json, comm_fields, &rows[i]);
		json_close(json, '}');
	}
	json_close(json, ']');
	free(rows);
}

void communication_json(const struct report *report, struct text *out)
{
	const struct reader *reader = report->analysis->reader;
	struct pair_flows flows = gather_flows(report, report->profile->flow, NULL);
	struct matrix_folding by_rank = folding_of(NULL, reader->process_count, SIDE_MAX);
	struct matrix_folding by_node = folding_of(report->nodes->of, report->nodes->count, SIDE_MAX);
	struct json json = {.out = out};

	json_open(&json, NULL, '{');
	json_number(&json, "processes", (int64_t)reader->process_count);
	json_number(&json, "node_count", report->nodes->count);
	json_bool(&json, "has_collectives", !report->profile->flow->without_collectives);
	json_seconds(&json, "wait_left_out_s", report->wait_left_out_ns);
	json_texts(&json, "nodes", report->nodes->names,
	           report->nodes->count < NODES_NAMED ? report->nodes->count : NODES_NAMED);
	add_distances(&json, report, &flows);
	add_pairs(&json, "most_waits", report, &flows, by_wait);
	add_pairs(&json, "most_bytes", report, &flows, by_amount);
	add_comms(&json, report);
	json.is_compact = true;
	add_regions(&json, report);
	/* The ranks of the processes, as runs of ascending ranks. Processes of different worlds may have the
	 * same rank. */
	json_open(&json, "ranks", '[');
	for (size_t i = 0, run = 1; i < reader->process_count; i += run, run = 1) {
		uint32_t rank = reader->processes[i].rank;

		while (rank != PROCESS_UNKNOWN && i + run < reader->process_count &&
		       reader->processes[i + run].rank == rank + run)
			run++;
		json_open(&json, NULL, '[');
		json_rank(&json, NULL, &reader->processes[i]);
		json_number(&json, NULL, (int64_t)run);
		json_close(&json, ']');
	}
	json_close(&json, ']');
	add_matrix(&json, "by_rank", &by_rank, &flows);
	if (report->nodes->count > 1)
		add_matrix(&json, "by_node", &by_node, &flows);
	json_close(&json, '}');
	free(flows.items);
}
