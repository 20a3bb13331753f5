/* How a text begins, on the first screen and before the details: how far it can be relied on, what ran, and what the findings amount to. */
#include "base/paths.h"
#include "output/report/open_calls_text.h"
#include "output/report/profile.h"
#include "output/report/sheet.h"

#include <string.h>

enum {
	TRUST_LINES = 2,
	RUN_LINES = 2,
	HEADLINE_LINES = 2,
	REASON_INDENT = 2,
	NAME_MOST = 30,
	PLACES_PART = 3
};

/* Trust */

static void add_verdict(const struct sheet *sheet, struct text *words)
{
	static const char *const verdicts[TRUST_VERDICTS] = {"trust|full", "trust|limited", "trust|none"};

	text_add(words, "%s%s", phrase(sheet, "Trust: "),
	         phrase(sheet, verdicts[sheet->report->trust.verdict]));
}

void add_trust(const struct sheet *sheet)
{
	const struct report_trust *trust = &sheet->report->trust;
	struct text words = {0}, more = {0};

	add_verdict(sheet, &words);
	text_add(&words, " - %s",
	         trust->reason_count ? trust->reasons[0].text
	                             : phrase(sheet, "all processes were recorded completely"));
	if (trust->reason_count > 1) {
		text_add(&more, "%zu", trust->reason_count - 1);
		add_filled_phrase(&words, sheet->language, " (and $1 more: see --all)",
		                  (const char *[]){text_get(&more)});
	}
	text_release(&more);
	sheet_clipped(sheet, sheet->style->verdicts[trust->verdict], TRUST_LINES, &words);
}

void add_trust_in_full(const struct sheet *sheet)
{
	const struct report_trust *trust = &sheet->report->trust;
	struct text words = {0};

	if (!trust->reason_count) {
		add_trust(sheet);
		return;
	}
	add_verdict(sheet, &words);
	sheet_clipped(sheet, sheet->style->verdicts[trust->verdict], TRUST_LINES, &words);
	for (size_t i = 0; i < trust->reason_count; i++) {
		text_add(&words, "%s. %s", trust->reasons[i].text, trust->reasons[i].detail);
		sheet_paragraph(sheet, REASON_INDENT, &words);
	}
}

/* What ran */

/* Of the first process that has it. */
static const char *any_property(const struct reader *reader, const char *key)
{
	const char *value = NULL;

	for (size_t i = 0; i < reader->process_count && !value; i++)
		value = process_property(&reader->processes[i], key);
	return value;
}

static const char *program_of(const struct process *process)
{
	const char *program = process_property(process, "program");

	if (!program)
		program = process_property(process, "arg");
	return program ? path_name(program) : "";
}

/* Jobs may consist of several programs: the others are counted. Processes of one stand together. */
void add_programs(const struct reader *reader, size_t most, struct text *words)
{
	const char *first = "", *last = "";
	uint64_t others = 0;

	for (size_t i = 0; i < reader->process_count; i++) {
		const char *program = program_of(&reader->processes[i]);
		if (!*first)
			first = program;
		else if (strcmp(program, last) != 0 && strcmp(program, first) != 0)
			others++;
		last = program;
	}
	add_elided(words, first, most);
	if (others)
		text_add(words, " + %llu", (unsigned long long)others);
}

/* "Open MPI v4.1.4, package: …" and "MPICH Version:    4.0.2" without what says nothing. */
void add_library(const struct reader *reader, size_t most, struct text *words)
{
	const char *mpi = any_property(reader, "mpi_version"), *upc = any_property(reader, "upc");
	const char *version = any_property(reader, "upc_version");
	struct text name = {0};

	for (size_t length = 0; mpi && *mpi && *mpi != ','; mpi += length, mpi += strspn(mpi, " \t\n")) {
		length = strcspn(mpi, " \t\n,");
		if (strncmp(mpi, "Version:", length) != 0)
			text_add(&name, "%s%.*s", name.length ? " " : "", (int)length, mpi);
	}
	if (!name.length && upc)
		text_add(&name, "UPC %s%s%s", upc, version ? " " : "", version ? version : "");
	add_elided(words, text_get(&name), most);
	text_release(&name);
}

void add_what_ran(const struct sheet *sheet)
{
	const struct analysis *analysis = sheet->report->analysis;
	struct text words = {0}, library = {0};

	add_programs(analysis->reader, NAME_MOST, &words);
	if (!words.length)
		add_elided(&words, path_name(analysis->reader->path), NAME_MOST);
	text_add(&words, ": ");
	add_counted(&words, sheet->language, analysis->reader->process_count, "process", "processes");
	text_add(&words, "%s", phrase(sheet, " on "));
	add_counted(&words, sheet->language, sheet->report->nodes->count, "node", "nodes");
	add_library(analysis->reader, NAME_MOST, &library);
	text_add(&words, "%s%s, ", library.length ? ", " : "", text_get(&library));
	text_release(&library);
	add_counted(&words, sheet->language, (uint64_t)analysis->run_figures[RUN_CALLS], "call", "calls");
	text_add(&words, "%s", phrase(sheet, " in "));
	sheet_seconds(sheet, &words, (int64_t)analysis->run_figures[RUN_LENGTH]);
	sheet_clipped(sheet, NULL, RUN_LINES, &words);
}

/* The headline */

/* From here on time inside of MPI needs a reason; half of it is enough of one. */
#define MPI_TIME_NOTED 0.2
#define ENOUGH_EXPLAINED 0.5

static bool has_problems(const struct rulebook *book)
{
	for (size_t i = 0; i < book->problem_count; i++)
		if (!book->problems[i]->is_metric)
			return true;
	return false;
}

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
	add_filled_phrase(
		words, sheet->language,
		report->shown
			? "$1 of the time is in MPI, but the findings explain only $2: see the profile (--all)."
			: "$1 of the time is in MPI, but no known pattern explains it: see the profile (--all).",
		(const char *[]){text_get(&inside_text), text_get(&found_text)});
	text_release(&inside_text);
	text_release(&found_text);
}

static const char *why_nothing(const struct report *report)
{
	if (!has_problems(report->analysis->book))
		return "No problems found: the loaded rules define none.";
	if (report->trust.verdict == TRUST_NONE)
		return "This trace is too unreliable to tell whether ranks wait.";
	if (report->trust.verdict == TRUST_LIMITED)
		return "No significant wait states found in the recorded part.";
	return "No significant wait states found.";
}

void add_headline(const struct sheet *sheet, const char *before)
{
	const struct report *report = sheet->report;
	struct text words = {0};

	add_unexplained(sheet, &words);
	if (!words.length && !report->shown)
		text_add(&words, "%s", phrase(sheet, why_nothing(report)));
	else if (!words.length && report->trust.verdict == TRUST_NONE)
		text_add(&words, "%s", phrase(sheet, "The findings below are not reliable."));
	if (!words.length)
		return;
	text_add(sheet->out, "%s", before);
	sheet_clipped(sheet, NULL, HEADLINE_LINES, &words);
}

/* Open calls */

void add_open_calls(const struct sheet *sheet, size_t lines)
{
	const struct report *report = sheet->report;
	struct open_calls_view view = {report->open, report->analysis->reader, report->source,
	                               report->analysis->lang};
	struct text sentences = {0}, words = {0};
	const char *at, *end;

	open_calls_text(&view, "", &sentences);
	if (sentences.length)
		text_add(sheet->out, "\n");
	for (at = text_get(&sentences); *at; at = end + 1) {
		end = at + strcspn(at, "\n");
		text_add_bytes(&words, at, (size_t)(end - at));
		text_elide_words(&words, sheet->style->width / PLACES_PART);
		sheet_clipped(sheet, NULL, lines + !end[1], &words);
	}
	text_release(&sentences);
}
