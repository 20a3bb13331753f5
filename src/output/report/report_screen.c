/* The first screen: at most 25 lines of 80 columns for any run. */
#include "analysis/model/recorded_part.h"
#include "base/paths.h"
#include "base/shell.h"
#include "output/report/open_calls_text.h"
#include "output/report/parts.h"
#include "output/report/sheet.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <string.h>

/* The beginning of a text, on the first screen and before the details: trust, the run, and a summary of the findings. */

enum {
	TRUST_LINES = 2,
	RUN_LINES = 2,
	HEADLINE_LINES = 2,
	REASON_INDENT = 2,
	NAME_WIDTH_MAX = 30,
	OPEN_PLACES_PART = 3
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
	struct text words = {0};

	add_verdict(sheet, &words);
	text_add(&words, " - %s",
	         trust->reason_count ? trust->reasons[0].text
	                             : phrase(sheet, "all processes were recorded completely"));
	if (trust->reason_count > 1) {
		text_add(&words, " (");
		add_counted(&words, sheet->language, trust->reason_count - 1, "more; --all shows it",
		            "more; --all shows them");
		text_add(&words, ")");
	}
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

/* The program */

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

/* Jobs may consist of several programs: the others are counted. Processes of one program are neighbours. */
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

/* "Open MPI v4.1.4, package: …" and "MPICH Version:    4.0.2", without unnecessary words. */
void add_library(const struct reader *reader, size_t most, struct text *words)
{
	const char *mpi = any_property(reader, "mpi_version"), *upc = any_property(reader, "upc");
	const char *version = any_property(reader, "upc_version"), *shmem = any_property(reader, "shmem");
	scoped_text name = {0};

	for (size_t length = 0; mpi && *mpi && *mpi != ','; mpi += length, mpi += strspn(mpi, " \t\n")) {
		length = strcspn(mpi, " \t\n,");
		if (strncmp(mpi, "Version:", length) != 0)
			text_add(&name, "%s%.*s", name.length ? " " : "", (int)length, mpi);
	}
	if (!name.length && shmem)
		text_add(&name, "%s", shmem);
	if (!name.length && upc)
		text_add(&name, "UPC %s%s%s", upc, version ? " " : "", version ? version : "");
	add_elided(words, text_get(&name), most);
}

void add_what_ran(const struct sheet *sheet)
{
	const struct analysis *analysis = sheet->report->analysis;
	scoped_text words = {0}, library = {0};

	add_programs(analysis->reader, NAME_WIDTH_MAX, &words);
	if (!words.length)
		add_elided(&words, path_name(analysis->reader->path), NAME_WIDTH_MAX);
	text_add(&words, ": ");
	add_counted(&words, sheet->language, analysis->reader->process_count, "process", "processes");
	text_add(&words, "%s", phrase(sheet, " on "));
	add_counted(&words, sheet->language, sheet->report->nodes->count, "node", "nodes");
	add_library(analysis->reader, NAME_WIDTH_MAX, &library);
	text_add(&words, "%s%s, ", library.length ? ", " : "", text_get(&library));
	add_counted(&words, sheet->language, (uint64_t)analysis->run_figures[RUN_CALLS], "call", "calls");
	text_add(&words, "%s", phrase(sheet, " in "));
	sheet_seconds(sheet, &words, (int64_t)analysis->run_figures[RUN_LENGTH]);
	sheet_clipped(sheet, NULL, RUN_LINES, &words);
}

/* The headline */

/* From this share on, time in MPI needs an explanation; findings that explain half of it are enough. */
#define MPI_TIME_NOTED 0.2
#define ENOUGH_EXPLAINED 0.5

static bool has_problems(const struct rulebook *book)
{
	for (size_t i = 0; i < book->problem_count; i++)
		if (!book->problems[i]->is_metric)
			return true;
	return false;
}

/* A sentence about time in MPI that no finding explains; none if there is little of it. Problems of the
 * machine or of the recording are in the trust line. */
static void add_unexplained(const struct sheet *sheet, struct text *words)
{
	const struct report *report = sheet->report;
	scoped_text inside_text = {0}, found_text = {0};
	double inside, found = 0;

	if (!report->profile || !report->profile->figures->efficiency.is_known ||
	    report->trust.verdict != TRUST_FULL || !has_problems(report->analysis->book))
		return;
	inside = 1 - share_of_run(report, report->profile->figures->computing_ns);
	for (size_t i = 0; i < report->shown; i++)
		found += is_origin(&report->entries[i]) ? 0
		                                        : share_of_run(report, report->entries[i].total_ns);
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
}

static const char *why_nothing(const struct report *report)
{
	if (!has_problems(report->analysis->book))
		return "No problems found: the loaded rules define none.";
	if (report->trust.verdict == TRUST_NONE)
		return "This trace is too unreliable to tell whether ranks wait.";
	if (has_only_sums(report->analysis->reader))
		return "Sums do not show which rank the others wait for.";
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
	scoped_text sentences = {0}, words = {0};
	const char *at, *end;

	open_calls_text(&view, "", &sentences);
	if (sentences.length)
		text_add(sheet->out, "\n");
	for (at = text_get(&sentences); *at; at = end + 1) {
		end = at + strcspn(at, "\n");
		text_add_bytes(&words, at, (size_t)(end - at));
		text_elide_words(&words, sheet->style->width / OPEN_PLACES_PART);
		sheet_clipped(sheet, NULL, lines + !end[1], &words);
	}
}

enum {
	FINDINGS_SHOWN = 5,
	FINDINGS_BESIDE_OPEN_CALLS = 3,
	PHASES_SHOWN = 3, /* not beside open calls, either */
	BRIEF_SHOWN = 3,
	BRIEF_WIDTH = 73, /* "tarry: " begins each line */
	NUMBER_WIDTH = 3, /* "1. " */
	INDENT = 2,       /* of what another finding explains */
	SHARE_WIDTH = 6,
	TIME_WIDTH = 8,
	NARROW = 60,
	GAP = 2,
	NAMES_PART = 3, /* maximum parts of a line: a third for names, a quarter for places */
	PLACES_PART = 4,
	PLACE_MIN = 10,
};

/* Efficiency */

static void add_percent(const struct sheet *sheet, const char *name, double value, struct text *words)
{
	text_add(words, "%s ", phrase(sheet, name));
	text_add_decimal(words, sheet->locale, 0, 100 * value);
	text_add(words, " %%");
}

static void add_efficiency_line(const struct sheet *sheet)
{
	const struct profile *profile = sheet->report->profile;
	const struct efficiency *efficiency = profile ? &profile->figures->efficiency : NULL;
	const struct hybrid_efficiency *hybrid = profile ? &profile->figures->hybrid : NULL;
	scoped_text all = {0}, mpi = {0};

	if (!efficiency || !efficiency->is_known)
		return;
	if (hybrid->is_known) {
		add_percent(sheet, "Parallel efficiency", hybrid->parallel, &all);
		add_percent(sheet, " = MPI", efficiency->parallel, &all);
		add_percent(sheet, " × OpenMP", hybrid->openmp, &all);
		sheet_clipped(sheet, NULL, 1, &all);
	}
	add_percent(sheet, hybrid->is_known ? "MPI efficiency" : "Parallel efficiency", efficiency->parallel,
	            &mpi);
	add_percent(sheet, " = load balance", efficiency->load_balance, &mpi);
	add_percent(sheet, " × communication", efficiency->communication, &mpi);
	sheet_clipped(sheet, NULL, 1, &mpi);
}

/* The rank with the fewest instructions per cycle, if it has far fewer than the mean; NULL: none has. */
static const struct process *slow_rank(const struct sheet *sheet, double *instructions_per_cycle)
{
	static const double far = 0.8;
	const struct reader *reader = sheet->report->analysis->reader;
	const struct figures *figures = sheet->report->profile->figures;
	const struct process *slowest = NULL;

	*instructions_per_cycle = far * figures->counted.instructions_per_cycle;
	for (size_t i = 0; i < reader->process_count; i++) {
		double own = figures->ranks[i].counted.instructions_per_cycle;

		if (own < *instructions_per_cycle && reader->processes[i].rank != PROCESS_UNKNOWN) {
			*instructions_per_cycle = own;
			slowest = &reader->processes[i];
		}
	}
	return slowest;
}

/* "Computing: 1.57 instructions per cycle at 2.81 GHz; rank 3: 0.80" */
void add_counters(const struct sheet *sheet)
{
	const struct profile *profile = sheet->report->profile;
	const struct counted_work *counted = profile ? &profile->figures->counted : NULL;
	const struct process *slow;
	scoped_text rate = {0}, clock = {0}, words = {0};
	double lowest;

	if (!counted || !isfinite(counted->instructions_per_cycle) || !isfinite(counted->cycles_per_s))
		return;
	text_add_decimal(&rate, sheet->locale, 2, counted->instructions_per_cycle);
	text_add_decimal(&clock, sheet->locale, 2, counted->cycles_per_s / 1e9);
	add_filled_phrase(&words, sheet->language, "Computing: $1 instructions per cycle at $2 GHz",
	                  (const char *[]){text_get(&rate), text_get(&clock)});
	slow = slow_rank(sheet, &lowest);
	if (slow) {
		text_add(&words, "; %s%" PRIu32 ": ", phrase(sheet, "rank "), slow->rank);
		text_add_decimal(&words, sheet->locale, 2, lowest);
	}
	sheet_clipped(sheet, NULL, 1, &words);
}

/* "45 % = 50 % × 90 %": parallel efficiency, load balance, communication. */
static const char *efficiency_text(const struct sheet *sheet, const struct efficiency *efficiency,
                                   struct text *words)
{
	const double values[] = {efficiency->parallel, efficiency->load_balance, efficiency->communication};
	static const char *const before[] = {"", " = ", " × "};

	for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
		text_add(words, "%s", before[i]);
		text_add_decimal(words, sheet->locale, 0, 100 * values[i]);
		text_add(words, " %%");
	}
	return text_get(words);
}

static void add_phase(const struct sheet *sheet, const struct phase_figures *phase)
{
	scoped_text name = {0}, share = {0}, efficiency = {0}, words = {0};

	add_elided(&name, phase->path, sheet->style->width / NAMES_PART);
	sheet_share(sheet, &share, share_of_run(sheet->report, phase->time_ns));
	add_filled_phrase(&words, sheet->language, "- $1: $2 of the time, efficiency $3",
	                  (const char *[]){text_get(&name), text_get(&share),
	                                   efficiency_text(sheet, &phase->efficiency, &efficiency)});
	sheet_clipped(sheet, NULL, 1, &words);
}

static void add_iteration(const struct sheet *sheet, const struct iteration *iteration)
{
	scoped_text count = {0}, mean = {0}, efficiency = {0}, words = {0};

	text_add_count(&count, iteration->count);
	sheet_seconds(sheet, &mean, iteration->mean_ns);
	add_filled_phrase(&words, sheet->language, "- $1 iterations of $2: efficiency $3",
	                  (const char *[]){text_get(&count), text_get(&mean),
	                                   efficiency_text(sheet, &iteration->efficiency, &efficiency)});
	sheet_clipped(sheet, NULL, 1, &words);
}

/* The longest of the remaining ones; NULL: none is known. */
static const struct phase_figures *next_phase(const struct figures *figures, const struct phase_figures *last)
{
	const struct phase_figures *next = NULL;

	for (uint32_t i = 0; i < figures->phase_count; i++) {
		const struct phase_figures *phase = &figures->phases[i];
		bool is_left = !last || phase->time_ns < last->time_ns ||
		               (phase->time_ns == last->time_ns && phase > last);
		if (is_left && phase->efficiency.is_known && (!next || phase->time_ns > next->time_ns))
			next = phase;
	}
	return next;
}

/* Findings, a line each */

struct finding_columns {
	size_t name, saves, lost, place, cause;
	size_t time;    /* of savings */
	bool is_narrow; /* shares only */
};

/* Without the variant, which is in the details. Findings that are not proven have a question mark. */
static void add_name(const struct sheet *sheet, const struct report_entry *entry, struct text *words)
{
	const char *name = problem_name(entry->problem, sheet->report->analysis->lang);
	const char *kind = strstr(name, " (");

	text_add_bytes(words, name, kind ? (size_t)(kind - name) : strlen(name));
	if (entry->problem->confidence != CONFIDENCE_CERTAIN)
		text_add(words, "?");
}

static size_t place_most(const struct sheet *sheet)
{
	return sheet->style->width / PLACES_PART;
}

/* The partner's place, if it is different. A place is not cut: without room it is omitted. */
static void add_partner_place(const struct sheet *sheet, const struct report_entry *entry, size_t room,
                              struct text *words)
{
	const struct call_place *partner = &entry->partners[0].at;
	const char *at = phrase(sheet, " at ");
	size_t used = text_width(text_get(words)) + text_width(at);

	if (strcmp(partner->text, entry->at.text) == 0 || used + PLACE_MIN > room)
		return;
	text_add(words, "%s", at);
	add_line_of(words, partner, smaller(room - used, place_most(sheet)));
}

static const char saves_title[] = "run saves", lost_title[] = "ranks lose";

/* Columns are as wide as their contents; the cause gets the rest. */
static struct finding_columns columns_for(const struct sheet *sheet, size_t count)
{
	struct finding_columns columns = {.time = TIME_WIDTH};
	size_t used;

	for (size_t i = 0; i < count; i++) {
		const struct report_entry *entry = &sheet->report->entries[i];
		scoped_text words = {0};
		add_name(sheet, entry, &words);
		columns.name = larger(columns.name,
		                      text_width(text_get(&words)) + (entry->explained_by ? INDENT : 0));
		text_clear(&words);
		add_line_of(&words, &entry->at, place_most(sheet));
		columns.place = larger(columns.place, text_width(text_get(&words)));
		text_clear(&words);
		sheet_seconds(sheet, &words, entry->answer.saves_ns);
		columns.time = larger(columns.time, 1 + text_width(text_get(&words)));
	}
	columns.name = smaller(columns.name, sheet->style->width / NAMES_PART);
	columns.is_narrow = sheet->style->width < NARROW;
	columns.time = columns.is_narrow ? 0 : columns.time;
	columns.saves = larger(SHARE_WIDTH + columns.time, 1 + text_width(phrase(sheet, saves_title)));
	columns.lost = columns.is_narrow ? 0 : larger(TIME_WIDTH, 1 + text_width(phrase(sheet, lost_title)));
	used = NUMBER_WIDTH + columns.name + columns.saves + columns.lost + GAP + columns.place + GAP;
	columns.cause = sheet->style->width > used ? sheet->style->width - used : 0;
	return columns;
}

/* Cut at the right end only. */
static void add_column(const struct sheet *sheet, const char *colour, struct text *words, size_t width)
{
	scoped_text shown = {0};
	size_t length;

	text_make_line(words);
	add_clipped(&shown, text_get(words), width);
	length = text_width(text_get(&shown));
	text_add(sheet->out, "%s%s%s", colour ? colour : "", text_get(&shown),
	         colour && sheet->style->none ? sheet->style->none : "");
	text_add_repeated(sheet->out, ' ', width - length);
	text_release(words);
}

/* " 42 %   901 ms", or a hyphen if the savings are not predictable. */
static void add_saving(const struct sheet *sheet, const struct report_entry *entry,
                       const struct finding_columns *columns)
{
	scoped_text share = {0}, time = {0};

	if (entry->answer.doubt) {
		sheet_right(sheet, "-", columns->saves);
		return;
	}
	sheet_share(sheet, &share, entry->answer.saves_share);
	sheet_seconds(sheet, &time, entry->answer.saves_ns);
	sheet_right(sheet, text_get(&share), columns->saves - columns->time);
	if (!columns->is_narrow)
		sheet_right(sheet, text_get(&time), columns->time);
}

static void add_finding_line(const struct sheet *sheet, size_t number, const struct finding_columns *columns)
{
	const struct report_entry *entry = &sheet->report->entries[number];
	size_t indent = entry->explained_by ? INDENT : 0;
	scoped_text words = {0}, cause = {0};

	text_add_repeated(sheet->out, ' ', indent);
	text_add(sheet->out, "%zu. ", number + 1);
	add_name(sheet, entry, &words);
	add_column(sheet, sheet->style->impacts[entry->impact], &words, columns->name - indent);
	add_saving(sheet, entry, columns);
	sheet_seconds(sheet, &words, entry->lost_ns);
	if (!columns->is_narrow)
		sheet_right(sheet, text_get(&words), columns->lost);
	text_clear(&words);
	text_add_repeated(sheet->out, ' ', GAP);
	add_line_of(&words, &entry->at, place_most(sheet));
	/* The cause at the end of the chain of waits; else the partner, or the charged ranks. */
	if (entry->cause_count && entry->causes[0].processes.count) {
		cause_in_short(sheet->report, &entry->causes[0], columns->cause, &cause);
	} else if (entry->partner_count) {
		sheet_ranks_in_short(sheet, &cause, &entry->partners[0].processes);
		add_partner_place(sheet, entry, columns->cause, &cause);
	} else {
		sheet_ranks_in_short(sheet, &cause, &entry->concerned);
	}
	if (columns->cause && cause.length) {
		add_column(sheet, NULL, &words, columns->place + GAP);
		text_make_line(&cause);
		add_clipped(sheet->out, text_get(&cause), columns->cause);
	} else {
		text_make_line(&words);
		add_clipped(sheet->out, text_get(&words), columns->place);
	}
	text_add(sheet->out, "\n");
}

static void add_finding_titles(const struct sheet *sheet, const struct finding_columns *columns)
{
	text_add_repeated(sheet->out, ' ', NUMBER_WIDTH + columns->name);
	sheet_right(sheet, phrase(sheet, saves_title), columns->saves);
	if (!columns->is_narrow)
		sheet_right(sheet, phrase(sheet, lost_title), columns->lost);
	text_add(sheet->out, "\n");
}

/* The first reason why savings are not predictable. */
static void add_doubt(const struct sheet *sheet, size_t count)
{
	const char *lang = sheet->report->analysis->lang;
	enum whatif_doubt doubt = DOUBT_NONE;
	struct text words = {0};

	for (size_t i = 0; i < count && !doubt; i++)
		doubt = sheet->report->entries[i].answer.doubt;
	if (!doubt)
		return;
	add_filled_phrase(&words, sheet->language, "- = not predictable: $1",
	                  (const char *[]){translate(lang, whatif_doubt_texts[doubt])});
	sheet_clipped(sheet, sheet->style->faint, 2, &words);
}

static void add_finding_lines(const struct sheet *sheet, size_t most)
{
	size_t count = smaller(sheet->report->shown, most);
	struct finding_columns columns = columns_for(sheet, count);
	struct text words = {0};
	bool is_doubtful = false;

	if (count)
		add_finding_titles(sheet, &columns);
	for (size_t i = 0; i < count; i++) {
		add_finding_line(sheet, i, &columns);
		is_doubtful |= sheet->report->entries[i].problem->confidence != CONFIDENCE_CERTAIN;
	}
	add_doubt(sheet, count);
	if (is_doubtful) {
		text_add(&words, "%s", phrase(sheet, "? = likely or suspected, not proven"));
		sheet_clipped(sheet, sheet->style->faint, 1, &words);
	}
}

/* For a trace with sums only: the call sites with the most time. */

enum { SUMS_MIN = 200, SUM_WIDTH = 10 };

static bool is_summed_row(const struct report *report, const struct profile_row *row)
{
	return !row->is_local && row->run_ns && share_of_run(report, row->run_ns) * SUMS_MIN >= 1;
}

static void add_summed_line(const struct sheet *sheet, const char *first, const char *const *values)
{
	scoped_text words = {0};

	text_add(&words, "%s", first);
	add_column(sheet, NULL, &words, sheet->style->width / 2);
	for (size_t i = 0; i < 3; i++)
		sheet_right(sheet, values[i], SUM_WIDTH);
	text_add(sheet->out, "\n");
}

static void add_summed_places(const struct sheet *sheet)
{
	const struct report *report = sheet->report;
	const struct profile_table *places = &report->profile->places;
	size_t lines = 0;

	for (size_t i = 0; i < places->count && lines < FINDINGS_SHOWN; i++) {
		const struct profile_row *row = &places->rows[i];
		scoped_text share = {0}, waited = {0}, calls = {0}, place = {0};
		if (!is_summed_row(report, row))
			continue;
		if (!lines++) {
			text_add(sheet->out, "\n");
			add_summed_line(sheet, "",
			                (const char *[]){phrase(sheet, "time"), phrase(sheet, "waiting"),
			                                 phrase(sheet, "calls")});
		}
		sheet_share(sheet, &share, share_of_run(report, row->run_ns));
		text_add(&waited, "~");
		sheet_share(sheet, &waited, share_of_run(report, row->waited_ns));
		text_add_count(&calls, row->calls);
		add_line_of(&place, &row->at, place_most(sheet));
		text_add(&place, " %s", row->call);
		add_summed_line(sheet, text_get(&place),
		                (const char *[]){text_get(&share), text_get(&waited), text_get(&calls)});
	}
}

/* Hidden parts, and the commands that show them */

static size_t findings_shown(const struct report *report)
{
	return smaller(report->shown, report->open ? FINDINGS_BESIDE_OPEN_CALLS : FINDINGS_SHOWN);
}

static void add_note_count(const struct sheet *sheet)
{
	struct text words = {0};
	uint64_t count = 0;

	for (size_t i = 0; i < sheet->report->note_count; i++)
		count += !sheet->report->notes[i].is_trust;
	if (!count)
		return;
	add_counted(&words, sheet->language, count, "note on the recording; --all shows it",
	            "notes on the recording; --all shows them");
	sheet_clipped(sheet, NULL, 1, &words);
}

/* A command to copy, if it fits on the line. */
static void add_hint(const struct sheet *sheet)
{
	const struct report *report = sheet->report;
	const char *trace = report->analysis->reader->path;
	char quoted[PATH_MAX];
	scoped_text command = {0}, words = {0};

	text_add(&command, "tarry report %s %s", report->shown ? "--finding 1" : "--all",
	         shell_quote(trace, quoted, sizeof quoted));
	add_filled_phrase(&words, sheet->language, report->shown ? "Details: $1; all: --all" : "Details: $1",
	                  (const char *[]){text_get(&command)});
	if (text_width(text_get(&words)) > sheet->style->width) {
		text_clear(&words);
		add_filled_phrase(&words, sheet->language,
		                  report->shown ? "Details: $1; all: --all" : "Details: $1",
		                  (const char *[]){report->shown ? "tarry report --finding 1 TRACE"
		                                                 : "tarry report --all TRACE"});
	}
	sheet_clipped(sheet, NULL, 2, &words);
}

void report_screen(struct report *report, const struct report_style *style, struct text *out)
{
	struct sheet sheet = sheet_for(report, style, out);
	struct text words = {0};
	const struct profile *profile;
	const struct phase_figures *phase = NULL;

	add_trust(&sheet);
	text_add(out, "\n");
	add_what_ran(&sheet);
	add_efficiency_line(&sheet);
	add_counters(&sheet);
	/* The user's longest phases; without phases, the iteration. */
	profile = sheet.report->profile;
	if (profile && profile->figures->efficiency.is_known && !sheet.report->open) {
		for (size_t i = 0; i < PHASES_SHOWN && (phase = next_phase(profile->figures, phase)); i++)
			add_phase(&sheet, phase);
		if (!profile->figures->phase_count && profile->figures->iteration.is_known)
			add_iteration(&sheet, &profile->figures->iteration);
	}
	add_critical_path_line(&sheet);
	add_headline(&sheet, "\n");
	add_open_calls(&sheet, 1);
	if (profile && has_only_sums(report->analysis->reader))
		add_summed_places(&sheet);
	if (report->shown)
		text_add(out, "\n");
	add_finding_lines(&sheet, findings_shown(report));
	if (sheet_hidden_findings(&sheet, findings_shown(sheet.report), &words))
		sheet_clipped(&sheet, NULL, 1, &words);
	add_note_count(&sheet);
	text_add(out, "\n");
	add_hint(&sheet);
}

void report_brief(const struct report *report, struct text *out)
{
	struct report_style plain = {.width = BRIEF_WIDTH};
	struct sheet sheet = sheet_for(report, &plain, out);

	if (report->trust.verdict != TRUST_FULL)
		add_trust(&sheet);
	add_headline(&sheet, "");
	if (report->shown)
		text_add(out, "%s\n", phrase(&sheet, "found:"));
	add_finding_lines(&sheet, BRIEF_SHOWN);
}
