#include "report/report.h"

#include "base/tongue.h"
#include "report/parts.h"

#include <inttypes.h>
#include <string.h>

enum { INDENT = 3, BRIEF_SHOWN = 3, TIME_WIDTH = 9 };

/* Words below an entry, or in full width; whatever came from the trace can do no harm. */
static void add_words(struct text *words, size_t indent, const struct report_style *style, struct text *out)
{
	text_disarm(words);
	text_add_repeated(out, ' ', indent);
	text_add_wrapped(out, text_get(words), indent, style->width);
	text_release(words);
}

static void add_share(const struct report *report, int64_t ns, struct text *out)
{
	double percent = 100 * share_of_run(report, ns);

	text_add(out, percent < 10 ? "%.1f %%" : "%.0f %%", percent);
}

static void add_run(const struct report *report, const struct report_style *style, struct text *out)
{
	const struct analysis *analysis = report->analysis;
	struct text words = {0};

	text_add(&words, "%s: ", analysis->reader->path);
	text_add_counted(&words, analysis->reader->process_count, "process", "processes");
	text_add(&words, ", ");
	text_add_counted(&words, (uint64_t)analysis->run_figures[RUN_CALLS], "call", "calls");
	text_add(&words, " in ");
	text_add_seconds(&words, analysis->run_figures[RUN_LENGTH] * 1e-9);
	text_add(&words, "; ");
	text_add_counted(&words, report->entry_count, "finding", "findings");
	add_words(&words, 0, style, out);
}

static void add_heading(const struct report *report, size_t number, const struct report_style *style,
                        struct text *out)
{
	const struct entry *entry = &report->entries[number];
	struct text name = {0};

	text_add(&name, "%s", problem_name(entry->problem, report->analysis->lang));
	text_disarm(&name);
	text_add(out, "\n%zu. %s%s%s   ", number + 1, style->strong ? style->strong : "", text_get(&name),
	         style->none ? style->none : "");
	text_add_seconds(out, (double)entry->total_ns * 1e-9);
	text_add(out, ", ");
	add_share(report, entry->total_ns, out);
	text_add(out, " of all time");
	if (entry->problem->confidence != CONFIDENCE_CERTAIN)
		text_add(out, ", %s",
		         entry->problem->confidence == CONFIDENCE_LIKELY ? "likely" : "a suspicion");
	text_add(out, "\n");
	text_release(&name);
}

static void add_spot(const struct spot *spot, struct text *out)
{
	text_add(out, "%s", spot->call);
	if (*spot->text)
		text_add(out, " at %s", spot->text);
}

static void add_statistics(const struct report *report, const struct entry *entry, struct text *out)
{
	const struct process *worst = &report->analysis->reader->processes[entry->worst->at.process];

	text_add_counted(out, entry->count, "time", "times");
	if (entry->count > 1) {
		text_add(out, ", mean ");
		text_add_seconds(out, (double)entry->total_ns / (double)entry->count * 1e-9);
		text_add(out, ", worst ");
		text_add_seconds(out, (double)entry->max_ns * 1e-9);
	}
	text_add(out, " (");
	if (worst->rank != PROCESS_UNKNOWN)
		text_add(out, "rank %" PRIu32 ", ", worst->rank);
	text_add(out, "at ");
	text_add_seconds(out, (double)entry->worst->at.start * 1e-9);
	text_add(out, ")");
}

static bool is_same_spot(const struct spot *a, const struct spot *b)
{
	return strcmp(a->call, b->call) == 0 && strcmp(a->text, b->text) == 0;
}

/* In a collective call the others are mostly at the same place: then their ranks say it all. */
static void add_partner(const struct report *report, const struct entry *entry, struct text *out)
{
	text_add(out, " for ");
	if (!is_same_spot(&entry->at, &entry->partner)) {
		add_spot(&entry->partner, out);
		text_add(out, " on ");
	}
	add_ranks(report->analysis->reader, &entry->partners, out);
}

/* Of functions other than MPI's nobody knows what they do. */
static const char *verb_of(const struct entry *entry)
{
	bool is_one = entry->processes.count == 1;

	if (strncmp(entry->at.call, "MPI_", 4) == 0)
		return is_one ? "waits" : "wait";
	return is_one ? "spends it" : "spend it";
}

static void add_places(const struct report *report, const struct entry *entry,
                       const struct report_style *style, struct text *out)
{
	const struct reader *reader = report->analysis->reader;
	struct text words = {0};

	add_ranks(reader, &entry->processes, &words);
	text_add(&words, " %s in ", verb_of(entry));
	add_spot(&entry->at, &words);
	if (entry->has_partner)
		add_partner(report, entry, &words);
	text_add(&words, "; ");
	add_statistics(report, entry, &words);
	add_words(&words, INDENT, style, out);
}

/* Once for each problem: the first entry tells what it is. */
static bool is_explained(const struct report *report, size_t number)
{
	for (size_t i = 0; i < number; i++)
		if (report->entries[i].problem == report->entries[number].problem)
			return true;
	return false;
}

static void add_paragraph(const char *text, const struct report_style *style, struct text *out)
{
	struct text words = {0};

	if (!text || !*text)
		return;
	text_add(&words, "%s", text);
	add_words(&words, INDENT, style, out);
}

static void add_entry(const struct report *report, size_t number, const struct report_style *style,
                      struct text *out)
{
	const struct entry *entry = &report->entries[number];

	add_heading(report, number, style, out);
	add_places(report, entry, style, out);
	if (!is_explained(report, number))
		add_paragraph(problem_description(entry->problem, report->analysis->lang), style, out);
	add_paragraph(entry->worst->advice, style, out);
}

static void add_rest(const struct report *report, const struct report_style *style, struct text *out)
{
	struct text words = {0};
	int64_t total_ns = 0;

	for (size_t i = report->shown; i < report->entry_count; i++)
		total_ns = sum_of_ns(total_ns, report->entries[i].total_ns);
	text_add(&words, "and ");
	text_add_counted(&words, report->entry_count - report->shown, "more finding of ",
	                 "more findings of ");
	text_add_seconds(&words, (double)total_ns * 1e-9);
	text_add(&words, ": see --all");
	text_add(out, "\n");
	add_words(&words, 0, style, out);
}

static void add_nothing(const struct report *report, const struct report_style *style, struct text *out)
{
	struct text words = {0};
	size_t problems = 0;

	for (size_t i = 0; i < report->analysis->book->problem_count; i++)
		problems += !report->analysis->book->problems[i]->is_metric;
	text_add(&words, "Nothing was found: ");
	if (problems == 1)
		text_add(&words, "the one problem that the rules describe does not occur in this trace.");
	else if (problems)
		text_add(&words, "none of the %zu problems that the rules describe occurs in this trace.",
		         problems);
	else
		text_add(&words, "the rules describe no problem.");
	text_add(out, "\n");
	add_words(&words, 0, style, out);
}

static void add_notes(const struct report *report, const struct report_style *style, struct text *out)
{
	for (size_t i = 0; i < report->note_count; i++) {
		struct text words = {0};
		text_add(&words, "%s", report->notes[i]);
		text_add(out, i ? "note: " : "\nnote: ");
		text_disarm(&words);
		text_add_wrapped(out, text_get(&words), strlen("note: "), style->width);
		text_release(&words);
	}
}

void report_text(const struct report *report, const struct report_style *style, struct text *out)
{
	add_run(report, style, out);
	for (size_t i = 0; i < report->shown; i++)
		add_entry(report, i, style, out);
	if (report->shown < report->entry_count)
		add_rest(report, style, out);
	if (!report->entry_count)
		add_nothing(report, style, out);
	add_notes(report, style, out);
}

/* How many columns it takes. */
static size_t name_width(const struct report *report, size_t number)
{
	return text_letters(problem_name(report->entries[number].problem, report->analysis->lang));
}

static void add_gap(size_t used, size_t width, struct text *out)
{
	if (used < width)
		text_add_repeated(out, ' ', width - used);
}

static void add_brief(const struct report *report, size_t number, size_t width, struct text *out)
{
	const struct entry *entry = &report->entries[number];
	const struct location *where = &entry->at.where;
	struct text time = {0};

	text_add_seconds_in(&time, tongue_of(report->analysis->lang), (double)entry->total_ns * 1e-9);
	text_add(out, "%zu. %s", number + 1, problem_name(entry->problem, report->analysis->lang));
	add_gap(name_width(report, number), width + 1, out);
	add_gap(text_letters(text_get(&time)), TIME_WIDTH, out);
	text_add(out, "%s %3.0f %%  ", text_get(&time), 100 * share_of_run(report, entry->total_ns));
	if (where->file)
		text_add(out, "%s:%d\n", text_base_name(where->file), where->line);
	else
		text_add(out, "%s\n", entry->at.call);
	text_release(&time);
}

void report_brief(const struct report *report, struct text *out)
{
	size_t shown = report->shown, width = 0;

	if (shown > BRIEF_SHOWN)
		shown = BRIEF_SHOWN;
	for (size_t i = 0; i < shown; i++)
		if (name_width(report, i) > width)
			width = name_width(report, i);
	for (size_t i = 0; i < shown; i++)
		add_brief(report, i, width, out);
	text_disarm(out);
}
