/* Who exchanged how much with whom, for the page: matrices that are folded to a bounded size, whatever the number of processes; how much
 * stayed within nodes; and the pairs that stand out. Read by src/page/communication.js alone. */
#include "base/memory.h"
#include "output/report/parts.h"
#include "output/report/profile.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE_MOST = 128, PAIRS_SHOWN = 20, NODES_NAMED = 128 };

/* What went from one process, or a group of them, to another, and how long the receiving side waited for the other one. */
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

/* All pairs of processes: those that exchanged data, with those that waited. */
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

static struct pair_flows gather_flows(const struct report *report)
{
	const struct data_flow *flow = report->profile->flow;
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
		flows.items[count++] = (struct pair_flow){.from = report->waits[i].late,
		                                          .to = report->waits[i].waiting,
		                                          .wait_ns = report->waits[i].ns};
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

/* Groups of processes, of which neighbours share a row and a column if they are too many. */
struct matrix_folding {
	const uint32_t *group_of; /* by process; NULL: each is its own */
	size_t groups;
	size_t block; /* groups to a row */
	size_t side;
};

static struct matrix_folding folding_of(const uint32_t *group_of, size_t groups)
{
	size_t block = (groups + SIDE_MOST - 1) / SIDE_MOST;

	block = block ? block : 1;
	return (struct matrix_folding){group_of, groups, block, (groups + block - 1) / block};
}

static size_t row_of(const struct matrix_folding *folding, uint32_t process)
{
	return (folding->group_of ? folding->group_of[process] : process) / folding->block;
}

static void add_matrix(struct text *out, const char *key, const struct matrix_folding *folding,
                       const struct pair_flows *flows)
{
	struct pair_flow *cells = memory_new(folding->side * folding->side + 1, sizeof *cells);
	bool is_first = true;

	for (size_t i = 0; i < flows->count; i++) {
		size_t row = row_of(folding, flows->items[i].from),
		       column = row_of(folding, flows->items[i].to);
		add_flow(&cells[row * folding->side + column], &flows->items[i]);
	}
	text_add(out, ",\"%s\":{\"side\":%zu,\"block\":%zu,\"groups\":%zu,\"cells\":", key, folding->side,
	         folding->block, folding->groups);
	/* Six numbers for each cell that is not empty, without keys or blanks. */
	text_add(out, "[");
	for (size_t i = 0; i < folding->side * folding->side; i++) {
		const struct pair_flow *cell = &cells[i];
		if (!cell->messages && !cell->bytes && !cell->collective_bytes && !cell->wait_ns)
			continue;
		text_add(out, "%s%zu,%zu,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRId64, is_first ? "" : ",",
		         i / folding->side, i % folding->side, cell->messages, cell->bytes,
		         cell->collective_bytes, cell->wait_ns);
		is_first = false;
	}
	text_add(out, "]");
	text_add(out, "}");
	free(cells);
}

/* Distances */

static void json_flow(struct json *json, const struct pair_flow *flow)
{
	json_number(json, "messages", (int64_t)flow->messages);
	json_number(json, "bytes", (int64_t)flow->bytes);
	json_number(json, "collective_bytes", (int64_t)flow->collective_bytes);
	json_seconds(json, "wait_s", flow->wait_ns);
}

static const char *const distance_names[DISTANCES] = {
	[DISTANCE_NODE] = "node", [DISTANCE_NETWORK] = "network"};

static void add_distances(struct json *json, const struct report *report, const struct pair_flows *flows)
{
	struct pair_flow sums[DISTANCES] = {0};
	size_t pairs[DISTANCES] = {0};

	for (size_t i = 0; i < flows->count; i++) {
		enum distance distance = nodes_distance(report->nodes, flows->items[i].from,
		                                        flows->items[i].to);
		add_flow(&sums[distance], &flows->items[i]);
		pairs[distance]++;
	}
	json_open(json, "distances", '[');
	for (int i = 0; i < DISTANCES; i++) {
		json_open(json, NULL, '{');
		json_text(json, "distance", distance_names[i]);
		json_number(json, "pairs", (int64_t)pairs[i]);
		json_flow(json, &sums[i]);
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
		          distance_names[nodes_distance(report->nodes, pair->from, pair->to)]);
		json_flow(json, pair);
		json_close(json, '}');
	}
	json_close(json, ']');
}

void communication_json(const struct report *report, struct text *out)
{
	const struct reader *reader = report->analysis->reader;
	struct pair_flows flows = gather_flows(report);
	struct matrix_folding by_rank = folding_of(NULL, reader->process_count);
	struct matrix_folding by_node = folding_of(report->nodes->of, report->nodes->count);
	struct text head = {0};
	struct json json = {.out = &head};
	size_t count;

	json_open(&json, NULL, '{');
	json_number(&json, "processes", (int64_t)report->analysis->reader->process_count);
	json_number(&json, "node_count", report->nodes->count);
	json_bool(&json, "has_collectives", !report->profile->flow->without_collectives);
	json_seconds(&json, "wait_left_out_s", report->wait_left_out_ns);
	json_open(&json, "nodes", '[');
	for (uint32_t i = 0; i < report->nodes->count && i < NODES_NAMED; i++)
		json_text(&json, NULL, report->nodes->names[i]);
	json_close(&json, ']');
	add_distances(&json, report, &flows);
	add_pairs(&json, "most_waits", report, &flows, by_wait);
	add_pairs(&json, "most_bytes", report, &flows, by_amount);
	json_close(&json, '}');
	/* What follows is added to the same object, without its layout. */
	while (head.length && head.bytes[head.length - 1] != '}')
		head.length--;
	text_add_bytes(out, head.bytes, head.length - 1);
	/* The rank of each process, which may be that of another world's, too: runs of ascending ones are one. */
	count = reader->process_count;
	text_add(out, ",\"ranks\":[");
	for (size_t i = 0, run = 1; i < count; i += run, run = 1) {
		uint32_t rank = reader->processes[i].rank;
		if (rank == PROCESS_UNKNOWN) {
			text_add(out, "%s[null,1]", i ? "," : "");
			continue;
		}
		while (i + run < count && reader->processes[i + run].rank == rank + run)
			run++;
		text_add(out, "%s[%" PRIu32 ",%zu]", i ? "," : "", rank, run);
	}
	text_add(out, "]");
	add_matrix(out, "by_rank", &by_rank, &flows);
	if (report->nodes->count > 1)
		add_matrix(out, "by_node", &by_node, &flows);
	text_add(out, "}");
	text_release(&head);
	free(flows.items);
}
