#include "output/report/report.h"

#include "base/json.h"
#include "base/memory.h"
#include "output/report/fields.h"
#include "output/report/figures_output.h"
#include "output/report/files.h"
#include "output/report/open_calls_text.h"
#include "output/report/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void json_finding_fields(struct json *json, const struct report *report, const struct report_entry *entry)
{
	for (size_t i = 0; finding_fields[i].name; i++) {
		struct finding_value value = finding_field_value(report, entry, i);

		if (value.is_unknown)
			json_null(json, finding_fields[i].name);
		else
			json_fields(json, (struct json_field[]){finding_fields[i], {0}}, &value);
	}
}

/* [first, last] of consecutive ranks; null at the end, if there are more. */
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
	json_text(json, "file", where->file);
	if (where->file)
		json_number(json, "line", where->line);
	else
		json_null(json, "line");
	json_text(json, "function", function_of(where));
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

/* `partner` represents all partners: it is the one with the largest cost. */
static void add_partners(struct json *json, const struct report *report, const struct report_entry *entry)
{
	if (entry->partner_count) {
		json_open(json, "partner", '{');
		json_call_place(json, &entry->partners[0].at);
		add_rank_list(json, "ranks", report, &entry->partner_processes);
		json_close(json, '}');
	} else
		json_null(json, "partner");
	json_open(json, "partners", '[');
	for (size_t i = 0; i < entry->partner_count; i++) {
		json_open(json, NULL, '{');
		json_call_place(json, &entry->partners[i].at);
		add_rank_list(json, "ranks", report, &entry->partners[i].processes);
		json_fields(json, partner_fields, &entry->partners[i]);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void add_distribution(struct json *json, const struct report_entry *entry)
{
	const struct time_bins *bins = &entry->over_time;
	int count = TIME_BINS;

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
	while (count && !bins->ns[count - 1])
		count--;
	json_open(json, "over_time", '{');
	json_seconds(json, "bin_s", time_bins_width(bins));
	json_open(json, "total_s", '[');
	for (int i = 0; i < count; i++)
		json_seconds(json, NULL, bins->ns[i]);
	json_close_all(json, "]}");
}

static void add_action(struct json *json, const char *key, struct report *report, const struct action *action)
{
	struct call_place place = call_place_of(report, action);

	json_open(json, key, '{');
	json_rank(json, "rank", &report->analysis->reader->processes[action->process]);
	json_fields(json, action_fields, action);
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
	json_close_all(json, "]}");
}

/* In a page, neighbours are merged if there are too many. */
static void add_costs(struct json *json, const struct report *report, const struct report_entry *entry)
{
	const struct process *processes = report->analysis->reader->processes;
	size_t step = report->is_folded ? (entry->cost_count + FOLDED_RANKS - 1) / FOLDED_RANKS : 1;

	json_open(json, "by_rank", '[');
	for (size_t i = 0; i < entry->cost_count; i += step) {
		struct process_cost sum = entry->costs[i];
		size_t end = smaller(i + step, entry->cost_count);

		for (size_t j = i + 1; j < end; j++)
			process_cost_add(&sum, &entry->costs[j]);
		json_open(json, NULL, '{');
		json_rank(json, "rank", &processes[sum.process]);
		if (end > i + 1)
			json_rank(json, "last_rank", &processes[entry->costs[end - 1].process]);
		json_fields(json, cost_fields, &sum);
		json_close(json, '}');
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

/* The common first members of causes and of places on the critical path. */
static void add_cause_place(struct json *json, const struct report *report, const struct report_cause *cause)
{
	json_open(json, NULL, '{');
	json_text(json, "kind", cause_names[cause->kind]);
	add_rank_list(json, "ranks", report, &cause->processes);
	add_place_or_null(json, "from", &cause->from);
	add_place_or_null(json, "to", &cause->to);
}

static void end_cause_place(struct json *json, const struct report *report, const struct report_cause *cause)
{
	scoped_text words = {0};

	cause_in_short(report, cause, SIZE_MAX, &words);
	json_text(json, "text", text_get(&words));
	json_close(json, '}');
}

static void add_late_thread(struct json *json, const struct report *report,
                            const struct late_team_thread *late)
{
	if (!late->ns) {
		json_null(json, "late_thread");
		return;
	}
	json_open(json, "late_thread", '{');
	json_rank(json, "rank", &report->analysis->reader->processes[late->process]);
	if (late->thread == SEVERAL_THREADS)
		json_null(json, "thread");
	else
		json_number(json, "thread", late->thread);
	json_seconds(json, "late_s", late->ns);
	json_call_place(json, &late->at);
	json_close(json, '}');
}

static void add_causes(struct json *json, const struct report *report, const struct report_entry *entry)
{
	json_open(json, "causes", '[');
	for (size_t i = 0; i < entry->cause_count; i++) {
		const struct report_cause *cause = &entry->causes[i];

		add_cause_place(json, report, cause);
		json_text(json, "region", cause->region);
		if (cause->times_mean > 0)
			json_real(json, "times_mean", cause->times_mean);
		else
			json_null(json, "times_mean");
		add_late_thread(json, report, &cause->late);
		json_fields(json, cause_fields, cause);
		end_cause_place(json, report, cause);
	}
	json_close(json, ']');
}

static void add_entry(struct json *json, struct report *report, const struct report_entry *entry)
{
	const struct problem *problem = entry->problem;

	json_open(json, NULL, '{');
	json_finding_fields(json, report, entry);
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
	add_partners(json, report, entry);
	add_causes(json, report, entry);
	if (entry->explained_by)
		json_number(json, "explained_by", (int64_t)entry->explained_by);
	else
		json_null(json, "explained_by");
	json_number(json, "felt_in", (int64_t)entry->felt_in);
	json_text(json, "description", problem_description(problem, report->analysis->lang));
	json_text(json, "advice", entry->advice);
	add_distribution(json, entry);
	add_worst(json, report, entry);
	json_close(json, '}');
}

/* The summary */

void json_efficiency(struct json *json, const struct efficiency *efficiency)
{
	if (efficiency->is_known)
		json_record(json, "efficiency", efficiency_fields, efficiency);
	else
		json_null(json, "efficiency");
}

static int by_time_descending(const void *left, const void *right)
{
	int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

	return (a < b) - (a > b);
}

/* Ranks that wait less than this are omitted if there are too many; 0: none are omitted. */
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

static void json_counted(struct json *json, const struct counted_work *counted)
{
	if (counted->is_known)
		json_record(json, "counters", counted_fields, counted);
	else
		json_null(json, "counters");
}

static void json_ranks(struct json *json, const struct shown_figures *shown)
{
	size_t count = shown->reader->process_count, written = 0;
	size_t most = shown->is_folded ? smaller(count, FOLDED_RANKS) : count;
	int64_t least = least_wait(shown);

	json_open(json, "ranks", '[');
	for (size_t i = 0; i < count && written < most; i++) {
		if (least && shown->waiting_ns[i] < least)
			continue;
		json_open(json, NULL, '{');
		json_rank(json, "rank", &shown->reader->processes[i]);
		json_fields(json, rank_time_fields, &shown->figures->ranks[i]);
		if (shown->waiting_ns)
			json_seconds(json, "waiting_s", shown->waiting_ns[i]);
		json_fields(json, rank_fields, &shown->figures->ranks[i]);
		json_counted(json, &shown->figures->ranks[i].counted);
		json_close(json, '}');
		written++;
	}
	json_close(json, ']');
}

static void add_iteration(struct json *json, const struct shown_figures *shown)
{
	const struct iteration *iteration = &shown->figures->iteration;
	struct location where;
	scoped_text words = {0};

	if (!iteration->is_known) {
		json_null(json, "iteration");
		return;
	}
	where = symbols_find_call(shown->source, &shown->reader->processes[0], iteration->call);
	describe_place(&where, &words);
	json_open(json, "iteration", '{');
	json_text(json, "call", iteration->call->outline->name);
	json_text(json, "place", text_get(&words));
	json_fields(json, iteration_fields, iteration);
	json_efficiency(json, &iteration->efficiency);
	json_open(json, "outliers", '[');
	for (size_t i = 0; i < iteration->outlier_count; i++) {
		json_open(json, NULL, '{');
		json_fields(json, iteration_outlier_fields, &iteration->outliers[i]);
		json_rank(json, "rank", &shown->reader->processes[iteration->outliers[i].late_process]);
		json_close(json, '}');
	}
	json_close_all(json, "]}");
}

static void add_iterations(struct json *json, const struct iteration *iteration)
{
	json_open(json, "iterations", '[');
	for (size_t i = 0; i < iteration->group_count; i++)
		json_record(json, NULL, iteration_group_fields, &iteration->groups[i]);
	json_close(json, ']');
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

static void add_matrix(struct json *json, const struct shown_figures *shown)
{
	json_bool(json, "matrix_has_collectives", !shown->flow->without_collectives);
	json_open(json, "matrix", '[');
	for (size_t i = 0; i < shown->flow->traffic_count; i++) {
		const struct rank_traffic *traffic = &shown->flow->traffic[i];

		json_open(json, NULL, '{');
		json_rank(json, "from", &shown->reader->processes[traffic->from]);
		json_rank(json, "to", &shown->reader->processes[traffic->to]);
		json_fields(json, traffic_fields, traffic);
		json_close(json, '}');
	}
	json_close(json, ']');
}

void json_figures(struct json *json, const struct shown_figures *shown)
{
	const struct figures *figures = shown->figures;

	json_efficiency(json, &figures->efficiency);
	if (figures->hybrid.is_known)
		json_record(json, "hybrid", hybrid_fields, &figures->hybrid);
	else
		json_null(json, "hybrid");
	if (shown->communication.is_known)
		json_record(json, "communication", communication_fields, &shown->communication);
	else
		json_null(json, "communication");
	json_counted(json, &figures->counted);
	json_fields(json, run_fields, figures->run);
	json_fields(json, run_sum_fields, figures);
	json_fields(json, run_edge_fields, figures->run);
	json_ranks(json, shown);
	json_open(json, "phases", '[');
	for (uint32_t i = 0; i < figures->phase_count; i++) {
		json_open(json, NULL, '{');
		json_fields(json, phase_fields, &figures->phases[i]);
		json_efficiency(json, &figures->phases[i].efficiency);
		json_close(json, '}');
	}
	json_close(json, ']');
	add_iteration(json, shown);
	add_iterations(json, &figures->iteration);
	json_files(json, shown);
	add_bins(json, "message_sizes", "messages", shown->flow->sizes);
	json_open(json, "collective_sizes", '[');
	for (size_t i = 0; i < shown->flow->collective_count; i++) {
		json_open(json, NULL, '{');
		json_fields(json, collective_fields, &shown->flow->collectives[i]);
		add_bins(json, "sizes", "calls", shown->flow->collectives[i].bins);
		json_close(json, '}');
	}
	json_close(json, ']');
	if (!shown->is_folded)
		add_matrix(json, shown);
}

/* The figures of a row, and the end of its object. */
static void add_figures(struct json *json, const struct report *report, const struct profile_row *row)
{
	json_fields(json, profile_fields, row);
	json_real(json, "share", share_of_run(report, row->run_ns));
	json_fields(json, local_fields, row);
	json_open(json, "most", '{');
	json_rank(json, "rank", &report->analysis->reader->processes[row->top_process]);
	json_seconds(json, "total_s", row->top_ns);
	json_close_all(json, "}}");
}

static void json_profile(struct json *json, struct report *report)
{
	struct shown_figures shown = profile_shown(report);
	const struct profile_table *functions = &report->profile->functions,
				   *places = &report->profile->places;

	json_open(json, "summary", '{');
	json_figures(json, &shown);
	json_open(json, "functions", '[');
	for (size_t i = 0; i < functions->count; i++) {
		json_open(json, NULL, '{');
		json_text(json, "call", functions->rows[i].call);
		add_figures(json, report, &functions->rows[i]);
	}
	json_close(json, ']');
	json_open(json, "call_paths", '[');
	for (size_t i = 0; i < places->count; i++) {
		json_open(json, NULL, '{');
		json_call_place(json, &places->rows[i].at);
		json_path(json, report, &places->rows[i].sample);
		add_figures(json, report, &places->rows[i]);
	}
	json_close_all(json, "]}");
}

/* If a problem has a metric of the same name, the metric is reported, because it has no threshold. */
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
	scoped_text words = {0};

	add(reader, SIZE_MAX, &words);
	json_text(json, key, words.length ? text_get(&words) : NULL);
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

static void add_longest_visit(struct json *json, const struct report *report, const struct path_place *place)
{
	if (place->longest_process == NO_PROCESS) {
		json_null(json, "longest");
		return;
	}
	json_open(json, "longest", '{');
	json_rank(json, "rank", &report->analysis->reader->processes[place->longest_process]);
	json_seconds(json, "start_s", place->longest.from);
	json_seconds(json, "end_s", place->longest.to);
	json_close(json, '}');
}

static void add_critical_path_object(struct json *json, const struct report *report)
{
	const struct report_path *path = report->path;
	size_t ranks, places;

	if (!path) {
		json_null(json, "critical_path");
		return;
	}
	ranks = report->is_folded ? smaller(path->rank_count, FOLDED_RANKS) : path->rank_count;
	places = report->is_folded ? smaller(path->place_count, FOLDED_RUNS) : path->place_count;
	json_open(json, "critical_path", '{');
	json_fields(json, path_fields, path->path);
	json_number(json, "moves", (int64_t)path->path->segment_count - 1);
	json_seconds(json, "computing_s", path->path->kinds_ns[CAUSE_COMPUTING]);
	json_seconds(json, "communication_s", path->path->kinds_ns[CAUSE_CALL]);
	json_seconds(json, "noise_s", path->path->kinds_ns[CAUSE_NOISE]);
	json_open(json, "ranks", '[');
	for (size_t i = 0; i < ranks; i++) {
		json_open(json, NULL, '{');
		json_rank(json, "rank", &report->analysis->reader->processes[path->ranks[i].process]);
		json_seconds(json, "total_s", path->ranks[i].ns);
		json_real(json, "share", share_of_path(path, path->ranks[i].ns));
		json_close(json, '}');
	}
	json_close(json, ']');
	json_open(json, "places", '[');
	for (size_t i = 0; i < places; i++) {
		const struct path_place *place = &path->places[i];

		add_cause_place(json, report, &place->what);
		json_seconds(json, "total_s", place->what.total_ns);
		json_real(json, "share", share_of_path(path, place->what.total_ns));
		json_seconds(json, "excess_s", place->excess_ns);
		add_longest_visit(json, report, place);
		end_cause_place(json, report, &place->what);
	}
	json_close_all(json, "]}");
}

/* Of the fields that pages show. */
static void add_labels(struct json *json, const char *lang)
{
	json_open(json, "finding_figures", '[');
	for (size_t i = 0; finding_fields[i].name; i++) {
		if (!finding_labels[i])
			continue;
		json_open(json, NULL, '{');
		json_text(json, "name", finding_fields[i].name);
		json_text(json, "unit",
		          finding_fields[i].type == JSON_SECONDS ? "s"
		          : finding_fields[i].type == JSON_REAL  ? "share"
		                                                 : "count");
		json_text(json, "label", translate(lang, finding_labels[i]));
		json_close(json, '}');
	}
	json_close(json, ']');
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
	if (report->is_folded)
		add_labels(&json, analysis->lang);
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
		json_record(&json, metric->problem->id, metric_fields, metric);
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
	json_close_all(&json, "]}");
}

void report_page_json(struct report *report, struct text *out)
{
	report->is_folded = true;
	report_json(report, out);
	report->is_folded = false;
}
