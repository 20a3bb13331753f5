/* SARIF 2.1.0, which code-scanning viewers show beside the source. The savings of a finding are its `rank`,
 * from 0 to 100. */
#include "base/json.h"
#include "base/paths.h"
#include "base/sarif.h"
#include "output/report/parts.h"
#include "output/report/sheet.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_MAX = 64 };

/* Places */

static void sarif_location(struct json *json, const char *key, const struct report *report,
                           const struct call_place *place, int64_t id, const char *message)
{
	const char *function = function_of(&place->where);

	json_open(json, key, '{');
	if (id)
		json_number(json, "id", id);
	sarif_place(json, report->root, place->where.file, place->where.line,
	            function       ? function
	            : *place->text ? place->text
	                           : place->call);
	sarif_message(json, "message", message);
	json_close(json, '}');
}

/* Steps */

struct flow_step {
	const struct action *action;
	int64_t order; /* position among all steps by time, from 1; 0: its thread is already written */
};

static int by_start(const void *left, const void *right)
{
	const struct action *a = ((const struct flow_step *)left)->action,
			    *b = ((const struct flow_step *)right)->action;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return (a->process > b->process) - (a->process < b->process);
}

/* The steps of the same thread as the first one. */
static void add_thread(struct json *json, struct report *report, struct flow_step *steps, size_t count)
{
	const struct action *own = steps[0].action;
	const struct process *process = &report->analysis->reader->processes[own->process];
	scoped_text id = {0};

	text_add(&id, "%s ", is_upc_thread(process) ? "thread" : "rank");
	text_add(&id, process->rank == PROCESS_UNKNOWN ? "?" : "%" PRIu32, process->rank);
	if (own->thread)
		text_add(&id, ", thread %" PRIu32, own->thread);
	json_open(json, NULL, '{');
	json_text(json, "id", text_get(&id));
	json_open(json, "locations", '[');
	for (size_t i = 0; i < count; i++) {
		const struct action *action = steps[i].action;
		struct call_place place;

		if (action->process != own->process || action->thread != own->thread)
			continue;
		place = call_place_of(report, action);
		json_open(json, NULL, '{');
		sarif_location(json, "location", report, &place, 0, place.call);
		json_number(json, "executionOrder", steps[i].order);
		json_open(json, "properties", '{');
		json_seconds(json, "start_s", action->start);
		json_seconds(json, "end_s", action->end);
		json_close_all(json, "}}");
		steps[i].order = 0;
	}
	json_close_all(json, "]}");
}

static void sarif_flow(struct json *json, struct report *report, const struct finding *worst)
{
	struct flow_step steps[STEPS_MAX];
	size_t count = 0;

	for (; count < worst->action_count && count < STEPS_MAX; count++)
		steps[count].action = &worst->actions[count];
	if (!count)
		return;
	qsort(steps, count, sizeof *steps, by_start);
	for (size_t i = 0; i < count; i++)
		steps[i].order = (int64_t)i + 1;
	json_open(json, "codeFlows", '[');
	json_open(json, NULL, '{');
	json_open(json, "threadFlows", '[');
	for (size_t i = 0; i < count; i++)
		if (steps[i].order)
			add_thread(json, report, &steps[i], count - i);
	json_close_all(json, "]}]");
}

static const char *const levels[IMPACTS_END] = {
	[IMPACT_LOW] = "note",
	[IMPACT_MEDIUM] = "warning",
	[IMPACT_HIGH] = "error",
};

static const char *const precisions[] = {
	[CONFIDENCE_CERTAIN] = "very-high",
	[CONFIDENCE_LIKELY] = "high",
	[CONFIDENCE_SUSPICION] = "medium",
};

static void add_rule(struct json *json, const struct problem *problem, const char *lang)
{
	const char *description = problem_description(problem, lang);

	json_open(json, NULL, '{');
	json_text(json, "id", problem->id);
	sarif_message(json, "shortDescription", problem_name(problem, lang));
	if (description && *description)
		sarif_message(json, "fullDescription", description);
	json_open(json, "properties", '{');
	json_text(json, "precision", precisions[problem->confidence]);
	json_open(json, "tags", '[');
	json_text(json, NULL, "performance");
	json_close_all(json, "]}}");
}

/* Results */

static void add_message(struct json *json, const struct report *report, const struct report_entry *entry)
{
	struct sheet sheet = sheet_for(report, NULL, NULL);
	scoped_text words = {0}, lost = {0};

	text_add(&words, "%s: ", problem_name(entry->problem, report->analysis->lang));
	sheet_price(&sheet, entry, &words);
	if (!entry->answer.doubt) {
		sheet_seconds(&sheet, &lost, entry->lost_ns);
		add_filled_phrase(&words, sheet.language, ", ranks lose $1",
		                  (const char *[]){text_get(&lost)});
	}
	text_add(&words, ", ");
	sheet_ranks(&sheet, &words, &entry->concerned);
	text_add(&words, ". ");
	if (entry->cause_count) {
		text_add(&words, "%s: ", phrase(&sheet, "Cause"));
		cause_in_short(report, &entry->causes[0], SIZE_MAX, &words);
		text_add(&words, ". ");
	}
	text_add(&words, "%s", entry->advice);
	sarif_message(json, "message", text_get(&words));
}

static void add_related(struct json *json, struct report *report, const struct report_entry *entry)
{
	struct sheet sheet = sheet_for(report, NULL, NULL);

	json_open(json, "relatedLocations", '[');
	for (size_t i = 0; i < entry->partner_count; i++) {
		const struct partner *partner = &entry->partners[i];
		scoped_text words = {0};
		text_add(&words, "%s, ", partner->at.call);
		sheet_ranks(&sheet, &words, &partner->processes);
		sarif_location(json, NULL, report, &partner->at, (int64_t)i + 1, text_get(&words));
	}
	for (size_t i = 0, id = entry->partner_count; i < entry->cause_count; i++) {
		const struct report_cause *cause = &entry->causes[i];
		scoped_text words = {0};
		if (!*cause->to.call)
			continue;
		cause_in_full(report, entry, cause, &words);
		sarif_location(json, NULL, report, &cause->to, (int64_t)++id, text_get(&words));
	}
	json_close(json, ']');
}

/* The identity of a finding without line numbers, so that it stays the same when lines move. */
static uint64_t fingerprint(const struct report *report, const struct report_entry *entry)
{
	const struct location *where = &entry->at.where;
	const char *function = function_of(where);
	scoped_text key = {0};
	uint64_t hash = 14695981039346656037u;

	text_add(&key, "%s\n%s\n%s\n%s", entry->problem->id, entry->at.call, function ? function : "",
	         where->file ? path_below(report->root, where->file) : "");
	for (size_t i = 0; i < key.length; i++)
		hash = (hash ^ (unsigned char)key.bytes[i]) * 1099511628211u;
	return hash;
}

static void add_result(struct json *json, struct report *report, size_t number, int64_t rule,
                       const uint64_t *fingerprints)
{
	const struct report_entry *entry = &report->entries[number];

	json_open(json, NULL, '{');
	json_text(json, "ruleId", entry->problem->id);
	json_number(json, "ruleIndex", rule);
	json_text(json, "level", levels[entry->impact]);
	add_message(json, report, entry);
	json_open(json, "locations", '[');
	sarif_location(json, NULL, report, &entry->at, 0, entry->at.call);
	json_close(json, ']');
	add_related(json, report, entry);
	sarif_fingerprint(json, "tarryFinding/v1", fingerprints, number);
	sarif_flow(json, report, entry->worst);
	json_number(json, "occurrenceCount", (int64_t)entry->count);
	json_real(json, "rank", 100 * fmin(1, entry_share(report, entry)));
	json_open(json, "properties", '{');
	json_finding_fields(json, report, entry);
	if (entry_phase(report, entry))
		json_text(json, "phase", entry_phase(report, entry));
	json_open(json, "processes", '[');
	for (size_t i = 0; i < entry->processes.count; i++)
		json_rank(json, NULL, &report->analysis->reader->processes[entry->processes.at[i]]);
	json_close_all(json, "]}}");
}

/* Rules: one for each problem that was found, in the order of the first finding of it. */
void report_sarif(struct report *report, struct text *out)
{
	const char *lang = report->analysis->lang;
	size_t problems = report->analysis->book->problem_count;
	/* By number of the problem: its position in the list of rules, from 1. */
	int64_t *rule_of = arena_array(&report->arena, int64_t, problems + ORIGINS_END), count = 0;
	uint64_t *fingerprints = arena_array(&report->arena, uint64_t, report->shown + 1);
	struct json document = {.out = out}, *json = &document;

	sarif_begin(json, TARRY_VERSION);
	for (size_t i = 0; i < report->shown; i++) {
		const struct problem *problem = report->entries[i].problem;

		fingerprints[i] = fingerprint(report, &report->entries[i]);
		if (rule_of[problem->number])
			continue;
		rule_of[problem->number] = ++count;
		add_rule(json, problem, lang);
	}
	json_close_all(json, "]}}");
	/* Missing parts of the trace. */
	json_open(json, "invocations", '[');
	json_open(json, NULL, '{');
	json_bool(json, "executionSuccessful", true);
	json_open(json, "toolExecutionNotifications", '[');
	for (size_t i = 0; i < report->note_count; i++)
		sarif_notification(json, report->notes[i].is_trust ? "warning" : "note",
		                   report->notes[i].text);
	json_close(json, ']');
	json_open(json, "properties", '{');
	json_trust(json, &report->trust);
	json_close_all(json, "}}]");
	json_text(json, "language", lang ? lang : "en");
	sarif_root(json, report->root);
	json_open(json, "results", '[');
	for (size_t i = 0; i < report->shown; i++)
		add_result(json, report, i, rule_of[report->entries[i].problem->number] - 1, fingerprints);
	json_close_all(json, "]}]}");
}
