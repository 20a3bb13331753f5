#include "base/json.h"
#include "output/report/parts.h"
#include "output/report/profile.h"

static void add_efficiency(struct json *json, const struct profile *profile)
{
	if (!profile->has_figures) {
		json_null(json, "efficiency");
		return;
	}
	json_open(json, "efficiency", '{');
	json_real(json, "parallel", profile->parallel_efficiency);
	json_real(json, "load_balance", profile->load_balance);
	json_real(json, "communication", profile->communication_efficiency);
	json_close(json, '}');
}

/* The figures of a row, in an object that is open. */
static void add_figures(struct json *json, const struct report *report, const struct profile_row *row)
{
	json_number(json, "calls", (int64_t)row->calls);
	json_seconds(json, "total_s", row->inside_ns);
	json_real(json, "share", share_of_run(report, row->inside_ns));
	json_number(json, "bytes", (int64_t)row->bytes);
	json_open(json, "most", '{');
	json_rank(json, "rank", &report->analysis->reader->processes[row->top_process]);
	json_seconds(json, "total_s", row->top_ns);
	json_close(json, '}');
}

static void add_functions(struct json *json, struct report *report)
{
	const struct profile_table *table = &report->profile->functions;

	json_open(json, "functions", '[');
	for (size_t i = 0; i < table->count; i++) {
		json_open(json, NULL, '{');
		json_text(json, "call", table->rows[i].call);
		add_figures(json, report, &table->rows[i]);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void add_places(struct json *json, struct report *report)
{
	const struct profile_table *table = &report->profile->places;

	json_open(json, "call_paths", '[');
	for (size_t i = 0; i < table->count; i++) {
		json_open(json, NULL, '{');
		json_spot(json, &table->rows[i].at);
		json_path(json, report, &table->rows[i].sample);
		add_figures(json, report, &table->rows[i]);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void add_sizes(struct json *json, const struct profile *profile)
{
	json_open(json, "message_sizes", '[');
	for (size_t i = 0; i < SIZE_BINS; i++) {
		if (!profile->sizes[i].messages)
			continue;
		json_open(json, NULL, '{');
		json_number(json, "from_bytes", (int64_t)size_bin_start(i));
		json_number(json, "to_bytes", (int64_t)(size_bin_start(i + 1) - 1));
		json_number(json, "messages", (int64_t)profile->sizes[i].messages);
		json_number(json, "bytes", (int64_t)profile->sizes[i].bytes);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void add_matrix(struct json *json, const struct report *report)
{
	const struct process *processes = report->analysis->reader->processes;
	const struct profile *profile = report->profile;

	json_open(json, "matrix", '[');
	for (size_t i = 0; i < profile->traffic_count; i++) {
		const struct traffic *traffic = &profile->traffic[i];
		json_open(json, NULL, '{');
		json_rank(json, "from", &processes[traffic->from]);
		json_rank(json, "to", &processes[traffic->to]);
		json_number(json, "messages", (int64_t)traffic->messages);
		json_number(json, "bytes", (int64_t)traffic->bytes);
		json_close(json, '}');
	}
	json_close(json, ']');
}

void json_profile(struct json *json, struct report *report)
{
	json_open(json, "summary", '{');
	add_efficiency(json, report->profile);
	json_seconds(json, "computing_s", report->profile->computing_ns);
	add_functions(json, report);
	add_places(json, report);
	add_sizes(json, report->profile);
	add_matrix(json, report);
	json_close(json, '}');
}
