#include "output/report/trust.h"

#include "analysis/model/open_calls.h"
#include "analysis/model/processes.h"
#include "analysis/model/recorded_part.h"
#include "analysis/model/wrong_launcher.h"
#include "analysis/rules/call_arguments.h"
#include "calls/calls.h"
#include "output/report/fields.h"
#include "output/report/parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Generalized requests hold nothing. */
static bool begins_request(const struct call_info *info)
{
	return info->class != CLASS_REQUEST && call_has(info, KIND_newrequest);
}

static void exclude(const struct process *process, bool recorded[SELECTABLE])
{
	for (size_t i = 0; i < process->property_count; i++)
		if (strcmp(process->properties[i].key, "selection") == 0)
			select_apply(process->properties[i].value, recorded);
}

static void note_called(struct recorded_functions *functions, const struct process *process)
{
	functions->has_pgas |= is_upc_thread(process) || is_shmem_pe(process);
	for (uint32_t i = 0; i < process->calls.count; i++) {
		const struct call_info *info = call_find(process->calls.items[i]->outline->name);
		if (!info)
			continue;
		functions->has_mpi |= !call_is_pgas(info);
		functions->called[info - all_calls] |= begins_request(info);
	}
}

/* NULL: no function was excluded. */
static const struct recorded_functions *recorded_functions_of(const struct reader *reader,
                                                              struct arena *arena)
{
	struct recorded_functions *functions = arena_new(arena, struct recorded_functions);

	memset(functions->recorded, true, sizeof functions->recorded);
	for (size_t i = 0; i < reader->process_count; i++)
		exclude(&reader->processes[i], functions->recorded);
	for (size_t i = 0; i < ALL_CALLS; i++)
		functions->recorded[i] |= all_calls[i].always_recorded;
	if (!memchr(functions->recorded, false, sizeof functions->recorded))
		return NULL;
	for (size_t i = 0; i < reader->process_count; i++)
		note_called(functions, &reader->processes[i]);
	return functions;
}

/* True if requests that may contain findings were begun, or may have been; also if the function does not
 * begin requests. */
static bool may_have_requests(const struct recorded_functions *functions, const bool *holding)
{
	bool any = false;

	for (size_t i = 0; i < ALL_CALLS; i++) {
		if (!holding[i] || !begins_request(&all_calls[i]))
			continue;
		if (!functions->recorded[i] || functions->called[i])
			return true;
		any = true;
	}
	return !any;
}

bool may_be_hidden(const struct recorded_functions *functions, const struct rulebook *book,
                   const struct problem *problem)
{
	bool holding[SELECTABLE] = {false}, has_requests;

	problem_functions(book, problem, holding);
	has_requests = may_have_requests(functions, holding);
	for (size_t i = 0; i < ALL_CALLS; i++) {
		const struct call_info *info = &all_calls[i];
		if (holding[i] && !functions->recorded[i] &&
		    (call_is_pgas(info) ? functions->has_pgas : functions->has_mpi) &&
		    (has_requests || info->class != CLASS_REQUEST))
			return true;
	}
	return holding[SELECT_MARKS] && !functions->recorded[SELECT_MARKS];
}

/* Even on an idle machine, processes wait a little when they are woken. Findings exclude these delays, so a
 * few of them do not limit the trust. */
#define DELAY_NOTED 0.05
/* Processes were delayed for lack of a CPU for longer than they worked: findings then depend on the
 * machine. */
#define DELAY_PROHIBITIVE 0.5
/* The acceptable difference between clocks of different machines if there are no waits to compare it with. */
#define CLOCKS_APART_NS 1e6

const char *const trust_names[TRUST_VERDICTS] = {
	[TRUST_FULL] = "full",
	[TRUST_LIMITED] = "limited",
	[TRUST_NONE] = "none",
};

/* The result of a condition: its texts, and values for "$1", "$2" and so on in both. */
struct trust_facts {
	const char *text, *detail;
	const char *values[4];
	enum trust_verdict verdict; /* of the condition, unless changed */
	enum hiding hides;          /* likewise */
};

static const char *number_text(struct report *report, uint64_t number)
{
	return arena_format(&report->arena, "%" PRIu64, number);
}

static const char *seconds_text(struct report *report, double ns)
{
	scoped_text text = {0};

	text_add_seconds_in(&text, locale_of(report->analysis->lang), ns * 1e-9);
	return arena_text(&report->arena, text_get(&text));
}

/* Nothing there */

static bool is_empty(struct report *report, struct trust_facts *facts)
{
	facts->text = "no call was recorded";
	facts->detail = "'tarry doctor' shows whether programs can be recorded here.";
	return report->analysis->run_figures[RUN_CALLS] <= 0;
}

/* The number of processes in the worlds of this trace, as far as the trace states it. */
static uint64_t processes_of_worlds(const struct reader *reader)
{
	uint64_t count = 0;

	for (size_t i = 0; i < reader->process_count; i++) {
		const struct process *process = &reader->processes[i];
		bool is_first = !i || process[-1].world != process->world;
		if (is_first && process->has_size)
			count += process->size;
	}
	return count;
}

static bool is_missing_processes(struct report *report, struct trust_facts *facts)
{
	const struct reader *reader = report->analysis->reader;
	uint64_t expected = processes_of_worlds(reader);

	facts->text = "the trace contains only $1 of $2 processes";
	facts->detail = "Waits for the missing processes are not visible.";
	facts->values[0] = number_text(report, reader->process_count);
	facts->values[1] = number_text(report, expected);
	return expected > reader->process_count;
}

/* The reason of the first loss; NULL: nothing was lost. */
static const char *loss_of(const struct process *process)
{
	if (process->loss_count)
		return process->losses[0].reason;
	for (size_t i = 0; i < process->stream_count; i++)
		if (process->streams[i].loss_count)
			return process->streams[i].losses[0].reason;
	return NULL;
}

static bool has_lost_events(struct report *report, struct trust_facts *facts)
{
	const struct reader *reader = report->analysis->reader;
	const char *first = NULL;
	uint64_t count = 0;

	for (size_t i = 0; i < reader->process_count; i++) {
		const char *reason = loss_of(&reader->processes[i]);
		count += reason != NULL;
		first = first ? first : reason;
	}
	facts->text = "events of $1 were lost$2";
	facts->detail = "Waits in the lost part are not visible.";
	facts->values[0] = report_counted(report, count, "of|process", "of|processes");
	facts->values[1] = first && *first ? arena_format(&report->arena, ": %s", first) : "";
	return count;
}

static bool is_damaged(struct report *report, struct trust_facts *facts)
{
	size_t count = report->analysis->reader->damage_count;

	facts->text = "the trace is damaged: $1 could not be read";
	facts->detail = "Waits in these places are not visible.";
	facts->values[0] = report_counted(report, count, "place", "places");
	return count;
}

/* Processes without MPI_Finalize */

static bool has_called(const struct process *process, enum call_id id)
{
	return process_calls(process, all_calls[id].name);
}

static bool is_unfinished(const struct process *process)
{
	if (is_shmem_pe(process))
		return !has_called(process, CALL_shmem_finalize) &&
		       !has_called(process, CALL_shmem_global_exit) &&
		       !process_property(process, "selection");
	if (is_upc_thread(process))
		return !has_called(process, CALL_upc_exit) && !has_called(process, CALL_upc_global_exit) &&
		       !process_property(process, "selection");
	return (has_called(process, CALL_Init) || has_called(process, CALL_Init_thread)) &&
	       !has_called(process, CALL_Finalize);
}

/* The last call of a thread; false: it has none. */
static bool last_event(struct reader *reader, struct stream *stream, struct event *last)
{
	bool any = false;

	for (size_t chunk = stream->chunk_count; chunk-- > 0 && !any;) {
		struct event_iter iter;
		reader_events(reader, stream, &iter);
		iter.next_chunk = chunk;
		while (reader_next(&iter, last))
			any = true;
	}
	return any;
}

/* The last call of a process, by the time of all; false: it has none. */
static bool last_action(const struct report *report, uint32_t number, struct action *action)
{
	struct reader *reader = report->analysis->reader;
	struct process *process = &reader->processes[number];
	bool any = false;

	for (size_t i = 0; i < process->stream_count; i++) {
		struct event event;
		int64_t end;
		if (!last_event(reader, &process->streams[i], &event))
			continue;
		end = report->analysis->time ? corrected_ns(report->analysis->time, number, event.end)
		                             : (int64_t)event.end;
		if (!any || end > action->end)
			*action = (struct action){.process = number,
			                          .thread = process->streams[i].number,
			                          .call = event.call,
			                          .end = end};
		any = true;
	}
	return any;
}

/* A process that waits for others still existed when the job ended, but a process outside of waits may have
 * ended the job. */
enum end_order { ENDED_JOB, ENDED_BY_ITSELF, ENDED_WAITING };

static enum end_order end_order_of(const struct report *report, const struct action *last)
{
	const struct process_end *end = report->open ? &report->open->ends[last->process] : NULL;

	if (strcmp(last->call->outline->name, all_calls[CALL_Abort].name) == 0)
		return ENDED_JOB;
	return end && end->state == END_IN_CALL && end->needs.count ? ENDED_WAITING : ENDED_BY_ITSELF;
}

/* The last call of the process that ended first of those that did not finish. */
static bool first_to_end(const struct report *report, struct action *first)
{
	const struct reader *reader = report->analysis->reader;
	enum end_order first_order = ENDED_WAITING;
	bool any = false;

	for (uint32_t i = 0; i < reader->process_count; i++) {
		struct action action;
		enum end_order order;
		if (!is_unfinished(&reader->processes[i]) || !last_action(report, i, &action))
			continue;
		order = end_order_of(report, &action);
		if (any && (order > first_order || (order == first_order && action.end >= first->end)))
			continue;
		*first = action;
		first_order = order;
		any = true;
	}
	return any;
}

static const char *call_and_place(struct report *report, const struct action *action)
{
	enum { PLACE_MAX = 40 };
	struct call_place place = call_place_of(report, action);
	scoped_text words = {0};

	text_add(&words, "%s", place.call);
	if (*place.text) {
		text_add(&words, "%s", language_phrase(report_language(report), " at "));
		add_line_of(&words, &place, PLACE_MAX);
	}
	return arena_text(&report->arena, text_get(&words));
}

/* If the process was in a call at its end, name that call. */
static bool take_open_call(const struct report *report, struct action *last)
{
	const struct process_end *end = report->open ? &report->open->ends[last->process] : NULL;

	if (strcmp(last->call->outline->name, all_calls[CALL_Abort].name) == 0)
		return true;
	if (!end || end->state != END_IN_CALL)
		return false;
	last->call = end->call;
	last->thread = end->thread;
	return true;
}

static bool is_incomplete(struct report *report, struct trust_facts *facts)
{
	const struct reader *reader = report->analysis->reader;
	struct action first;

	for (size_t i = 0; i < reader->process_count; i++)
		report->unfinished += is_unfinished(&reader->processes[i]);
	facts->text = "the job still runs or was killed";
	facts->detail = "The analysis covers the part recorded so far.";
	if (reader->is_parts || !report->unfinished)
		return reader->is_parts;
	facts->text = "$1 of $2 ended without MPI_Finalize";
	facts->detail = "The analysis covers these processes up to their end.";
	facts->values[0] = number_text(report, report->unfinished);
	facts->values[1] = report_counted(report, reader->process_count, "of|process", "of|processes");
	if (first_to_end(report, &first) && reader->processes[first.process].rank != PROCESS_UNKNOWN) {
		facts->text =
			take_open_call(report, &first)
				? "$1 of $2 ended without MPI_Finalize; the first was rank $3, in $4"
				: "$1 of $2 ended without MPI_Finalize; the first was rank $3, after $4";
		facts->values[2] = number_text(report, reader->processes[first.process].rank);
		facts->values[3] = call_and_place(report, &first);
	}
	return true;
}

/* Processes without a CPU */

/* Report that scheduling delays are excluded from the findings. */
static bool is_oversubscribed(struct report *report, struct trust_facts *facts)
{
	const struct analysis *analysis = report->analysis;
	struct crowding crowding = analysis->crowding;
	struct delay_sums delays = propagated_delay_sums(analysis->delays);
	double share = share_of_run(report, delays.scheduling_ns);
	uint64_t processes = crowding.cores ? crowding.processes : analysis->reader->process_count;

	facts->text = crowding.cores ? "$1 on $2: ready to run but without a CPU $3 of the time"
	                             : "$1: ready to run but without a CPU $3 of the time";
	facts->detail =
		crowding.cores && crowding.processes <= crowding.cores
			? "Delays caused by this are excluded. Other programs or further threads use the same cores."
			: "Delays caused by this are excluded. Run one process per core.";
	facts->values[0] = report_counted(report, processes, "process", "processes");
	facts->values[1] = report_counted(report, crowding.cores, "core", "cores");
	facts->values[2] = arena_format(&report->arena, "%.0f %%", 100 * share);
	if (share_of_run(report, delays.harmful_ns) > DELAY_PROHIBITIVE)
		facts->verdict = TRUST_NONE;
	return share >= DELAY_NOTED;
}

/* It is unknown when this time was taken and from which process, so it cannot be excluded: report this. */
static bool has_lost_to_hosts(struct report *report, struct trust_facts *facts)
{
	const struct steal *steal = &report->analysis->steal;

	if (!steal->nodes)
		return false;
	facts->text =
		steal->nodes > 1
			? "the hosts of $3 nodes took up to $2 of the CPU time (steal), most on node $1; they may have caused some of the waits"
			: "the host of node $1 took $2 of the CPU time (steal); it may have caused some of the waits";
	facts->detail =
		"Delays caused by this are not excluded. Repeat the run on machines that are not shared.";
	facts->values[0] = *steal->name ? steal->name : number_text(report, steal->node);
	facts->values[1] = arena_format(&report->arena, "%.0f %%", 100 * steal->share);
	facts->values[2] = number_text(report, steal->nodes);
	return true;
}

/* Threads that the recorder did not observe. Helper threads of libraries use little time. */
#define OTHER_THREADS_NOTED 0.05
enum { OTHER_THREADS_US_MIN = 5000 };

/* The part of the recorded time; more than 1 if several threads worked. */
static double share_of_other_threads(const struct process *process, uint64_t *us)
{
	const char *text = process_property(process, "other_threads");
	uint64_t run_us;

	if (!text || sscanf(text, "%" SCNu64 "/%" SCNu64, us, &run_us) != 2 || !run_us ||
	    *us < OTHER_THREADS_US_MIN)
		return 0;
	return (double)*us / (double)run_us;
}

static bool has_other_threads(struct report *report, struct trust_facts *facts)
{
	const struct reader *reader = report->analysis->reader;
	double most = 0;

	facts->text =
		"threads that use neither MPI nor OpenMP were not recorded; on rank $1 they used $2 of CPU time, "
		"$3 of the run time";
	facts->detail =
		"Their work and their waits are not visible. Only calls of MPI and OpenMP are evaluated.";
	for (size_t i = 0; i < reader->process_count; i++) {
		uint64_t us = 0;
		double share = share_of_other_threads(&reader->processes[i], &us);
		if (share <= most)
			continue;
		most = share;
		facts->values[0] = number_text(report, reader->processes[i].rank);
		facts->values[1] = seconds_text(report, (double)us * 1e3);
		facts->values[2] = arena_format(&report->arena, "%.0f %%", 100 * share);
	}
	return most >= OTHER_THREADS_NOTED;
}

/* Each process is a job of its own. */
static bool has_wrong_launcher(struct report *report, struct trust_facts *facts)
{
	struct wrong_launcher wrong = find_wrong_launcher(report->analysis->reader);

	facts->text =
		"each of $1 processes is alone in MPI_COMM_WORLD: the program uses $3 but was started by $2";
	facts->detail = "Start the program with the launcher of its own MPI library.";
	facts->values[0] = number_text(report, wrong.processes);
	facts->values[1] = wrong.launcher;
	facts->values[2] = wrong.library;
	return wrong.processes;
}

/* Excluded by the user */

static bool has_never_begun(struct report *report, struct trust_facts *facts)
{
	struct recorded_part part = recorded_part_of(report->analysis->reader, &report->arena);

	facts->text = part.seen ? "$1 never occurred: nothing was recorded; seen: $2"
	                        : "$1 never occurred: nothing was recorded";
	facts->detail = "Name a region, phase or mark of the program, or a function that it calls.";
	facts->values[0] = part.never_came;
	facts->values[1] = part.seen;
	return part.never_came;
}

static enum hiding excluded_calls_hide(const struct report *report)
{
	const struct rulebook *book = report->analysis->book;

	for (size_t i = 0; i < book->problem_count && report->trust.functions; i++)
		if (!book->problems[i]->is_metric &&
		    may_be_hidden(report->trust.functions, book, book->problems[i]))
			return HIDES_SOME;
	return HIDES_NOTHING;
}

/* The part of the run that the user selected is evaluated, but excluded calls are not. The selection is the
 * same for all processes. */
static bool is_in_part(struct report *report, struct trust_facts *facts)
{
	const struct reader *reader = report->analysis->reader;
	const char *selection = NULL;
	bool has_paused = false;

	for (size_t i = 0; i < reader->process_count && !selection; i++) {
		selection = process_property(&reader->processes[i], "selection");
		for (size_t j = 0; j < reader->processes[i].stream_count; j++)
			has_paused |= reader->processes[i].streams[j].pause_count > 0;
	}
	facts->text = !selection ? "recording was paused (MPI_Pcontrol)"
	              : strstr(selection, "--only ") || strstr(selection, "--not ")
	                      ? "only some calls were recorded ($1); the others count as computing"
	                      : "only a part was recorded ($1)";
	facts->detail = "The rest is not visible.";
	facts->values[0] = selection;
	report->trust.functions = recorded_functions_of(reader, &report->arena);
	facts->hides = excluded_calls_hide(report);
	return selection || has_paused;
}

static bool has_no_events(struct report *report, struct trust_facts *facts)
{
	facts->text = "only sums were recorded (--summary), no events";
	facts->detail =
		"Wait states, causes, the critical path and the timeline need events. Record a shorter run "
		"without --summary.";
	return has_only_sums(report->analysis->reader);
}

/* In any process. */
static bool has_property(const struct reader *reader, const char *key, const char *value)
{
	for (size_t i = 0; i < reader->process_count; i++)
		for (size_t j = 0; j < reader->processes[i].property_count; j++)
			if (strcmp(reader->processes[i].properties[j].key, key) == 0 &&
			    strcmp(reader->processes[i].properties[j].value, value) == 0)
				return true;
	return false;
}

static bool is_called_at_all(const struct reader *reader, const char *function)
{
	for (size_t i = 0; i < reader->process_count; i++)
		if (process_calls(&reader->processes[i], function))
			return true;
	return false;
}

/* An argument of a called MPI function that is used in rules which were not loaded during the recording. */
static bool is_unrecorded(struct report *report, const struct rule_argument *argument)
{
	const struct reader *reader = report->analysis->reader;
	const char *name = arena_format(&report->arena, "%s:%s", argument->function, argument->text);

	return is_called_at_all(reader, argument->function) && !has_property(reader, "argument", name);
}

/* "MPI_Comm_split (color, key)", of all functions in turn. */
static void add_unrecorded_arguments(struct report *report, struct text *missing, const char **file)
{
	size_t count, kept = 0;
	struct rule_argument *needed = rulebook_arguments(report->analysis->book, &report->arena, &count);

	for (size_t i = 0; i < count; i++)
		if (is_unrecorded(report, &needed[i]))
			needed[kept++] = needed[i];
	for (size_t i = 0; i < kept; i++) {
		const char *function = needed[i].function, *gap = " (";

		if (!function)
			continue;
		text_add(missing, "%s%s", missing->length ? ", " : "", function);
		for (size_t j = i; j < kept; j++) {
			if (!needed[j].function || strcmp(needed[j].function, function) != 0)
				continue;
			text_add(missing, "%s%s", gap, needed[j].text);
			gap = ", ";
			needed[j].function = NULL;
		}
		text_add(missing, ")");
		*file = needed[i].file;
	}
}

/* Without this note, a missing finding would look like the absence of a problem. */
static bool is_untraced(struct report *report, struct trust_facts *facts)
{
	const struct rulebook *book = report->analysis->book;
	const struct reader *reader = report->analysis->reader;
	const char *file = "FILE";
	scoped_text missing = {0};

	for (size_t i = 0; i < book->type_count; i++) {
		const struct event_type *type = book->types[i];
		if (!type->prototype || (has_property(reader, "traced", type->prototype->function) ||
		                         is_called_at_all(reader, type->prototype->function)))
			continue;
		text_add(&missing, "%s%s", missing.length ? ", " : "", type->prototype->function);
		file = type->origin.file;
	}
	add_unrecorded_arguments(report, &missing, &file);
	facts->text = "not recorded, but needed by rules: $1; record with 'tarry run --rules $2'";
	facts->detail = "Findings of these rules may be missing.";
	facts->values[0] = arena_text(&report->arena, text_get(&missing));
	facts->values[1] = file;
	return *facts->values[0];
}

static bool has_left_out_events(struct report *report, struct trust_facts *facts)
{
	facts->text = "$1";
	facts->detail = "Findings of this rule may be missing.";
	facts->values[0] = report->analysis->note_count ? report->analysis->notes[0] : "";
	return report->analysis->note_count;
}

/* Clocks */

/* Longer than the shortest of the shown waits. */
static bool is_longer_than_waits(const struct report *report, double ns)
{
	for (size_t i = 0; i < report->shown; i++)
		if ((double)mean_ns(&report->entries[i]) < ns)
			return true;
	return !report->shown && ns >= CLOCKS_APART_NS;
}

static bool has_uncertain_clocks(struct report *report, struct trust_facts *facts)
{
	double uncertainty_ns = report->analysis->run_figures[RUN_UNCERTAINTY];
	uint32_t used = 0, compared = 0;
	bool is_real = false;

	if (!report->analysis->time)
		return false;
	facts->detail = "Waits between nodes may be shorter or longer than shown.";
	facts->text = "clocks differ by up to $1: shorter waits are not visible";
	facts->values[0] = seconds_text(report, uncertainty_ns);
	if (is_longer_than_waits(report, uncertainty_ns))
		return true;
	facts->text = "clocks of different nodes were not compared";
	/* True if processes use several clocks, and some of them were never compared. */
	for (uint32_t i = 0; i < report->analysis->time->clocks->line_count; i++) {
		const struct clock_line *line = &report->analysis->time->clocks->lines[i];
		if (!line->processes)
			continue;
		used++;
		compared += line->is_compared;
		is_real = is_real || *line->identity;
	}
	return is_real && used > 1 && compared < used;
}

/* All entries, those that explain others first. */
static const struct {
	const char *id;
	enum trust_verdict verdict;
	enum hiding hides;
	bool (*holds)(struct report *report, struct trust_facts *facts);
} conditions[] = {
	{"empty", TRUST_NONE, HIDES_ANY, is_empty},
	{"wrong-launcher", TRUST_NONE, HIDES_ANY, has_wrong_launcher},
	{"never-came", TRUST_NONE, HIDES_ANY, has_never_begun},
	{"incomplete", TRUST_LIMITED, HIDES_ANY, is_incomplete},
	{"processes-missing", TRUST_LIMITED, HIDES_ANY, is_missing_processes},
	{"events-lost", TRUST_LIMITED, HIDES_ANY, has_lost_events},
	{"damaged", TRUST_LIMITED, HIDES_ANY, is_damaged},
	{"summary", TRUST_LIMITED, HIDES_ANY, has_no_events},
	{"in-part", TRUST_LIMITED, HIDES_NOTHING, is_in_part},
	{"oversubscribed", TRUST_LIMITED, HIDES_NOTHING, is_oversubscribed},
	{"host-steal", TRUST_LIMITED, HIDES_NOTHING, has_lost_to_hosts},
	{"other-threads", TRUST_LIMITED, HIDES_NOTHING, has_other_threads},
	{"not-recorded", TRUST_LIMITED, HIDES_ANY, is_untraced},
	{"analysis-limited", TRUST_LIMITED, HIDES_ANY, has_left_out_events},
	{"clocks-uncertain", TRUST_LIMITED, HIDES_ANY, has_uncertain_clocks},
};

void json_trust(struct json *json, const struct report_trust *trust)
{
	json_open(json, "trust", '{');
	json_text(json, "verdict", trust_names[trust->verdict]);
	json_bool(json, "can_judge", trust->can_judge);
	json_open(json, "reasons", '[');
	for (size_t i = 0; i < trust->reason_count; i++) {
		const struct trust_reason *reason = &trust->reasons[i];
		json_open(json, NULL, '{');
		json_text(json, "id", reason->id);
		json_text(json, "verdict", trust_names[reason->verdict]);
		json_fields(json, reason_fields, reason);
		json_close(json, '}');
	}
	json_close_all(json, "]}");
}

void collect_trust(struct report *report)
{
	struct report_trust *trust = &report->trust;
	size_t count = sizeof conditions / sizeof *conditions;
	struct trust_facts facts[sizeof conditions / sizeof *conditions];
	bool holds[sizeof conditions / sizeof *conditions];

	for (size_t i = 0; i < count; i++) {
		facts[i] = (struct trust_facts){.verdict = conditions[i].verdict,
		                                .hides = conditions[i].hides};
		holds[i] = conditions[i].holds(report, &facts[i]);
	}
	trust->can_judge = true;
	for (int verdict = TRUST_NONE; verdict > TRUST_FULL; verdict--)
		for (size_t i = 0; i < count; i++) {
			if (!holds[i] || (int)facts[i].verdict != verdict)
				continue;
			trust->verdict = facts[i].verdict > trust->verdict ? facts[i].verdict
			                                                   : trust->verdict;
			if (verdict == TRUST_NONE)
				facts[i].hides = HIDES_ANY;
			trust->can_judge &= facts[i].hides == HIDES_NOTHING;
			arena_add(&report->arena, trust->reasons, trust->reason_count,
			          (struct trust_reason){
					  conditions[i].id, facts[i].verdict, facts[i].hides,
					  report_filled(report, facts[i].text, facts[i].values),
					  report_filled(report, facts[i].detail, facts[i].values)});
		}
}
