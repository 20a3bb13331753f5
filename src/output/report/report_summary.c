#include "base/memory.h"
#include "output/report/files.h"
#include "output/report/parts.h"
#include "output/report/sheet.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	INDENT = 2,
	GAP = 3,
	TIME_COLUMN = 11,
	SHARE_COLUMN = 8,
	CALLS_COLUMN = 14,
	TOP_COLUMN = 20,
	BAR_COLUMN = 20,
	BAR_GAP = 2,
	ROWS_SHOWN = 10,
	NAME_MIN = 16,
};

/* Smaller parts of the run are not shown. */
#define COMPUTING_PART 0.005

/* Efficiency */

/* After the figure, or below it if there is no room. */
static void add_formula(const struct sheet *sheet, const char *formula, size_t column)
{
	if (column + GAP + text_width(formula) <= sheet->style->width) {
		text_add_repeated(sheet->out, ' ', GAP);
		text_add(sheet->out, "%s\n", formula);
		return;
	}
	text_add(sheet->out, "\n");
	text_add_repeated(sheet->out, ' ', 3 * INDENT);
	text_add_wrapped(sheet->out, formula, 3 * INDENT, sheet->style->width);
}

void add_efficiency(const struct sheet *sheet, const struct profile *profile)
{
	const struct efficiency *efficiency = &profile->figures->efficiency;
	const struct hybrid_efficiency *hybrid = &profile->figures->hybrid;
	const struct communication_parts *parts = &sheet->report->communication;
	const size_t inner = hybrid->is_known ? INDENT : 0;
	const struct {
		double value;
		const char *name, *formula;
		size_t indent;
	} rows[] =
		{
			{hybrid->parallel, "parallel efficiency", "MPI efficiency × OpenMP efficiency", 0},
			{hybrid->openmp, "OpenMP efficiency",
	                 "useful time of the threads / computing time × threads", INDENT},
			{efficiency->parallel, hybrid->is_known ? "MPI efficiency" : "parallel efficiency",
	                 "mean computing time / length of the run", inner},
			{efficiency->load_balance, "load balance", "mean computing time / longest",
	                 inner + INDENT},
			{efficiency->communication, "communication efficiency",
	                 "longest computing time / length", inner + INDENT},
			{parts->serialisation, "serialisation", "longest / length on an ideal network",
	                 inner + 2 * INDENT},
			{parts->transfer, "transfer", "length on an ideal network / length",
	                 inner + 2 * INDENT},
		},
	  *figures = hybrid->is_known ? rows : rows + 2;
	const size_t count = (hybrid->is_known ? 5 : 3) + (parts->is_known ? 2 : 0);
	size_t width = 0;

	if (!efficiency->is_known)
		return;
	for (size_t i = 0; i < count; i++) {
		size_t letters = figures[i].indent + text_width(phrase(sheet, figures[i].name));
		width = letters > width ? letters : width;
	}
	text_add(sheet->out, "\n");
	for (size_t i = 0; i < count; i++) {
		scoped_text value = {0};
		text_add_repeated(sheet->out, ' ', INDENT + figures[i].indent);
		sheet_left(sheet, phrase(sheet, figures[i].name), width - figures[i].indent);
		text_add_decimal(&value, sheet->locale, 0, 100 * figures[i].value);
		text_add(&value, " %%");
		sheet_right(sheet, text_get(&value), SHARE_COLUMN);
		add_formula(sheet, phrase(sheet, figures[i].formula), INDENT + width + SHARE_COLUMN);
	}
	add_counters(sheet);
}

/* Tables: a name, its time, its share, and further columns if there is room. */

struct columns {
	size_t name, calls, top, bar; /* 0: not shown */
};

/* As wide as the longest name, if there is room. */
static struct columns columns_for(const struct sheet *sheet, size_t longest, bool with_top)
{
	size_t width = sheet->style->width;
	struct columns columns = {.calls = width >= 60 ? CALLS_COLUMN : 0,
	                          .top = with_top && width >= 76 ? TOP_COLUMN : 0};
	size_t used = INDENT + TIME_COLUMN + SHARE_COLUMN + columns.calls + columns.top;

	columns.name = width > used + NAME_MIN ? width - used : NAME_MIN;
	if (longest < columns.name)
		columns.name = longest > NAME_MIN ? longest : NAME_MIN;
	if (columns.name + used + BAR_GAP + BAR_COLUMN <= width)
		columns.bar = BAR_COLUMN;
	return columns;
}

/* `row` may be NULL: computing has no calls. */
static void add_time_row(const struct sheet *sheet, const struct columns *columns, const char *name,
                         int64_t ns, const struct profile_row *row)
{
	double share = share_of_run(sheet->report, row ? row->run_ns : ns);
	size_t blank = columns->bar ? columns->calls + columns->top : 0;
	scoped_text value = {0};

	text_add_repeated(sheet->out, ' ', INDENT);
	sheet_left(sheet, name, columns->name);
	sheet_seconds(sheet, &value, ns);
	sheet_right(sheet, text_get(&value), TIME_COLUMN);
	text_clear(&value);
	if (row && !row->run_ns && row->inside_ns)
		text_add(&value, "-"); /* before or after the run */
	else
		sheet_share(sheet, &value, share);
	sheet_right(sheet, text_get(&value), SHARE_COLUMN);
	text_clear(&value);
	if (row && columns->calls) {
		text_add_count(&value, row->calls);
		text_add(&value, " x");
		sheet_right(sheet, text_get(&value), CALLS_COLUMN);
		text_clear(&value);
	}
	/* A mean would hide that one process has most of the time. */
	if (row && columns->top) {
		uint32_t rank = sheet->report->analysis->reader->processes[row->top_process].rank;

		if (rank != PROCESS_UNKNOWN) {
			text_add(&value, "%s%" PRIu32 ": ", phrase(sheet, "rank "), rank);
			sheet_seconds(sheet, &value, row->top_ns);
		}
		sheet_right(sheet, text_get(&value), TOP_COLUMN);
	}
	if (!row)
		text_add_repeated(sheet->out, ' ', blank);
	sheet_bar(sheet, share, columns->bar);
	text_add(sheet->out, "\n");
}

static void add_more_rows(const struct sheet *sheet, size_t rows)
{
	struct text words = {0};

	if (!rows)
		return;
	add_counted(&words, sheet->language, rows, "more line; --all shows it",
	            "more lines; --all shows them");
	sheet_paragraph(sheet, INDENT, &words);
}

/* Minor rows are hidden, as in the list of findings. */
static size_t rows_shown(const struct sheet *sheet, const struct profile_table *table)
{
	size_t shown = 0;

	while (shown < table->count &&
	       (sheet->report->all ||
	        (shown < ROWS_SHOWN && share_of_run(sheet->report, table->rows[shown].inside_ns) >= 0.001)))
		shown++;
	return shown;
}

/* Usually nearly all of it is on a CPU: then the parts are not shown. */
static bool shows_parts(const struct sheet *sheet, const struct computing_parts *parts)
{
	return share_of_run(sheet->report, parts->ready_ns + parts->blocked_ns) >= COMPUTING_PART;
}

enum { COMPUTING_PARTS = 3 };

/* Waits for OpenMP threads are computing of the rank. */
static const char *computing_name(const struct sheet *sheet, const struct figures *figures, size_t part)
{
	static const char *const names[COMPUTING_PARTS] = {"on a CPU", "ready without a CPU",
	                                                   "blocked in the kernel"};

	return phrase(sheet, part == 0 && figures->hybrid.has_teams ? "on a CPU or in OpenMP" : names[part]);
}

static void add_computing(const struct sheet *sheet, const struct columns *columns,
                          const struct figures *figures)
{
	const struct computing_parts *parts = &figures->parts;
	const int64_t ns[COMPUTING_PARTS] = {figures->computing_ns - parts->ready_ns - parts->blocked_ns,
	                                     parts->ready_ns, parts->blocked_ns};

	add_time_row(sheet, columns, phrase(sheet, "computing (not MPI)"), figures->computing_ns, NULL);
	for (size_t i = 0; i < COMPUTING_PARTS && shows_parts(sheet, parts); i++) {
		scoped_text name = {0};
		text_add(&name, "  %s", computing_name(sheet, figures, i));
		add_time_row(sheet, columns, text_get(&name), ns[i], NULL);
	}
}

static void add_functions(const struct sheet *sheet, struct report *report, const struct profile *profile)
{
	const struct profile_table *table = &profile->functions;
	size_t shown = rows_shown(sheet, table), longest = text_width(phrase(sheet, "computing (not MPI)"));
	const char **names = arena_array(&report->arena, const char *, shown + 1);
	struct columns columns;

	for (size_t i = 0; i < shown; i++) {
		names[i] = arena_format(&report->arena, "%s%s", table->rows[i].call,
		                        table->rows[i].is_local ? phrase(sheet, " (computing)") : "");
		longest = larger(longest, text_width(names[i]));
	}
	for (size_t i = 0; i < COMPUTING_PARTS && shows_parts(sheet, &profile->figures->parts); i++)
		longest = larger(longest, 2 + text_width(computing_name(sheet, profile->figures, i)));
	columns = columns_for(sheet, longest, true);
	sheet_title(sheet, "Time by function, all processes");
	add_computing(sheet, &columns, profile->figures);
	for (size_t i = 0; i < shown; i++)
		add_time_row(sheet, &columns, names[i], table->rows[i].inside_ns, &table->rows[i]);
	add_more_rows(sheet, table->count - shown);
}

/* The text lives as long as the report. `in_short`: without the library, and without the call inside a
 * layer. */
static const char *name_place(struct report *report, const struct profile_row *row, bool in_short)
{
	scoped_text name = {0};

	if (*row->path)
		text_add(&name, "%s > ", row->path);
	if (in_short)
		describe_in_short(&row->at.where, &name);
	else
		text_add(&name, "%s", row->at.text);
	text_add(&name, name.length ? " " : "");
	text_add(&name, "%s", row->call);
	return arena_text(&report->arena, text_get(&name));
}

static void add_places(const struct sheet *sheet, struct report *report, const struct profile *profile)
{
	const struct profile_table *table = &profile->places;
	size_t shown = rows_shown(sheet, table), longest = 0;
	const char **names = arena_array(&report->arena, const char *, shown + 1);
	struct columns columns;

	for (size_t i = 0; i < shown; i++) {
		names[i] = name_place(report, &table->rows[i], false);
		longest = larger(longest, text_width(names[i]));
	}
	columns = columns_for(sheet, longest, false);
	for (size_t i = 0; i < shown; i++)
		if (text_width(names[i]) > columns.name)
			names[i] = name_place(report, &table->rows[i], true);
	sheet_title(sheet, "Time by call path, all processes");
	for (size_t i = 0; i < shown; i++)
		add_time_row(sheet, &columns, names[i], table->rows[i].inside_ns, &table->rows[i]);
	add_more_rows(sheet, table->count - shown);
}

void add_summary(const struct sheet *sheet, struct report *report)
{
	const struct profile *profile = report->profile;

	struct shown_figures shown = profile_shown(report);

	add_phases(sheet, &shown);
	add_functions(sheet, report, profile);
	add_start_and_end(sheet, &shown);
	add_places(sheet, report, profile);
	add_ranks(sheet, &shown);
	add_data_flow(sheet, &shown);
	add_files(sheet, &shown, report->all ? SIZE_MAX : FILES_SHOWN);
}
