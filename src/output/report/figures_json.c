#include "output/report/figures_output.h"

#include "base/memory.h"
#include "output/report/parts.h"

#include <stdlib.h>
#include <string.h>

static void add_efficiency(struct json *json, const struct efficiency *efficiency)
{
	if (!efficiency->is_known) {
		json_null(json, "efficiency");
		return;
	}
	json_open(json, "efficiency", '{');
	json_real(json, "parallel", efficiency->parallel);
	json_real(json, "load_balance", efficiency->load_balance);
	json_real(json, "communication", efficiency->communication);
	json_close(json, '}');
}

static void add_times(struct json *json, const struct figures *figures)
{
	const struct run_spans *windows = figures->run;
	const struct {
		const char *key;
		int64_t ns;
	} times[] = {
		{"length_s", windows->length_ns},
		{"time_s", windows->time_ns},
		{"elapsed_s", windows->elapsed_ns},
		{"computing_s", figures->computing_ns},
		{"communication_s", figures->communication_ns},
		{"tool_s", figures->tool_ns},
		{"unrecorded_s", figures->unrecorded_ns},
		{"init_s", windows->init_ns},
		{"finalize_s", windows->finalize_ns},
	};

	for (size_t i = 0; i < sizeof times / sizeof *times; i++)
		json_seconds(json, times[i].key, times[i].ns);
}

static int by_time_descending(const void *left, const void *right)
{
	int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

	return (a < b) - (a > b);
}

/* Ranks that wait less than this are left out where there are too many; 0: none are. */
static int64_t least_wait(const struct shown_figures *shown)
{
	size_t count = shown->reader->process_count;
	int64_t *waits, least;

	if (!shown->is_folded || !shown->waiting_ns || count <= FOLDED_RANKS)
		return 0;
	waits = memory_new(count, sizeof *waits);
	memcpy(waits, shown->waiting_ns, count * sizeof *waits);
	qsort(waits, count, sizeof *waits, by_time_descending);
	least = waits[FOLDED_RANKS - 1];
	free(waits);
	return least;
}

static void json_ranks(struct json *json, const struct shown_figures *shown)
{
	size_t count = shown->reader->process_count, written = 0;
	size_t most = shown->is_folded && count > FOLDED_RANKS ? FOLDED_RANKS : count;
	int64_t least = least_wait(shown);

	json_open(json, "ranks", '[');
	for (size_t i = 0; i < count && written < most; i++) {
		const struct rank_figures *rank;

		if (least && shown->waiting_ns[i] < least)
			continue;
		rank = &shown->figures->ranks[i];
		json_open(json, NULL, '{');
		json_rank(json, "rank", &shown->reader->processes[i]);
		json_seconds(json, "length_s", rank->length_ns);
		json_seconds(json, "computing_s", rank->computing_ns);
		json_seconds(json, "communication_s", rank->communication_ns);
		if (shown->waiting_ns)
			json_seconds(json, "waiting_s", shown->waiting_ns[i]);
		json_seconds(json, "init_s", rank->init_ns);
		json_seconds(json, "finalize_s", rank->finalize_ns);
		json_number(json, "calls", (int64_t)rank->calls);
		json_number(json, "sent_bytes", (int64_t)rank->sent_bytes);
		json_number(json, "received_bytes", (int64_t)rank->received_bytes);
		json_close(json, '}');
		written++;
	}
	json_close(json, ']');
}

static void add_iteration(struct json *json, const struct shown_figures *shown)
{
	const struct iteration *iteration = &shown->figures->iteration;
	struct location where;
	struct text words = {0};

	if (!iteration->is_known) {
		json_null(json, "iteration");
		return;
	}
	json_open(json, "iteration", '{');
	json_text(json, "call", iteration->call->outline->name);
	where = symbols_find_call(shown->source, &shown->reader->processes[0], iteration->call);
	describe_place(&where, &words);
	json_text(json, "place", text_get(&words));
	text_release(&words);
	json_number(json, "count", (int64_t)iteration->count);
	json_seconds(json, "mean_s", iteration->mean_ns);
	json_seconds(json, "min_s", iteration->min_ns);
	json_seconds(json, "max_s", iteration->max_ns);
	json_seconds(json, "first_third_s", iteration->first_third_ns);
	json_seconds(json, "last_third_s", iteration->last_third_ns);
	json_real(json, "share", iteration->part);
	add_efficiency(json, &iteration->efficiency);
	json_close(json, '}');
}

static void add_bins(struct json *json, const char *key, const char *count, const struct size_bin *bins)
{
	json_open(json, key, '[');
	for (size_t i = 0; i < SIZE_BINS; i++) {
		if (!bins[i].count)
			continue;
		json_open(json, NULL, '{');
		json_number(json, "from_bytes", (int64_t)size_bin_start(i));
		json_number(json, "to_bytes", (int64_t)(size_bin_start(i + 1) - 1));
		json_number(json, count, (int64_t)bins[i].count);
		json_number(json, "bytes", (int64_t)bins[i].bytes);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void add_collectives(struct json *json, const struct data_flow *flow)
{
	json_open(json, "collective_sizes", '[');
	for (size_t i = 0; i < flow->collective_count; i++) {
		json_open(json, NULL, '{');
		json_text(json, "call", flow->collectives[i].call);
		json_number(json, "calls", (int64_t)flow->collectives[i].count);
		json_number(json, "bytes", (int64_t)flow->collectives[i].bytes);
		add_bins(json, "sizes", "calls", flow->collectives[i].bins);
		json_close(json, '}');
	}
	json_close(json, ']');
}

void json_figures(struct json *json, const struct shown_figures *shown)
{
	add_efficiency(json, &shown->figures->efficiency);
	add_times(json, shown->figures);
	json_ranks(json, shown);
	json_open(json, "phases", '[');
	for (uint32_t i = 0; i < shown->figures->phase_count; i++) {
		const struct phase_figures *phase = &shown->figures->phases[i];
		json_open(json, NULL, '{');
		json_text(json, "name", phase->name);
		json_text(json, "path", phase->path);
		json_number(json, "processes", phase->processes);
		json_number(json, "times", (int64_t)phase->times);
		json_number(json, "calls", (int64_t)phase->calls);
		json_seconds(json, "length_s", phase->length_ns);
		json_seconds(json, "time_s", phase->time_ns);
		json_seconds(json, "computing_s", phase->computing_ns);
		json_seconds(json, "communication_s", phase->communication_ns);
		add_efficiency(json, &phase->efficiency);
		json_close(json, '}');
	}
	json_close(json, ']');
	add_iteration(json, shown);
	add_bins(json, "message_sizes", "messages", shown->flow->sizes);
	add_collectives(json, shown->flow);
	if (!shown->is_folded) {
		json_bool(json, "matrix_has_collectives", !shown->flow->without_collectives);
		json_open(json, "matrix", '[');
		for (size_t i = 0; i < shown->flow->traffic_count; i++) {
			const struct rank_traffic *traffic = &shown->flow->traffic[i];
			json_open(json, NULL, '{');
			json_rank(json, "from", &shown->reader->processes[traffic->from]);
			json_rank(json, "to", &shown->reader->processes[traffic->to]);
			json_number(json, "messages", (int64_t)traffic->messages);
			json_number(json, "bytes", (int64_t)traffic->bytes);
			json_number(json, "collective_bytes", (int64_t)traffic->collective_bytes);
			json_bool(json, "estimated", traffic->is_estimated);
			json_close(json, '}');
		}
		json_close(json, ']');
	}
}
