#include "base/json.h"
#include "cli/info.h"
#include "trace/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void add_identity(struct json *json, const char *key, uint64_t identity)
{
	char text[24];

	snprintf(text, sizeof text, "%" PRIx64, identity);
	json_text(json, key, text);
}

static void add_sharings(struct json *json, const char *key, const struct sharing *sharings, size_t count)
{
	json_open(json, key, '[');
	for (size_t i = 0; i < count; i++) {
		json_open(json, NULL, '{');
		json_text(json, "text", sharings[i].text);
		add_identity(json, "world", sharings[i].world);
		json_text(json, "ranks", sharings[i].ranks);
		json_number(json, "processes", (int64_t)sharings[i].count);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void add_tally(struct json *json, const struct tally *tally)
{
	json_number(json, "calls", (int64_t)tally->calls);
	json_number(json, "time_ns", tally->inside_ns);
	json_bool(json, "local", tally->is_local);
	json_number(json, "bytes", (int64_t)tally->bytes);
}

static void add_places(struct json *json, const struct summary *summary, size_t function)
{
	json_open(json, "places", '[');
	for (size_t i = 0; i < summary->place_count; i++) {
		if (summary->places[i].function != function)
			continue;
		json_open(json, NULL, '{');
		json_text(json, "place", summary->places[i].name);
		add_tally(json, &summary->places[i]);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void add_violations(const char *key, const struct violations *violations, struct json *json)
{
	json_open(json, key, '{');
	json_number(json, "messages", (int64_t)violations->messages);
	json_number(json, "collectives", (int64_t)violations->collectives);
	json_number(json, "worst_ns", violations->worst_ns);
	json_close(json, '}');
}

static void add_clocks(struct json *json, const struct info_input *input)
{
	const struct corrected_time *time = input->time;

	json_open(json, "clocks", '[');
	for (uint32_t i = 0; i < time->clocks->line_count; i++) {
		const struct clock_line *line = &time->clocks->lines[i];
		double uncertainty_ns = input->summary->uncertainty_ns[i];
		bool is_reference = i == time->clocks->reference;

		/* Drift in parts in 10^9: a whole number is precise enough. */
		json_open(json, NULL, '{');
		json_text(json, "identity", line->identity);
		json_text(json, "name", line->name);
		json_number(json, "ticks_per_second", (int64_t)line->rate);
		json_number(json, "processes", line->processes);
		json_bool(json, "reference", is_reference);
		json_bool(json, "compared", line->is_compared);
		json_number(json, "hops", line->hops);
		json_number(json, "comparisons", line->measured);
		json_number(json, "comparisons_used", line->knot_count);
		json_number(json, "drift_ppb", (int64_t)llround(clock_drift_ppm(line) * 1e3));
		if (uncertainty_ns < 0)
			json_null(json, "uncertainty_ns");
		else
			json_number(json, "uncertainty_ns", (int64_t)fmin(ceil(uncertainty_ns), 9e18));
		json_close(json, '}');
	}
	json_close(json, ']');
	json_open(json, "matching", '{');
	json_number(json, "messages", (int64_t)time->counts.messages);
	json_number(json, "unmatched_sends", (int64_t)time->counts.unmatched_sends);
	json_number(json, "unmatched_receives", (int64_t)time->counts.unmatched_receives);
	json_number(json, "cancelled", (int64_t)time->counts.cancelled);
	json_number(json, "collectives", (int64_t)time->counts.collectives);
	json_number(json, "incomplete_collectives", (int64_t)time->counts.incomplete_collectives);
	json_number(json, "mixed_collectives", (int64_t)time->counts.mixed_collectives);
	json_number(json, "forced", (int64_t)time->counts.forced);
	json_number(json, "passed_over", (int64_t)time->counts.passed_over);
	json_number(json, "recorded_in_part", (int64_t)time->counts.unrecorded);
	json_close(json, '}');
	add_violations("violations", &time->before, json);
	add_violations("violations_left", &time->after, json);
}

static void add_comms(struct json *json, const struct summary *summary)
{
	json_open(json, "communicators", '[');
	for (size_t i = 0; i < summary->comm_count; i++) {
		const struct comm_summary *comm = &summary->comms[i];
		json_open(json, NULL, '{');
		add_identity(json, "identity", comm->identity);
		json_text(json, "name", comm->name);
		json_text(json, "made", comm->made);
		json_text(json, "kind", comm->kind <= COMM_SHMEM ? comm_kind_names[comm->kind] : "unknown");
		json_number(json, "size", (int64_t)comm->size);
		json_number(json, "remote_size", (int64_t)comm->remote_size);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void add_eager(struct json *json, const struct reader *reader)
{
	struct eager_source sources[EAGER_SOURCES];
	const size_t count = eager_sources(reader, sources);

	json_open(json, "eager", '[');
	for (size_t i = 0; i < count; i++) {
		json_open(json, NULL, '{');
		json_text(json, "distance", sources[i].distance);
		if (sources[i].is_known)
			json_number(json, "bytes", (int64_t)sources[i].bytes);
		if (sources[i].variable)
			json_text(json, "source", sources[i].variable);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void add_selection(struct json *json, const struct reader *reader)
{
	bool found = false;

	json_open(json, "selection", '[');
	for (size_t i = 0; i < reader->process_count && !found; i++)
		for (size_t j = 0; j < reader->processes[i].property_count; j++)
			if (strcmp(reader->processes[i].properties[j].key, "selection") == 0) {
				json_text(json, NULL, reader->processes[i].properties[j].value);
				found = true;
			}
	json_close(json, ']');
}

static void add_losses(struct json *json, const struct summary *summary)
{
	json_open(json, "losses", '[');
	for (size_t i = 0; i < summary->loss_count; i++) {
		const struct loss_summary *loss = &summary->losses[i];
		json_open(json, NULL, '{');
		add_identity(json, "world", loss->process->world);
		if (loss->process->rank != PROCESS_UNKNOWN)
			json_number(json, "rank", loss->process->rank);
		if (loss->stream)
			json_number(json, "thread", loss->stream->number);
		/* Times are whole nanoseconds, identities text: JSON's numbers would lose their last bits. */
		json_number(json, "after_ns", (int64_t)(loss->seconds * 1e9 + 0.5));
		json_text(json, "reason", loss->reason);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void add_note(void *json, const char *note)
{
	json_text(json, NULL, note);
}

static void add_sizes(struct json *json, const struct info_input *input)
{
	const struct reader *reader = input->reader;
	const struct summary *summary = input->summary;
	const struct figures *figures = input->figures.figures;
	const struct data_flow *flow = input->figures.flow;

	json_text(json, "trace", reader->path);
	json_bool(json, "complete", !reader->is_parts);
	json_number(json, "bytes", (int64_t)reader->used_bytes);
	json_number(json, "worlds", (int64_t)summary->worlds);
	json_number(json, "processes", (int64_t)reader->process_count);
	json_number(json, "threads", (int64_t)summary->threads);
	json_number(json, "events", (int64_t)figures->events);
	json_number(json, "calls", (int64_t)figures->calls);
	json_number(json, "marks", (int64_t)figures->marks);
	json_number(json, "messages", (int64_t)flow->messages.count);
	json_number(json, "message_bytes", (int64_t)flow->messages.bytes);
	json_number(json, "accesses", (int64_t)flow->accesses.count);
	json_number(json, "access_bytes", (int64_t)flow->accesses.bytes);
	json_number(json, "start_ns", (int64_t)summary->start_ns);
	json_number(json, "duration_ns", figures->run->elapsed_ns);
	json_number(json, "threads_time_ns", figures->run->time_ns);
	json_number(json, "stolen_ns", (int64_t)figures->scheduling_ns);
	json_number(json, "overhead_ns", (int64_t)figures->overhead_ns);
	json_number(json, "crowded_processes", summary->crowding.processes);
	json_number(json, "crowded_cores", summary->crowding.cores);
}

void info_json(const struct info_input *input, struct text *out)
{
	const struct reader *reader = input->reader;
	const struct summary *summary = input->summary;
	struct json json = {.out = out};
	static const char *const keys[] = {"tarry",    "mpi", "mpi_version", "mpi_standard", "thread_level",
	                                   "launcher", "upc", "upc_version", "shmem"};

	json_open(&json, NULL, '{');
	add_sizes(&json, input);
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (any_property(reader, keys[i]))
			json_text(&json, keys[i], any_property(reader, keys[i]));
	add_sharings(&json, "programs", summary->programs, summary->program_count);
	add_sharings(&json, "hosts", summary->hosts, summary->host_count);
	add_clocks(&json, input);
	add_comms(&json, summary);
	add_eager(&json, reader);
	add_selection(&json, reader);
	json_open(&json, "functions", '[');
	for (size_t i = 0; i < summary->function_count; i++) {
		json_open(&json, NULL, '{');
		json_text(&json, "name", summary->functions[i].name);
		add_tally(&json, &summary->functions[i]);
		add_places(&json, summary, i);
		json_close(&json, '}');
	}
	json_close(&json, ']');
	json_open(&json, "summary", '{');
	json_figures(&json, &input->figures);
	json_close(&json, '}');
	add_losses(&json, summary);
	json_open(&json, "notes", '[');
	each_note(reader, add_note, &json);
	json_close(&json, ']');
	open_calls_json(&input->open, &json);
	json_open(&json, "damage", '[');
	for (size_t i = 0; i < reader->damage_count; i++)
		json_text(&json, NULL, reader->damage[i].text);
	json_close(&json, ']');
	json_close(&json, '}');
}
