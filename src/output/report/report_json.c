#include "output/report/report.h"

#include "base/json.h"
#include "output/report/figures_output.h"
#include "output/report/open_calls_text.h"
#include "output/report/parts.h"
#include "output/report/profile.h"
#include "output/report/report_path.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define VALUE(name, member, expression) \
	static union finding_value name(const struct report *report, const struct report_entry *entry) \
	{ \
		(void)report; \
		return (union finding_value){.member = (expression)}; \
	}

VALUE(pattern, text, entry->problem->id)
VALUE(name, text, problem_name(entry->problem, report->analysis->lang))
VALUE(severity, text, impact_names[entry->impact])
VALUE(confidence, text, confidence_names[entry->problem->confidence])
VALUE(occurrences, number, (int64_t)entry->count)
VALUE(total, number, entry->total_ns)
VALUE(mean, number, mean_ns(entry))
VALUE(maximum, number, entry->max_ns)
VALUE(share, share, share_of_run(report, entry->total_ns))

const struct finding_field finding_fields[FINDING_FIELDS] = {
	{"pattern", FINDING_TEXT, pattern},
	{"name", FINDING_TEXT, name},
	{"severity", FINDING_TEXT, severity},
	{"confidence", FINDING_TEXT, confidence},
	{"occurrences", FINDING_COUNT, occurrences},
	{"total_s", FINDING_SECONDS, total},
	{"mean_s", FINDING_SECONDS, mean},
	{"max_s", FINDING_SECONDS, maximum},
	{"share", FINDING_SHARE, share},
};

static void finding_fields_json(struct json *json, const struct report *report,
                                const struct report_entry *entry)
{
	for (size_t i = 0; i < FINDING_FIELDS; i++) {
		const struct finding_field *field = &finding_fields[i];
		union finding_value value = field->of(report, entry);

		if (field->kind == FINDING_COUNT)
			json_number(json, field->name, value.number);
		else if (field->kind == FINDING_SECONDS)
			json_seconds(json, field->name, value.number);
		else if (field->kind == FINDING_SHARE)
			json_real(json, field->name, value.share);
		else if (value.text)
			json_text(json, field->name, value.text);
		else
			json_null(json, field->name);
	}
}

void finding_field_csv(const struct finding_field *field, const struct report *report,
                       const struct report_entry *entry, struct text *out)
{
	union finding_value value = field->of(report, entry);

	if (field->kind == FINDING_COUNT)
		text_add(out, "%" PRId64, value.number);
	else if (field->kind == FINDING_SECONDS)
		text_add(out, "%" PRId64 ".%09" PRId64, value.number / 1000000000, value.number % 1000000000);
	else if (field->kind == FINDING_SHARE)
		text_add(out, "%.6g", value.share);
	else
		text_add(out, "%s", value.text ? value.text : "");
}

static void add_text_or_null(struct json *json, const char *key, const char *text)
{
	if (text)
		json_text(json, key, text);
	else
		json_null(json, key);
}

/* [first, last] of ranks that follow each other; null at the end, if there are more. */
static void add_runs(struct json *json, const struct process *processes, const struct number_list *list)
{
	size_t runs = 0;

	for (size_t i = 0, length = 1; i < list->count; i += length, length = 1) {
		uint32_t rank = processes[list->at[i]].rank;
		while (rank != PROCESS_UNKNOWN && i + length < list->count &&
		       processes[list->at[i + length]].rank == rank + length)
			length++;
		if (runs++ == FOLDED_RUNS) {
			json_null(json, NULL);
			return;
		}
		json_open(json, NULL, '[');
		json_rank(json, NULL, &processes[list->at[i]]);
		json_rank(json, NULL, &processes[list->at[i + length - 1]]);
		json_close(json, ']');
	}
}

static void add_rank_list(struct json *json, const char *key, const struct report *report,
                          const struct number_list *list)
{
	json_open(json, key, '[');
	if (report->is_folded)
		add_runs(json, report->analysis->reader->processes, list);
	for (size_t i = 0; !report->is_folded && i < list->count; i++)
		json_rank(json, NULL, &report->analysis->reader->processes[list->at[i]]);
	json_close(json, ']');
}

static void add_location(struct json *json, const struct location *where)
{
	add_text_or_null(json, "file", where->file);
	if (where->file)
		json_number(json, "line", where->line);
	else
		json_null(json, "line");
	add_text_or_null(json, "function", function_of(where));
}

static void json_call_place(struct json *json, const struct call_place *place)
{
	json_text(json, "call", place->call);
	add_location(json, &place->where);
	json_text(json, "place", place->text);
	/* The call itself, in a layer around MPI that is called at the place. */
	if (!place->where.inside_layer) {
		json_null(json, "through");
		return;
	}
	json_open(json, "through", '{');
	add_location(json, place->where.inside_layer);
	json_close(json, '}');
}

static void json_path(struct json *json, struct report *report, const struct action *action)
{
	struct caller_iter callers = {0};

	json_open(json, "path", '[');
	while (path_next(report, action, &callers)) {
		json_open(json, NULL, '{');
		add_location(json, &callers.where);
		json_close(json, '}');
	}
	json_close(json, ']');
}

/* The one that costs most stands for all of them. */
static void add_partner(struct json *json, const struct report *report, const struct report_entry *entry)
{
	if (!entry->partner_count) {
		json_null(json, "partner");
		return;
	}
	json_open(json, "partner", '{');
	json_call_place(json, &entry->partners[0].at);
	add_rank_list(json, "ranks", report, &entry->partner_processes);
	json_close(json, '}');
}

static void add_partners(struct json *json, const struct report *report, const struct report_entry *entry)
{
	json_open(json, "partners", '[');
	for (size_t i = 0; i < entry->partner_count; i++) {
		const struct partner *partner = &entry->partners[i];
		json_open(json, NULL, '{');
		json_call_place(json, &partner->at);
		add_rank_list(json, "ranks", report, &partner->processes);
		json_number(json, "occurrences", (int64_t)partner->count);
		json_seconds(json, "total_s", partner->total_ns);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void add_histogram(struct json *json, const struct report_entry *entry)
{
	json_open(json, "histogram", '[');
	for (size_t i = 0; i < HISTOGRAM_BINS; i++) {
		if (!entry->histogram[i])
			continue;
		json_open(json, NULL, '{');
		json_seconds(json, "from_s", i ? (int64_t)1 << i : 0);
		json_seconds(json, "to_s", (int64_t)1 << (i + 1));
		json_number(json, "occurrences", (int64_t)entry->histogram[i]);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void add_over_time(struct json *json, const struct report_entry *entry)
{
	const struct time_bins *bins = &entry->over_time;
	int count = TIME_BINS;

	while (count && !bins->ns[count - 1])
		count--;
	json_open(json, "over_time", '{');
	json_seconds(json, "bin_s", time_bins_width(bins));
	json_open(json, "total_s", '[');
	for (int i = 0; i < count; i++)
		json_seconds(json, NULL, bins->ns[i]);
	json_close(json, ']');
	json_close(json, '}');
}

static void add_action(struct json *json, const char *key, struct report *report, const struct action *action)
{
	struct call_place place = call_place_of(report, action);

	json_open(json, key, '{');
	json_rank(json, "rank", &report->analysis->reader->processes[action->process]);
	json_number(json, "thread", action->thread);
	json_seconds(json, "start_s", action->start);
	json_seconds(json, "end_s", action->end);
	json_call_place(json, &place);
	json_path(json, report, action);
	json_close(json, '}');
}

static void add_worst(struct json *json, struct report *report, const struct report_entry *entry)
{
	const struct finding *worst = entry->worst;

	json_open(json, "worst", '{');
	json_seconds(json, "duration_s", worst->max_ns);
	add_action(json, "at", report, &worst->at);
	if (worst->has_partner)
		add_action(json, "partner", report, &worst->partner);
	else
		json_null(json, "partner");
	json_open(json, "actions", '[');
	for (uint32_t i = 0; i < worst->action_count; i++)
		add_action(json, NULL, report, &worst->actions[i]);
	json_close(json, ']');
	json_close(json, '}');
}

static void add_cost(struct json *json, const struct report *report, const struct process_cost *cost,
                     uint32_t last)
{
	const struct process *processes = report->analysis->reader->processes;

	json_open(json, NULL, '{');
	json_rank(json, "rank", &processes[cost->process]);
	if (last != cost->process)
		json_rank(json, "last_rank", &processes[last]);
	json_number(json, "occurrences", (int64_t)cost->count);
	json_seconds(json, "total_s", cost->total_ns);
	json_seconds(json, "max_s", cost->max_ns);
	json_close(json, '}');
}

/* In a page, neighbours are one where there are too many. */
static void add_costs(struct json *json, const struct report *report, const struct report_entry *entry)
{
	size_t step = report->is_folded ? (entry->cost_count + FOLDED_RANKS - 1) / FOLDED_RANKS : 1;

	json_open(json, "by_rank", '[');
	for (size_t i = 0; i < entry->cost_count; i += step) {
		struct process_cost sum = entry->costs[i];
		size_t end = i + step < entry->cost_count ? i + step : entry->cost_count;
		for (size_t j = i + 1; j < end; j++) {
			sum.count += entry->costs[j].count;
			sum.total_ns = saturating_add(sum.total_ns, entry->costs[j].total_ns);
			sum.max_ns = sum.max_ns > entry->costs[j].max_ns ? sum.max_ns
			                                                 : entry->costs[j].max_ns;
		}
		add_cost(json, report, &sum, entry->costs[end - 1].process);
	}
	json_close(json, ']');
}

static const char *const cause_names[CAUSE_KINDS] = {
	[CAUSE_COMPUTING] = "computing", [CAUSE_CALL] = "call",   [CAUSE_NOISE] = "noise",
	[CAUSE_TRANSFER] = "transfer",   [CAUSE_OTHER] = "other", [CAUSE_UNKNOWN] = "unknown",
};

static void add_place_or_null(struct json *json, const char *key, const struct call_place *place)
{
	if (!*place->call) {
		json_null(json, key);
		return;
	}
	json_open(json, key, '{');
	json_call_place(json, place);
	json_close(json, '}');
}

static void add_causes(struct json *json, const struct report *report, const struct report_entry *entry)
{
	json_open(json, "causes", '[');
	for (size_t i = 0; i < entry->cause_count; i++) {
		const struct report_cause *cause = &entry->causes[i];
		struct text words = {0};
		json_open(json, NULL, '{');
		json_text(json, "kind", cause_names[cause->kind]);
		add_rank_list(json, "ranks", report, &cause->processes);
		add_place_or_null(json, "from", &cause->from);
		add_place_or_null(json, "to", &cause->to);
		add_text_or_null(json, "region", cause->region);
		if (cause->times_mean > 0)
			json_real(json, "times_mean", cause->times_mean);
		else
			json_null(json, "times_mean");
		json_number(json, "occurrences", (int64_t)cause->instances);
		json_seconds(json, "total_s", cause->total_ns);
		cause_in_short(report, cause, SIZE_MAX, &words);
		json_text(json, "text", text_get(&words));
		json_close(json, '}');
		text_release(&words);
	}
	json_close(json, ']');
}

static void add_entry(struct json *json, struct report *report, const struct report_entry *entry)
{
	const struct problem *problem = entry->problem;

	json_open(json, NULL, '{');
	finding_fields_json(json, report, entry);
	add_rank_list(json, "processes", report, &entry->processes);
	add_rank_list(json, "concerned", report, &entry->concerned);
	add_costs(json, report, entry);
	json_open(json, "nodes", '[');
	for (size_t i = 0; i < entry->nodes.count; i++)
		json_text(json, NULL, report->nodes->names[entry->nodes.at[i]]);
	json_close(json, ']');
	json_open(json, "threads", '[');
	for (size_t i = 0; i < entry->threads.count; i++)
		json_number(json, NULL, entry->threads.at[i]);
	json_close(json, ']');
	json_call_place(json, &entry->at);
	json_path(json, report, &entry->worst->at);
	json_open(json, "phases", '[');
	for (size_t i = 0; i < entry->phase_count; i++) {
		json_open(json, NULL, '{');
		json_text(json, "path", report->analysis->figures->phases[entry->phases[i].phase].path);
		json_real(json, "part", entry->phases[i].part);
		json_close(json, '}');
	}
	json_close(json, ']');
	add_partner(json, report, entry);
	add_partners(json, report, entry);
	add_causes(json, report, entry);
	if (entry->explained_by)
		json_number(json, "explained_by", (int64_t)entry->explained_by);
	else
		json_null(json, "explained_by");
	add_text_or_null(json, "description", problem_description(problem, report->analysis->lang));
	add_text_or_null(json, "advice", entry->advice);
	add_histogram(json, entry);
	add_over_time(json, entry);
	add_worst(json, report, entry);
	json_close(json, '}');
}

/* The summary */

/* The figures of a row, in an object that is open. */
static void add_figures(struct json *json, const struct report *report, const struct profile_row *row)
{
	json_number(json, "calls", (int64_t)row->calls);
	json_seconds(json, "total_s", row->inside_ns);
	json_real(json, "share", share_of_run(report, row->run_ns));
	json_bool(json, "local", row->is_local);
	json_number(json, "bytes", (int64_t)row->bytes);
	json_open(json, "most", '{');
	json_rank(json, "rank", &report->analysis->reader->processes[row->top_process]);
	json_seconds(json, "total_s", row->top_ns);
	json_close(json, '}');
}

static void add_places(struct json *json, struct report *report)
{
	const struct profile_table *table = &report->profile->places;

	json_open(json, "call_paths", '[');
	for (size_t i = 0; i < table->count; i++) {
		json_open(json, NULL, '{');
		json_call_place(json, &table->rows[i].at);
		json_path(json, report, &table->rows[i].sample);
		add_figures(json, report, &table->rows[i]);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void json_profile(struct json *json, struct report *report)
{
	struct shown_figures shown = profile_shown(report);
	const struct profile_table *table;

	json_open(json, "summary", '{');
	json_figures(json, &shown);
	table = &report->profile->functions;
	json_open(json, "functions", '[');
	for (size_t i = 0; i < table->count; i++) {
		json_open(json, NULL, '{');
		json_text(json, "call", table->rows[i].call);
		add_figures(json, report, &table->rows[i]);
		json_close(json, '}');
	}
	json_close(json, ']');
	add_places(json, report);
	json_close(json, '}');
}

/* Of a problem and a metric of its name, the metric is_reported: it has no threshold. */
static bool is_reported(const struct analysis *analysis, size_t number)
{
	for (size_t i = 0; i < analysis->book->problem_count; i++)
		if (is_metric_for(analysis->metrics[i].problem, analysis->metrics[number].problem))
			return false;
	return true;
}

static int64_t whole(double value)
{
	return isfinite(value) && fabs(value) < 9e18 ? llround(value) : 0;
}

static void add_what_ran_as_text(struct json *json, const char *key,
                                 void (*add)(const struct reader *, size_t, struct text *),
                                 const struct reader *reader)
{
	struct text words = {0};

	add(reader, SIZE_MAX, &words);
	add_text_or_null(json, key, words.length ? text_get(&words) : NULL);
	text_release(&words);
}

static void add_run(struct json *json, const struct analysis *analysis)
{
	static const struct {
		const char *key;
		enum run_figure figure;
		bool is_time;
	} figures[] = {
		{"length_s", RUN_LENGTH, true},      {"time_s", RUN_TIME, true},
		{"processes", RUN_PROCESSES, false}, {"nodes", RUN_NODES, false},
		{"calls", RUN_CALLS, false},         {"uncertainty_s", RUN_UNCERTAINTY, true},
	};

	json_open(json, "run", '{');
	add_what_ran_as_text(json, "program", add_programs, analysis->reader);
	add_what_ran_as_text(json, "library", add_library, analysis->reader);
	for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
		int64_t value = whole(analysis->run_figures[figures[i].figure]);
		if (figures[i].is_time)
			json_seconds(json, figures[i].key, value);
		else
			json_number(json, figures[i].key, value);
	}
	json_seconds(json, "elapsed_s", analysis->run ? analysis->run->elapsed_ns : 0);
	json_seconds(json, "without_processor_s", propagated_delay_sums(analysis->delays).scheduling_ns);
	json_close(json, '}');
}

/* The critical path */

static void add_path_ranks(struct json *json, const struct report *report)
{
	const struct report_path *path = report->path;
	size_t count = report->is_folded ? smaller(path->rank_count, FOLDED_RANKS) : path->rank_count;

	json_open(json, "ranks", '[');
	for (size_t i = 0; i < count; i++) {
		json_open(json, NULL, '{');
		json_rank(json, "rank", &report->analysis->reader->processes[path->ranks[i].process]);
		json_seconds(json, "total_s", path->ranks[i].ns);
		json_real(json, "share", share_of_path(path, path->ranks[i].ns));
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void add_critical_path_object(struct json *json, const struct report *report)
{
	const struct report_path *path = report->path;
	size_t count;

	if (!path) {
		json_null(json, "critical_path");
		return;
	}
	count = report->is_folded ? smaller(path->place_count, FOLDED_RUNS) : path->place_count;
	json_open(json, "critical_path", '{');
	json_seconds(json, "from_s", path->path->from);
	json_seconds(json, "to_s", path->path->to);
	json_bool(json, "cut", path->path->is_cut);
	json_number(json, "missed", (int64_t)path->path->missed);
	json_number(json, "moves", (int64_t)path->path->segment_count - 1);
	json_seconds(json, "computing_s", path->path->kinds_ns[CAUSE_COMPUTING]);
	json_seconds(json, "communication_s", path->path->kinds_ns[CAUSE_CALL]);
	json_seconds(json, "noise_s", path->path->kinds_ns[CAUSE_NOISE]);
	add_path_ranks(json, report);
	json_open(json, "places", '[');
	for (size_t i = 0; i < count; i++) {
		const struct path_place *place = &path->places[i];
		struct text words = {0};

		json_open(json, NULL, '{');
		json_text(json, "kind", cause_names[place->what.kind]);
		add_rank_list(json, "ranks", report, &place->what.processes);
		add_place_or_null(json, "from", &place->what.from);
		add_place_or_null(json, "to", &place->what.to);
		json_seconds(json, "total_s", place->what.total_ns);
		json_real(json, "share", share_of_path(report->path, place->what.total_ns));
		json_seconds(json, "excess_s", place->excess_ns);
		cause_in_short(report, &place->what, SIZE_MAX, &words);
		json_text(json, "text", text_get(&words));
		json_close(json, '}');
		text_release(&words);
	}
	json_close(json, ']');
	json_close(json, '}');
}

void report_json(struct report *report, struct text *out)
{
	const struct analysis *analysis = report->analysis;
	struct json json = {.out = out};
	int64_t total_ns = 0;

	json_open(&json, NULL, '{');
	json_number(&json, "version", 1);
	json_text(&json, "trace", analysis->reader->path);
	json_bool(&json, "complete", !analysis->reader->is_parts && !report->unfinished);
	json_trust(&json, &report->trust);
	add_run(&json, analysis);
	json_open(&json, "findings", '[');
	for (size_t i = 0; i < report->shown; i++)
		add_entry(&json, report, &report->entries[i]);
	json_close(&json, ']');
	for (size_t i = report->shown; i < report->entry_count; i++)
		total_ns = saturating_add(total_ns, report->entries[i].total_ns);
	json_open(&json, "left_out", '{');
	json_number(&json, "findings", (int64_t)(report->entry_count - report->shown));
	json_seconds(&json, "total_s", total_ns);
	json_close(&json, '}');
	add_critical_path_object(&json, report);
	json_open(&json, "metrics", '{');
	for (size_t i = 0; i < analysis->book->problem_count; i++) {
		const struct metric *metric = &analysis->metrics[i];
		if (!is_reported(analysis, i))
			continue;
		json_open(&json, metric->problem->id, '{');
		json_number(&json, "occurrences", (int64_t)metric->count);
		json_seconds(&json, "total_s", metric->total_ns);
		json_close(&json, '}');
	}
	json_close(&json, '}');
	if (report->profile)
		json_profile(&json, report);
	else
		json_null(&json, "summary");
	open_calls_json(&(struct open_calls_view){report->open, analysis->reader, report->source, "en"},
	                &json);
	json_open(&json, "notes", '[');
	for (size_t i = 0; i < report->note_count; i++)
		json_text(&json, NULL, report->notes[i].text);
	json_close(&json, ']');
	json_close(&json, '}');
}

void report_page_json(struct report *report, struct text *out)
{
	report->is_folded = true;
	report_json(report, out);
	report->is_folded = false;
}
