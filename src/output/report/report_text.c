#include "output/report/report.h"

#include "base/paths.h"
#include "output/report/open_calls_text.h"
#include "output/report/profile.h"
#include "output/report/sheet.h"

#include <inttypes.h>
#include <string.h>

enum {
	HEADING_GAPS = 7,
	BAR_WIDTH = 20,
	WIDTH_FOR_BAR = 80,
	RANGE_FROM = 10,
	PARTNERS_SHOWN = 4,
	REASON_INDENT = 2
};

static void add_verdict(const struct sheet *sheet, struct text *words)
{
	enum trust_verdict verdict = sheet->report->trust.verdict;

	text_add(words, "%s%s", phrase(sheet, PHRASE_TRUST),
	         phrase(sheet, (enum wording)(PHRASE_TRUST_FULL + (int)verdict)));
}

/* Whether the findings can be relied on, in a line with the most severe reason. */
static void add_trust(const struct sheet *sheet)
{
	const struct report_trust *trust = &sheet->report->trust;
	struct text words = {0}, more = {0};

	add_verdict(sheet, &words);
	text_add(&words, " - %s",
	         trust->reason_count ? trust->reasons[0].text : phrase(sheet, PHRASE_COMPLETE));
	if (trust->reason_count > 1) {
		text_add(&more, "%zu", trust->reason_count - 1);
		add_filled_phrase(&words, sheet->language, PHRASE_MORE_REASONS,
		                  (const char *[]){text_get(&more)});
	}
	text_release(&more);
	sheet_paragraph(sheet, 0, &words);
}

/* Each reason with what follows from it. */
static void add_trust_in_full(const struct sheet *sheet)
{
	const struct report_trust *trust = &sheet->report->trust;
	struct text words = {0};

	add_verdict(sheet, &words);
	sheet_paragraph(sheet, 0, &words);
	for (size_t i = 0; i < trust->reason_count; i++) {
		text_add(&words, "%s. %s", trust->reasons[i].text, trust->reasons[i].detail);
		sheet_paragraph(sheet, REASON_INDENT, &words);
	}
}

static void add_run(const struct sheet *sheet)
{
	const struct analysis *analysis = sheet->report->analysis;
	struct text words = {0};

	text_add(&words, "%s: ", analysis->reader->path);
	add_counted(&words, sheet->language, analysis->reader->process_count, NOUN_PROCESS);
	text_add(&words, "%s", phrase(sheet, PHRASE_ON_NODES));
	add_counted(&words, sheet->language, sheet->report->nodes->count, NOUN_NODE);
	text_add(&words, ", ");
	add_counted(&words, sheet->language, (uint64_t)analysis->run_figures[RUN_CALLS], NOUN_CALL);
	text_add(&words, "%s", phrase(sheet, PHRASE_IN_TIME));
	sheet_seconds(sheet, &words, (int64_t)analysis->run_figures[RUN_LENGTH]);
	text_add(&words, "; ");
	add_counted(&words, sheet->language, sheet->report->entry_count, NOUN_FINDING);
	sheet_paragraph(sheet, 0, &words);
}

static void add_confidence(const struct sheet *sheet, const struct problem *problem, struct text *words)
{
	if (problem->confidence == CONFIDENCE_LIKELY)
		text_add(words, ", %s", phrase(sheet, PHRASE_LIKELY));
	else if (problem->confidence == CONFIDENCE_SUSPICION)
		text_add(words, ", %s", phrase(sheet, PHRASE_SUSPICION));
}

static void add_price(const struct sheet *sheet, const struct report_entry *entry, struct text *words)
{
	sheet_seconds(sheet, words, entry->total_ns);
	text_add(words, ", ");
	sheet_share(sheet, words, share_of_run(sheet->report, entry->total_ns));
	text_add(words, "%s", phrase(sheet, PHRASE_OF_ALL_TIME));
	add_confidence(sheet, entry->problem, words);
}

/* What it costs stands behind the name, or below it if there is no room. */
static void add_heading(const struct sheet *sheet, size_t number)
{
	const struct report_entry *entry = &sheet->report->entries[number];
	const char *colour = sheet->style->impacts[entry->impact];
	struct text name = {0}, price = {0};

	text_add(&name, "%s", problem_name(entry->problem, sheet->report->analysis->lang));
	text_strip_controls(&name);
	add_price(sheet, entry, &price);
	text_add(sheet->out, "\n%zu. %s%s%s%s", number + 1, colour ? colour : "", text_get(&name),
	         sheet->style->none ? sheet->style->none : "",
	         text_width(text_get(&name)) + text_width(text_get(&price)) + HEADING_GAPS >
	                         sheet->style->width
	                 ? "\n"
	                 : "");
	text_add(sheet->out, "   %s", text_get(&price));
	if (sheet->style->width >= WIDTH_FOR_BAR)
		sheet_bar(sheet, share_of_run(sheet->report, entry->total_ns), BAR_WIDTH);
	text_add(sheet->out, "\n");
	text_release(&name);
	text_release(&price);
}

static void add_call_place(const struct sheet *sheet, const struct call_place *place, struct text *words)
{
	text_add(words, "%s", place->call);
	if (*place->text)
		text_add(words, "%s%s", phrase(sheet, PHRASE_AT_PLACE), place->text);
}

/* The main thread, and a single node, are not shown. */
static void add_who(const struct sheet *sheet, const struct report_entry *entry, struct text *words)
{
	const struct nodes *nodes = sheet->report->nodes;

	text_add(words, ", ");
	sheet_ranks(sheet, words, &entry->processes);
	if (nodes->count > 1 && entry->nodes.count == 1)
		text_add(words, " (%s)", nodes->names[entry->nodes.at[0]]);
	if (entry->threads.count == 1 && entry->threads.at[0])
		text_add(words, ", %s%" PRIu32, phrase(sheet, PHRASE_THREAD), entry->threads.at[0]);
}

static void add_where(const struct sheet *sheet, const struct report_entry *entry)
{
	struct text words = {0};

	add_call_place(sheet, &entry->at, &words);
	add_who(sheet, entry, &words);
	sheet_labelled(sheet, PHRASE_WHERE, &words);
}

/* In a collective call the others are mostly at the same place: then their ranks say it all. */
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
	sheet_labelled(sheet, PHRASE_PARTNER, &words);
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
		text_add(&words, "%s", phrase(sheet, PHRASE_REST));
		add_counted(&words, sheet->language, entry->partner_count - shown, NOUN_PLACE);
		text_add(&words, "%s", phrase(sheet, PHRASE_SEE_ALL));
		sheet_labelled(sheet, PHRASE_PARTNER, &words);
	}
}

static void add_path(const struct sheet *sheet, struct report *report, const struct report_entry *entry)
{
	struct text words = {0};

	path_describe(report, &entry->worst->at, &words);
	if (words.length)
		sheet_labelled(sheet, PHRASE_PATH, &words);
}

static void add_cost(const struct sheet *sheet, const struct report_entry *entry)
{
	const struct process *worst = &sheet->report->analysis->reader->processes[entry->worst->at.process];
	struct text words = {0};

	add_counted(&words, sheet->language, entry->count, NOUN_TIME);
	if (entry->count > 1) {
		text_add(&words, "%s", phrase(sheet, PHRASE_MEAN));
		sheet_seconds(sheet, &words, mean_ns(entry));
		text_add(&words, "%s", phrase(sheet, PHRASE_WORST));
		sheet_seconds(sheet, &words, entry->max_ns);
	}
	text_add(&words, " (");
	if (worst->rank != PROCESS_UNKNOWN)
		text_add(&words, "%s%" PRIu32 ", ", phrase(sheet, PHRASE_RANK), worst->rank);
	text_add(&words, "%s", phrase(sheet, PHRASE_AT_TIME));
	sheet_seconds(sheet, &words, entry->worst->at.start);
	text_add(&words, ")");
	sheet_labelled(sheet, PHRASE_COST, &words);
}

/* A letter for each bin between the shortest and the longest that occurred: the more, the darker. */
static void add_range(const struct sheet *sheet, const struct report_entry *entry)
{
	static const char shades[] = " .:-=+*#";
	size_t first = HISTOGRAM_BINS, last = 0;
	uint64_t most = 1;
	struct text words = {0};

	for (size_t i = 0; i < HISTOGRAM_BINS; i++) {
		if (!entry->histogram[i])
			continue;
		first = first < i ? first : i;
		last = i;
		most = entry->histogram[i] > most ? entry->histogram[i] : most;
	}
	if (entry->count < RANGE_FROM || first >= last)
		return;
	sheet_seconds(sheet, &words, (int64_t)1 << first);
	text_add(&words, " [");
	for (size_t i = first; i <= last; i++) {
		uint64_t count = entry->histogram[i];
		size_t shade = count ? 1 + (size_t)((double)count * (sizeof shades - 3) / (double)most) : 0;
		/* text is wrapped at spaces */
		text_add(&words, "%c", shade ? shades[shade] : '_');
	}
	text_add(&words, "] ");
	sheet_seconds(sheet, &words, (int64_t)1 << (last + 1));
	sheet_labelled(sheet, PHRASE_RANGE, &words);
}

/* Once for each problem: the first entry explains it. */
static bool is_explained(const struct report *report, size_t number)
{
	for (size_t i = 0; i < number; i++)
		if (report->entries[i].problem == report->entries[number].problem)
			return true;
	return false;
}

static void add_meaning(const struct sheet *sheet, size_t number)
{
	const struct problem *problem = sheet->report->entries[number].problem;
	const char *description = problem_description(problem, sheet->report->analysis->lang);
	struct text words = {0};

	if (is_explained(sheet->report, number))
		return;
	if (description && *description)
		text_add(&words, "%s ", description);
	text_add(&words, "[%s]", problem->id);
	sheet_labelled(sheet, PHRASE_WHAT, &words);
}

static void add_advice(const struct sheet *sheet, const struct report_entry *entry)
{
	struct text words = {0};

	if (!entry->worst->advice || !*entry->worst->advice)
		return;
	text_add(&words, "%s", entry->worst->advice);
	sheet_labelled(sheet, PHRASE_ADVICE, &words);
}

static void add_entry(const struct sheet *sheet, struct report *report, size_t number)
{
	const struct report_entry *entry = &report->entries[number];

	add_heading(sheet, number);
	add_where(sheet, entry);
	add_partners(sheet, entry);
	add_path(sheet, report, entry);
	add_cost(sheet, entry);
	add_range(sheet, entry);
	add_meaning(sheet, number);
	add_advice(sheet, entry);
}

static void add_rest(const struct sheet *sheet)
{
	const struct report *report = sheet->report;
	struct text words = {0};
	int64_t total_ns = 0;

	if (report->shown == report->entry_count)
		return;
	for (size_t i = report->shown; i < report->entry_count; i++)
		total_ns = sum_of_ns(total_ns, report->entries[i].total_ns);
	text_add(&words, "%s", phrase(sheet, PHRASE_REST));
	add_counted(&words, sheet->language, report->entry_count - report->shown, NOUN_MORE_FINDING);
	sheet_seconds(sheet, &words, total_ns);
	text_add(&words, "%s", phrase(sheet, PHRASE_SEE_ALL));
	text_add(sheet->out, report->shown ? "\n" : "");
	sheet_paragraph(sheet, 0, &words);
}

static bool has_problems(const struct rulebook *book)
{
	for (size_t i = 0; i < book->problem_count; i++)
		if (!book->problems[i]->is_metric)
			return true;
	return false;
}

/* From here on time inside of MPI needs a reason; half of it is enough of one. */
#define MPI_TIME_NOTED 0.2
#define ENOUGH_EXPLAINED 0.5

/* A sentence about time in MPI that no finding is about; none if there is little of it. What is wrong with the machine or the
 * recording is in the trust line. */
static void add_unexplained(const struct sheet *sheet, struct text *words)
{
	const struct report *report = sheet->report;
	struct text inside_text = {0}, found_text = {0};
	double inside, found = 0;

	if (!report->profile || !report->profile->figures->efficiency.is_known ||
	    report->trust.verdict != TRUST_FULL || !has_problems(report->analysis->book))
		return;
	inside = 1 - share_of_run(report, report->profile->figures->computing_ns);
	for (size_t i = 0; i < report->shown; i++)
		found += share_of_run(report, report->entries[i].total_ns);
	if (inside < MPI_TIME_NOTED || found >= ENOUGH_EXPLAINED * inside)
		return;
	sheet_share(sheet, &inside_text, inside);
	sheet_share(sheet, &found_text, found);
	add_filled_phrase(words, sheet->language,
	                  report->shown ? PHRASE_EXPLAINED_IN_PART : PHRASE_UNEXPLAINED,
	                  (const char *[]){text_get(&inside_text), text_get(&found_text)});
	text_release(&inside_text);
	text_release(&found_text);
}

static enum wording why_nothing(const struct report *report)
{
	if (!has_problems(report->analysis->book))
		return PHRASE_NO_PROBLEM;
	if (report->trust.verdict == TRUST_NONE)
		return PHRASE_NOTHING_CONCLUDED;
	if (report->trust.verdict == TRUST_LIMITED)
		return PHRASE_NOTHING_RECORDED;
	return PHRASE_NOTHING;
}

/* What the list of findings amounts to where it does not speak for itself. */
static void add_headline(const struct sheet *sheet, const char *before)
{
	const struct report *report = sheet->report;
	struct text words = {0};

	add_unexplained(sheet, &words);
	if (!words.length && !report->shown)
		text_add(&words, "%s", phrase(sheet, why_nothing(report)));
	else if (!words.length && report->trust.verdict == TRUST_NONE)
		text_add(&words, "%s", phrase(sheet, PHRASE_UNRELIABLE));
	if (!words.length)
		return;
	text_add(sheet->out, "%s", before);
	sheet_paragraph(sheet, 0, &words);
}

static void add_notes(const struct sheet *sheet)
{
	bool is_first = true;

	for (size_t i = 0; i < sheet->report->note_count; i++) {
		const struct report_note *note = &sheet->report->notes[i];
		const char *label = phrase(sheet, PHRASE_NOTE);
		struct text words = {0};
		if (note->is_trust)
			continue;
		text_add(&words, "%s", note->text);
		text_strip_controls(&words);
		text_add(sheet->out, "%s%s", is_first ? "\n" : "", label);
		text_add_wrapped(sheet->out, text_get(&words), text_width(label), sheet->style->width);
		text_release(&words);
		is_first = false;
	}
}

/* In which calls processes were when the trace ends. */
static void add_open_calls(const struct sheet *sheet)
{
	const struct report *report = sheet->report;
	struct open_calls_view view = {report->open, report->analysis->reader, report->source,
	                               report->analysis->lang};

	open_calls_text(&view, "\n", sheet->out);
}

void report_text(struct report *report, const struct report_style *style, struct text *out)
{
	struct sheet sheet = sheet_for(report, style, out);

	if (report->all && report->trust.reason_count)
		add_trust_in_full(&sheet);
	else
		add_trust(&sheet);
	add_run(&sheet);
	if (report->profile)
		add_efficiency(&sheet, report->profile);
	add_headline(&sheet, "\n");
	add_open_calls(&sheet);
	for (size_t i = 0; i < report->shown; i++)
		add_entry(&sheet, report, i);
	add_rest(&sheet);
	if (report->profile)
		add_summary(&sheet, report);
	add_notes(&sheet);
}

/* A line for each of the worst. */

/* "tarry: " stands before each line. */
enum { BRIEF_SHOWN = 3, TIME_WIDTH = 9, BRIEF_WIDTH = 73 };

/* How many columns it takes. */
static size_t name_width(const struct report *report, size_t number)
{
	return text_width(problem_name(report->entries[number].problem, report->analysis->lang));
}

static void add_spaces(size_t used, size_t width, struct text *out)
{
	if (used < width)
		text_add_repeated(out, ' ', width - used);
}

static void add_brief(const struct report *report, size_t number, size_t width, struct text *out)
{
	const struct report_entry *entry = &report->entries[number];
	const struct location *where = &entry->at.where;
	struct text time = {0};

	text_add_seconds_in(&time, locale_of(report->analysis->lang), (double)entry->total_ns * 1e-9);
	text_add(out, "%zu. %s", number + 1, problem_name(entry->problem, report->analysis->lang));
	add_spaces(name_width(report, number), width + 1, out);
	add_spaces(text_width(text_get(&time)), TIME_WIDTH, out);
	text_add(out, "%s %3.0f %%  ", text_get(&time), 100 * share_of_run(report, entry->total_ns));
	if (where->file)
		text_add(out, "%s:%d\n", path_name(where->file), where->line);
	else
		text_add(out, "%s\n", entry->at.call);
	text_release(&time);
}

void report_brief(const struct report *report, struct text *out)
{
	struct sheet sheet = sheet_for(report, &(struct report_style){.width = BRIEF_WIDTH}, out);
	size_t shown = report->shown, width = 0;

	if (report->trust.verdict != TRUST_FULL)
		add_trust(&sheet);
	add_headline(&sheet, "");
	if (shown)
		text_add(out, "%s\n", phrase(&sheet, PHRASE_FOUND));
	if (shown > BRIEF_SHOWN)
		shown = BRIEF_SHOWN;
	for (size_t i = 0; i < shown; i++)
		if (name_width(report, i) > width)
			width = name_width(report, i);
	for (size_t i = 0; i < shown; i++)
		add_brief(report, i, width, out);
	text_strip_controls(out);
}
