#include "analysis/whatif/remedy.h"
#include "base/paths.h"
#include "calls/calls.h"
#include "output/report/parts.h"
#include "output/report/report.h"
#include "output/report/sheet.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The time of the calls that led to a finding: preparation, waiting for other processes to be ready, and transfer. A process is ready when the first of its calls begins. A call that only begins an operation (MPI_Irecv, MPI_Start, MPI_Send_init) is
 * preparation. Any other call waits until all other processes are ready; the rest of it is transfer. The part of a wait
 * that the other process lost without a CPU is a scheduling delay, which findings do not charge. */

/* All are 0 for a call that involves no other process. */
struct action_times {
	int64_t preparation_ns, waiting_ns, delay_ns, transfer_ns;
};

/* The time when a process was ready: the start of its first call, and the same without scheduling delays. */
struct ready_times {
	int64_t at, undelayed;
};

static struct ready_times ready_at(const struct analysis *analysis, const struct finding *finding,
                                   uint32_t process)
{
	const struct action *first = NULL;

	for (uint32_t i = 0; i < finding->action_count; i++)
		if (finding->actions[i].process == process &&
		    (!first || finding->actions[i].start < first->start))
			first = &finding->actions[i];
	return (struct ready_times){
		first->start,
		first->start - (analysis->delays
	                                ? propagated_delay_at(analysis->delays, process, first->thread,
	                                                      first->start + analysis->counts.start_ns)
	                                : 0)};
}

static struct action_times action_times(const struct analysis *analysis, const struct finding *finding,
                                        const struct action *action)
{
	const struct call_info *call = call_find(action->call->outline->name);
	const int64_t duration = action->end - action->start;
	struct ready_times own, others = {INT64_MIN, INT64_MIN};
	struct action_times times = {0};

	if (!call || call_is_local(call))
		return times;
	if (call->persistent || call->starts || call_has(call, KIND_newrequest)) {
		times.preparation_ns = duration;
		return times;
	}
	own = ready_at(analysis, finding, action->process);
	for (uint32_t i = 0; i < finding->action_count; i++)
		if (finding->actions[i].process != action->process) {
			struct ready_times other = ready_at(analysis, finding, finding->actions[i].process);

			others.at = other.at > others.at ? other.at : others.at;
			others.undelayed = other.undelayed > others.undelayed ? other.undelayed
			                                                      : others.undelayed;
		}
	if (others.at == INT64_MIN)
		return times;
	if (others.at > action->start) {
		int64_t waited = others.at < action->end ? others.at - action->start : duration;
		int64_t undelayed = others.undelayed - (action->start - (own.at - own.undelayed));

		times.waiting_ns = undelayed < 0 ? 0 : undelayed < waited ? undelayed : waited;
		times.delay_ns = waited - times.waiting_ns;
	}
	times.transfer_ns = duration - times.waiting_ns - times.delay_ns;
	return times;
}

/* "2.00 s waiting, 200 ms transfer" */
static void add_times(const struct sheet *sheet, struct text *words, struct action_times times)
{
	const struct {
		int64_t ns;
		const char *name;
	} parts[] = {{times.preparation_ns, "preparation"},
	             {times.waiting_ns, "waiting"},
	             {times.delay_ns, "scheduling delay"},
	             {times.transfer_ns, "transfer"}};
	const char *gap = "";

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (parts[i].ns) {
			text_add(words, "%s", gap);
			sheet_seconds(sheet, words, parts[i].ns);
			text_add(words, " %s", phrase(sheet, parts[i].name));
			gap = ", ";
		}
}

static void add_call_place(const struct sheet *sheet, const struct call_place *place, struct text *words)
{
	text_add(words, "%s", place->call);
	if (*place->text)
		text_add(words, "%s%s", phrase(sheet, " at "), place->text);
}

/* A line for each call of the longest occurrence, and one for their sum. `has_times`: each is a single call,
 * not the sum of many. */
static void add_actions(const struct sheet *sheet, struct report *report, const struct report_entry *entry,
                        bool has_times)
{
	const struct finding *worst = entry->worst;
	struct action_times all = {0};
	struct text words = {0};

	for (uint32_t i = 0; i < worst->action_count; i++) {
		const struct action *action = &worst->actions[i];
		const struct action_times times = action_times(report->analysis, worst, action);
		const struct process *process = &report->analysis->reader->processes[action->process];
		const struct call_place place = call_place_of(report, action);

		add_call_place(sheet, &place, &words);
		if (process->rank != PROCESS_UNKNOWN)
			text_add(&words, ", %s%" PRIu32, phrase(sheet, "rank "), process->rank);
		if (has_times) {
			text_add(&words, ", %s", phrase(sheet, "at "));
			sheet_seconds(sheet, &words, action->start);
			text_add(&words, ": ");
			if (times.preparation_ns + times.waiting_ns + times.delay_ns + times.transfer_ns)
				add_times(sheet, &words, times);
			else
				sheet_seconds(sheet, &words, action->end - action->start);
		}
		sheet_labelled(sheet, "call", &words);
		all.preparation_ns += times.preparation_ns;
		all.waiting_ns += times.waiting_ns;
		all.delay_ns += times.delay_ns;
		all.transfer_ns += times.transfer_ns;
	}
	if (has_times && worst->action_count > 1)
		add_times(sheet, &words, all);
	if (words.length)
		sheet_labelled(sheet, "in all", &words);
}

enum {
	HEADING_GAPS = 7,
	BAR_WIDTH = 20,
	WIDTH_FOR_BAR = 80,
	RANGE_FROM = 10,
	PARTNERS_SHOWN = 4,
	OPEN_LINES = 4,
	RANKS_SHOWN = 8,
	NODES_SHOWN = 4,
	REASON_INDENT = 2
};

/* The cost follows the name, or is below it if there is no room. */
static void add_heading(const struct sheet *sheet, size_t number)
{
	const struct report_entry *entry = &sheet->report->entries[number];
	const char *colour = sheet->style->impacts[entry->impact];
	scoped_text name = {0}, price = {0};

	text_add(&name, "%s", problem_name(entry->problem, sheet->report->analysis->lang));
	text_strip_controls(&name);
	sheet_price(sheet, entry, &price);
	if (entry->problem->confidence == CONFIDENCE_LIKELY)
		text_add(&price, ", %s", phrase(sheet, "likely"));
	else if (entry->problem->confidence == CONFIDENCE_SUSPICION)
		text_add(&price, ", %s", phrase(sheet, "suspected"));
	text_add(sheet->out, "\n%zu. %s%s%s%s", number + 1, colour ? colour : "", text_get(&name),
	         sheet->style->none ? sheet->style->none : "",
	         text_width(text_get(&name)) + text_width(text_get(&price)) + HEADING_GAPS >
	                         sheet->style->width
	                 ? "\n"
	                 : "");
	text_add(sheet->out, "   %s", text_get(&price));
	if (sheet->style->width >= WIDTH_FOR_BAR)
		sheet_bar(sheet, entry_share(sheet->report, entry), BAR_WIDTH);
	text_add(sheet->out, "\n");
}

/* "(2 other ranks: 13.5 us)" */
static void add_others(const struct sheet *sheet, const struct report_entry *entry, struct text *words)
{
	size_t others = entry->cost_count - entry->concerned.count;
	int64_t rest_ns = 0;

	for (size_t i = 0, next = 0; i < entry->cost_count; i++)
		if (next < entry->concerned.count && entry->costs[i].process == entry->concerned.at[next])
			next++;
		else
			rest_ns = saturating_add(rest_ns, entry->costs[i].total_ns);
	if (!others)
		return;
	text_add(words, " (");
	add_counted(words, sheet->language, others, "other rank", "other ranks");
	text_add(words, ": ");
	sheet_seconds(sheet, words, rest_ns);
	text_add(words, ")");
}

static void add_more(const struct sheet *sheet, size_t rest, struct text *words)
{
	if (rest)
		text_add(words, "%s%zu%s", phrase(sheet, " and "), rest, phrase(sheet, " more"));
}

static bool has_threads(const struct run_spans *windows)
{
	for (uint32_t i = 0; i < windows->process_count; i++)
		if (windows->processes[i].counted_threads > 1)
			return true;
	return false;
}

/* ", threads 1,4-7". The main thread is not shown if there is no other. */
static void add_threads(const struct sheet *sheet, const struct report_entry *entry, struct text *words)
{
	const struct number_list *list = &entry->threads;
	size_t runs = 0, i = 0;

	if (list->count == 1 && !list->at[0] && !has_threads(sheet->report->analysis->run))
		return;
	text_add(words, ", %s", phrase(sheet, list->count == 1 ? "thread " : "threads "));
	for (; i < list->count && runs < RANKS_SHOWN; runs++) {
		size_t last = i;
		while (last + 1 < list->count && list->at[last + 1] == list->at[last] + 1)
			last++;
		text_add(words, "%s%" PRIu32, runs ? "," : "", list->at[i]);
		if (last > i)
			text_add(words, "-%" PRIu32, list->at[last]);
		i = last + 1;
	}
	add_more(sheet, list->count - i, words);
}

static void add_where(const struct sheet *sheet, const struct report_entry *entry)
{
	struct text words = {0};
	const struct nodes *nodes;
	size_t shown;

	add_call_place(sheet, &entry->at, &words);
	text_add(&words, ", ");
	sheet_ranks(sheet, &words, &entry->concerned);
	add_others(sheet, entry, &words);
	/* "(node1, node2 and 3 more)" */
	nodes = sheet->report->nodes;
	shown = smaller(entry->nodes.count, NODES_SHOWN);
	if (nodes->count >= 2) {
		for (size_t i = 0; i < shown; i++)
			text_add(&words, "%s%s", i ? ", " : " (", nodes->names[entry->nodes.at[i]]);
		add_more(sheet, entry->nodes.count - shown, &words);
		text_add(&words, ")");
	}
	add_threads(sheet, entry, &words);
	sheet_labelled(sheet, "where", &words);
}

/* In a collective call the others are mostly at the same place. Then only their ranks are shown. */
static void add_partner(const struct sheet *sheet, const struct report_entry *entry,
                        const struct partner *partner)
{
	struct text words = {0};

	if (!is_same_place(&entry->at, &partner->at)) {
		add_call_place(sheet, &partner->at, &words);
		text_add(&words, ", ");
	}
	sheet_ranks(sheet, &words, &partner->processes);
	if (entry->partner_count > 1) {
		text_add(&words, " (");
		sheet_seconds(sheet, &words, partner->total_ns);
		text_add(&words, ")");
	}
	sheet_labelled(sheet, "partner", &words);
}

static void add_partners(const struct sheet *sheet, const struct report_entry *entry)
{
	size_t shown = entry->partner_count;

	if (shown > PARTNERS_SHOWN && !sheet->report->all)
		shown = PARTNERS_SHOWN;
	for (size_t i = 0; i < shown; i++)
		add_partner(sheet, entry, &entry->partners[i]);
	if (shown < entry->partner_count) {
		struct text words = {0};
		add_counted(&words, sheet->language, entry->partner_count - shown,
		            "more place; --all shows it", "more places; --all shows them");
		sheet_labelled(sheet, "partner", &words);
	}
}

/* With its part of the time, if there are several. */
static void add_phases_of(const struct sheet *sheet, const struct report_entry *entry)
{
	enum { PHASES_SHOWN = 3 };
	struct text words = {0};

	for (size_t i = 0; i < entry->phase_count && i < PHASES_SHOWN; i++) {
		const struct entry_phase *phase = &entry->phases[i];
		text_add(&words, "%s%s", i ? ", " : "",
		         sheet->report->analysis->figures->phases[phase->phase].path);
		if (phase->part < 1) {
			text_add(&words, " (");
			sheet_share(sheet, &words, phase->part);
			text_add(&words, ")");
		}
	}
	if (words.length)
		sheet_labelled(sheet, "phase", &words);
}

/* True if an event of this type sums up many calls. It is counted once, and its text gives their number. */
static bool is_sum(const struct event_type *type)
{
	bool is_one = type->form == FORM_CALL || type->form == FORM_RUN;

	if (type->form == FORM_NATIVE)
		return type->relation == RELATION_SITE || type->relation == RELATION_CALL_PAIR;
	for (uint32_t i = 0; i < type->key_count; i++)
		is_one |= type->keys[i]->type.base == TYPE_IDENTITY &&
		          (type->keys[i]->type.thing == THING_INSTANCE ||
		           type->keys[i]->type.thing == THING_COMPLETION);
	if (type->form == FORM_GROUP && !is_one)
		return true;
	for (uint32_t i = 0; i < type->member_count; i++)
		if (!is_one && !type->members[i].is_shared && is_sum(type->members[i].type))
			return true;
	return false;
}

/* A cause also loses the time of its consequences. What it costs itself has another name then. */
struct own_cost {
	const char *label, *words;
};

static struct own_cost own_cost_of(const struct report_entry *entry)
{
	const enum remedy_kind remedy = entry->problem->remedy;

	if (!entry->partner_count && !is_origin(entry)) {
		if (remedy == REMEDY_WORK)
			return (struct own_cost){"excess", "$1 of work above the mean: "};
		if (remedy == REMEDY_SERVE || remedy == REMEDY_PARALLEL)
			return (struct own_cost){"work", "$1 while other ranks wait: "};
	}
	return (struct own_cost){entry->lost_ns == entry->total_ns ? "lost" : "itself",
	                         "$1 summed over ranks: "};
}

static void add_lost(const struct sheet *sheet, const struct report_entry *entry)
{
	scoped_text words = {0}, lost = {0};

	sheet_seconds(sheet, &lost, entry->lost_ns);
	add_filled_phrase(&words, sheet->language, "$1 summed over ranks", (const char *[]){text_get(&lost)});
	sheet_labelled(sheet, "lost", &words);
}

static void add_cost(const struct sheet *sheet, const struct report_entry *entry)
{
	const struct process *worst = &sheet->report->analysis->reader->processes[entry->worst->at.process];
	const struct own_cost own = own_cost_of(entry);
	bool is_total = entry->problem->type && is_sum(entry->problem->type);
	scoped_text words = {0}, rank = {0}, at = {0}, cost = {0};

	if (strcmp(own.label, "lost") != 0)
		add_lost(sheet, entry);
	sheet_seconds(sheet, &cost, entry->total_ns);
	add_filled_phrase(&words, sheet->language, own.words, (const char *[]){text_get(&cost)});
	if (is_total)
		text_add(&words, "%s", phrase(sheet, "total over the run"));
	else
		add_counted(&words, sheet->language, entry->count, "time", "times");
	if (entry->count > 1) {
		text_add(&words, "%s", phrase(sheet, ", mean "));
		sheet_seconds(sheet, &words, mean_ns(entry));
		text_add(&words, "%s", phrase(sheet, ", longest "));
		sheet_seconds(sheet, &words, entry->max_ns);
	}
	sheet_seconds(sheet, &at, entry->worst->at.start);
	if (worst->rank != PROCESS_UNKNOWN)
		text_add(&rank, "%s%" PRIu32, phrase(sheet, "rank "), worst->rank);
	add_filled_phrase(&words, sheet->language,
	                  !rank.length ? " (at $2)"
	                  : is_total   ? "; first on $1 at $2"
	                               : " ($1, at $2)",
	                  (const char *[]){text_get(&rank), text_get(&at)});
	sheet_labelled(sheet, own.label, &words);
}

static int by_cost(const void *left, const void *right)
{
	const struct process_cost *a = *(const struct process_cost *const *)left,
				  *b = *(const struct process_cost *const *)right;

	if (a->total_ns != b->total_ns)
		return a->total_ns < b->total_ns ? 1 : -1;
	return (a->process > b->process) - (a->process < b->process);
}

/* Those that pay most first. */
static void add_costs(const struct sheet *sheet, struct report *report, const struct report_entry *entry)
{
	size_t shown = report->all ? entry->cost_count : smaller(entry->cost_count, RANKS_SHOWN);
	const struct process_cost **order = arena_array(&report->arena, const struct process_cost *,
	                                                entry->cost_count);
	struct text words = {0};

	if (entry->cost_count < 2)
		return;
	for (size_t i = 0; i < entry->cost_count; i++)
		order[i] = &entry->costs[i];
	qsort(order, entry->cost_count, sizeof *order, by_cost);
	for (size_t i = 0; i < shown; i++) {
		const struct process_cost *cost = order[i];
		const struct process *process = &sheet->report->analysis->reader->processes[cost->process];

		text_add(&words, "%s%s", words.length ? ", " : "", phrase(sheet, "rank "));
		if (process->rank == PROCESS_UNKNOWN)
			text_add(&words, "?: ");
		else
			text_add(&words, "%" PRIu32 ": ", process->rank);
		sheet_seconds(sheet, &words, cost->total_ns);
		text_add(&words, " (");
		add_counted(&words, sheet->language, cost->count, "time", "times");
		text_add(&words, ")");
	}
	add_more(sheet, entry->cost_count - shown, &words);
	sheet_labelled(sheet, "ranks", &words);
}

/* A character for each bin from the shortest to the longest; fuller bins are darker. */
static void add_range(const struct sheet *sheet, const struct report_entry *entry)
{
	size_t first = HISTOGRAM_BINS, last = 0;
	double counts[HISTOGRAM_BINS];
	struct text words = {0};

	for (size_t i = 0; i < HISTOGRAM_BINS; i++) {
		counts[i] = (double)entry->histogram[i];
		if (!entry->histogram[i])
			continue;
		first = first < i ? first : i;
		last = i;
	}
	if (entry->count < RANGE_FROM || first >= last)
		return;
	sheet_seconds(sheet, &words, (int64_t)1 << first);
	text_add(&words, " [");
	text_add_levels(&words, counts + first, last - first + 1);
	text_add(&words, "] ");
	sheet_seconds(sheet, &words, (int64_t)1 << (last + 1));
	text_add(&words, " %s", phrase(sheet, "(histogram, log2 bins)"));
	sheet_labelled(sheet, "spread", &words);
}

/* The entry at a position of a page. A page is a list of entry numbers, from 1. */
static const struct report_entry *entry_at(const struct report *report, const struct number_list *page,
                                           size_t place)
{
	return &report->entries[page->at[place] - 1];
}

/* Where the late processes were instead. */
static void add_causes(const struct sheet *sheet, const struct report_entry *entry)
{
	struct text words = {0};

	if (entry->felt_in) {
		scoped_text count = {0};

		add_counted(&count, sheet->language, entry->felt_in, "other finding", "other findings");
		add_filled_phrase(&words, sheet->language, "causes $1", (const char *[]){text_get(&count)});
		sheet_labelled(sheet, "felt", &words);
	}
	if (entry->explained_by) {
		text_add(&words, "%s%zu", phrase(sheet, "follows from finding "), entry->explained_by);
		sheet_labelled(sheet, "cause", &words);
	}
	for (size_t i = 0; i < entry->cause_count; i++) {
		cause_in_full(sheet->report, entry, &entry->causes[i], &words);
		sheet_labelled(sheet, "cause", &words);
	}
}

/* The predicted fix, or the reason why the savings are not predictable. */
static void add_fix(const struct sheet *sheet, const struct report_entry *entry)
{
	const char *lang = sheet->report->analysis->lang;
	scoped_text words = {0};

	if (!entry->answer.doubt)
		text_add(&words, "%s", translate(lang, remedy_texts[entry->remedy]));
	else if (entry->answer.doubt != DOUBT_NOT_REPLAYED)
		add_filled_phrase(&words, sheet->language, "savings are not predictable: $1",
		                  (const char *[]){translate(lang, whatif_doubt_texts[entry->answer.doubt])});
	if (words.length)
		sheet_labelled(sheet, "fix", &words);
}

/* The meaning of "likely" and "suspected", once on a page. */
static void add_certainty(const struct sheet *sheet, const struct number_list *page, size_t place)
{
	enum confidence confidence = entry_at(sheet->report, page, place)->problem->confidence;
	struct text words = {0};

	if (confidence == CONFIDENCE_CERTAIN)
		return;
	for (size_t i = 0; i < place; i++)
		if (entry_at(sheet->report, page, i)->problem->confidence == confidence)
			return;
	text_add(&words, "%s",
	         phrase(sheet, confidence == CONFIDENCE_LIKELY
	                               ? "likely (the usual explanation, not the only one)"
	                               : "suspected (the trace shows signs of it; check the source)"));
	sheet_labelled(sheet, "confidence", &words);
}

/* Once for each problem of a page. */
static void add_meaning(const struct sheet *sheet, const struct number_list *page, size_t place)
{
	const struct problem *problem = entry_at(sheet->report, page, place)->problem;
	const char *description = problem_description(problem, sheet->report->analysis->lang);
	struct text words = {0};

	for (size_t i = 0; i < place; i++)
		if (entry_at(sheet->report, page, i)->problem == problem)
			return;
	if (description && *description)
		text_add(&words, "%s ", description);
	text_add(&words, "[%s]", problem->id);
	sheet_labelled(sheet, "what", &words);
}

/* `in_full`: also the cost for each process, and the calls of the longest occurrence. */
static void add_entry(const struct sheet *sheet, struct report *report, const struct number_list *page,
                      size_t place, bool in_full)
{
	const struct report_entry *entry = entry_at(report, page, place);
	struct text words = {0};

	add_heading(sheet, page->at[place] - 1);
	add_fix(sheet, entry);
	add_where(sheet, entry);
	add_partners(sheet, entry);
	add_causes(sheet, entry);
	path_describe(report, &entry->worst->at, &words);
	if (words.length)
		sheet_labelled(sheet, "path", &words);
	add_phases_of(sheet, entry);
	add_cost(sheet, entry);
	if (in_full)
		add_costs(sheet, report, entry);
	add_range(sheet, entry);
	if (in_full)
		add_actions(sheet, report, entry, !entry->problem->type || !is_sum(entry->problem->type));
	add_certainty(sheet, page, place);
	add_meaning(sheet, page, place);
	if (entry->advice && *entry->advice) {
		text_add(&words, "%s", entry->advice);
		sheet_labelled(sheet, "advice", &words);
	}
}

void report_text(struct report *report, const struct report_style *style, struct text *out)
{
	struct sheet sheet = sheet_for(report, style, out);
	struct number_list page = {0};
	struct text words = {0};
	bool is_first = true;

	(report->all ? add_trust_in_full : add_trust)(&sheet);
	add_what_ran(&sheet);
	if (report->profile)
		add_efficiency(&sheet, report->profile);
	add_critical_path(&sheet);
	add_headline(&sheet, "\n");
	add_open_calls(&sheet, OPEN_LINES);
	for (uint32_t i = 0; i < report->shown; i++)
		arena_add(&report->arena, page.at, page.count, i + 1);
	for (size_t i = 0; i < page.count; i++)
		add_entry(&sheet, report, &page, i, false);
	if (sheet_hidden_findings(&sheet, report->shown, &words)) {
		text_add(out, report->shown ? "\n" : "");
		sheet_paragraph(&sheet, 0, &words);
	}
	if (report->profile)
		add_summary(&sheet, report);
	for (size_t i = 0; i < sheet.report->note_count; i++) {
		const struct report_note *note = &sheet.report->notes[i];
		const char *label = phrase(&sheet, "note: ");
		scoped_text line = {0};

		if (note->is_trust)
			continue;
		text_add(&line, "%s", note->text);
		text_strip_controls(&line);
		text_add(sheet.out, "%s%s", is_first ? "\n" : "", label);
		text_add_wrapped(sheet.out, text_get(&line), text_width(label), sheet.style->width);
		is_first = false;
	}
}

void report_findings(struct report *report, const struct report_style *style,
                     const struct number_list *numbers, struct text *out)
{
	struct sheet sheet = sheet_for(report, style, out);

	add_trust(&sheet);
	for (size_t i = 0; i < numbers->count; i++)
		add_entry(&sheet, report, numbers, i, true);
}

void report_profile(struct report *report, const struct report_style *style, struct text *out)
{
	struct sheet sheet = sheet_for(report, style, out);

	add_trust(&sheet);
	add_what_ran(&sheet);
	add_efficiency(&sheet, report->profile);
	add_summary(&sheet, report);
}
