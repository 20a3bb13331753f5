#include "bench/results/guidelines.h"
#include "bench/results/output.h"
#include "bench/results/point_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 80 };

static const char strong[] = "\033[1m", faint[] = "\033[2m", plain[] = "\033[0m";

/* "library: Open MPI 4.1.4, 4 processes"; unknown facts are omitted. */
struct head_line {
	const char *label;
	struct {
		const char *section, *name;
		const char *before, *after;
	} facts[5];
};

static const struct head_line head_lines[] = {
	{"MPI", {{"mpi", "library", "", ""}, {"mpi", "processes", "", " processes"}}},
	{"UPC", {{"upc", "compiler", "", ""}, {"upc", "threads", "", " threads"}}},
	{"machine",
         {{"machine", "hosts", "", ""}, {"machine", "oversubscribed", "too few processors: ", ""}}},
	{"points", {{"job", "points", "", ""}}},
	{"clocks",
         {{"clock", "timer", "timer ", ""},
          {"clock", "resolution", "resolution ", ""},
          {"clock", "synchronisation", "synchronised by ", ""},
          {"clock", "error", "error ", ""}}},
};

enum { LABEL_WIDTH = 12 };

static void add_labelled(struct text *out, const char *label, const char *words)
{
	text_add(out, "%-*s", LABEL_WIDTH, label);
	text_add_wrapped(out, words, LABEL_WIDTH, WIDTH);
}

static const char *behind(const char *value, const char *after)
{
	return strcmp(value, "1") == 0 && strcmp(after, " processes") == 0 ? " process" : after;
}

static void add_head_line(const struct results *results, const struct head_line *line, struct text *out)
{
	struct text words = {0};

	for (size_t i = 0; i < sizeof line->facts / sizeof *line->facts && line->facts[i].name; i++) {
		const char *value = results_find_fact(results, line->facts[i].section, line->facts[i].name);

		if (value)
			text_add(&words, "%s%s%s%s", words.length ? ", " : "", line->facts[i].before, value,
			         behind(value, line->facts[i].after));
	}
	if (words.length)
		add_labelled(out, line->label, text_get(&words));
	text_release(&words);
}

static void add_self_tests(const struct results *results, struct text *out)
{
	struct text words = {0};

	for (const struct fact *fact = results->facts; fact; fact = fact->next)
		if (strcmp(fact->section, "self-tests") == 0)
			text_add(&words, "%s%s %s", words.length ? "; " : "", fact->name, fact->value);
	if (words.length)
		add_labelled(out, "self-tests", text_get(&words));
	text_release(&words);
}

void table_head(const struct results *results, struct text *out)
{
	for (size_t i = 0; i < sizeof head_lines / sizeof *head_lines; i++)
		add_head_line(results, &head_lines[i], out);
	add_self_tests(results, out);
}

/* A unit in which the times of an operation have few digits, the same for all sizes. */
static const struct time_unit {
	double from, seconds;
	const char *name;
} units[] = {{100, 1, "s"}, {0.1, 1e-3, "ms"}, {-INFINITY, 1e-6, "us"}};

static const struct time_unit *unit_for(double seconds)
{
	const struct time_unit *unit = units;

	/* Unknown times sort last. */
	while (!(seconds >= unit->from) && unit->from > 0)
		unit++;
	return unit;
}

/* At least four significant digits, but not more than fit. */
static int places_for(double value)
{
	return value < 9.9995 ? 3 : value < 99.995 ? 2 : value < 9999.95 ? 1 : 0;
}

static void add_value(struct text *out, int width, int places, double value)
{
	if (isfinite(value))
		text_add(out, "%*.*f", width, places, value);
	else
		text_add(out, "%*s", width, "?");
}

static void add_time(struct text *out, const struct result_table *table, double seconds)
{
	add_value(out, 8, places_for(seconds / table->unit), seconds / table->unit);
}

/* The last column is an additional result of the operation. */
static const char overlap_column[] = "overlap", rate_column[] = "MB/s";

static const char *extra_of(const struct result_point *point)
{
	return isfinite(point->overlap) ? overlap_column : isfinite(point->rate) ? rate_column : NULL;
}

static void add_extra(struct text *out, const struct result_table *table, const struct result_point *point)
{
	if (!table->extra)
		return;
	if (table->extra == rate_column)
		add_value(out, 8, places_for(point->rate * 1e-6), point->rate * 1e-6);
	else if (isfinite(point->overlap))
		text_add(out, " %5.0f %%", 100 * point->overlap);
	else
		text_add(out, "%8s", "?");
}

static void add_title(const struct result_table *table, const struct time_unit *unit, struct text *out)
{
	struct text words = {0};

	text_add(&words, "%s, times in %s", table->title, unit->name);
	text_add(out, "\n%s", table->coloured ? strong : "");
	text_add_wrapped(out, text_get(&words), 0, WIDTH);
	text_add(out, "%s", table->coloured ? plain : "");
	text_release(&words);
}

static void add_block_head(struct result_table *table, const struct result_point *point, struct text *out)
{
	const struct time_unit *unit = unit_for(point->summary.mean);

	table->unit = unit->seconds;
	table->extra = extra_of(point);
	add_title(table, unit, out);
	text_add(out, "%s%7s %5s %7s +- %-6s%8s%8s%8s %10s", table->coloured ? faint : "", "bytes", "ranks",
	         "mean", "E", "median", "min", "max", "runs");
	if (table->extra)
		text_add(out, "%8s", table->extra);
	text_add(out, "%s\n", table->coloured ? plain : "");
}

static bool begins_block(struct result_table *table, const struct result_point *point)
{
	struct text title = {0};
	char cut[sizeof table->title];

	text_add_point_name(&title, point);
	snprintf(cut, sizeof cut, "%s", text_get(&title));
	text_release(&title);
	bool is_new = strcmp(cut, table->title) != 0;

	memcpy(table->title, cut, sizeof cut);
	return is_new;
}

/* Few runs are always unsteady: one mark is enough. */
static unsigned marks_of_row(const struct result_point *point)
{
	return point->marks & MARK_FEW ? point->marks & ~(unsigned)MARK_UNSTEADY : point->marks;
}

/* After the numbers, or below them if there is no room. */
static void add_marks(struct text *line, const struct result_point *point)
{
	struct text marks = {0};

	text_add_marks(&marks, marks_of_row(point), ",");
	if (line->length + 1 + marks.length > WIDTH)
		text_add(line, "\n%*s", (int)(WIDTH - 1 - marks.length), "");
	if (marks.length)
		text_add(line, " %s", text_get(&marks));
	text_release(&marks);
}

static void add_numbers(struct text *line, const struct result_table *table, const struct result_point *point)
{
	const struct sample_summary *summary = &point->summary;
	struct text size = {0}, counts = {0}, half_width = {0};
	double mean = summary->mean / table->unit;

	text_add_point_size(&size, point);
	text_add(&counts, "%zu/%zu/%zu", point->runs, summary->count, summary->kept);
	add_value(&half_width, 0, places_for(mean), summary->half_width / table->unit);
	text_add(line, "%7s %5d", text_get(&size), point->ranks);
	add_time(line, table, summary->mean);
	text_add(line, " +- %-6s", text_get(&half_width));
	add_time(line, table, summary->median);
	add_time(line, table, summary->min);
	add_time(line, table, summary->max);
	text_add(line, " %10s", text_get(&counts));
	add_extra(line, table, point);
	text_release(&size);
	text_release(&counts);
	text_release(&half_width);
}

void table_row(struct result_table *table, const struct result_point *point, struct text *out)
{
	struct text line = {0};

	if (begins_block(table, point))
		add_block_head(table, point, out);
	add_numbers(&line, table, point);
	add_marks(&line, point);
	text_add(out, "%s\n", text_get(&line));
	text_release(&line);
}

static unsigned marks_of(const struct results *results)
{
	unsigned marks = 0;

	for (size_t i = 0; i < results->point_count; i++)
		marks |= marks_of_row(&results->points[i]);
	return marks;
}

static void add_legend(const struct results *results, struct text *out)
{
	const char *confidence = results_find_fact(results, "parameters", "confidence");
	unsigned marks = marks_of(results);
	struct text interval = {0};
	double share;

	text_add(&interval, "half-width of the confidence interval");
	if (confidence && parse_real(confidence, &share) == OK)
		text_add(&interval, " (%.6g %%)", 100 * share);
	text_add(&interval, " around the mean");
	add_labelled(out, "E", text_get(&interval));
	add_labelled(out, "runs", "total / valid / averaged");
	for (const struct mark_kind *kind = mark_kinds; kind->name; kind++)
		if (marks & kind->mark)
			add_labelled(out, kind->name, kind->help);
	text_release(&interval);
}

/* "MPI_Allreduce, int, sum, 1K, 8 ranks: 12.3 us, but 8.6 us as MPI_Reduce + MPI_Bcast". */
static void add_violation(const struct guideline_violation *violation, struct text *out)
{
	struct text words = {0};

	text_add_point_name(&words, violation->point);
	if (violation->point->bytes) {
		text_add(&words, ", ");
		text_add_point_size(&words, violation->point);
	}
	text_add(&words, ", %d rank%s: ", violation->point->ranks, violation->point->ranks == 1 ? "" : "s");
	text_add_seconds(&words, violation->point->summary.mean);
	text_add(&words, ", but ");
	text_add_seconds(&words, violation->bound);
	text_add(&words, " %s", violation->alternative);
	text_add(out, "  ");
	text_add_wrapped(out, text_get(&words), 4, WIDTH);
	text_release(&words);
}

static void add_guidelines(const struct results *results, struct text *out)
{
	struct arena arena = {0};
	struct guidelines guidelines;
	struct text words = {0};

	guidelines_check(results, &arena, &guidelines);
	if (guidelines.checked) {
		text_add(&words, "%zu of %zu performance guidelines violated", guidelines.violation_count,
		         guidelines.checked);
		add_labelled(out, "guidelines", text_get(&words));
	}
	for (size_t i = 0; i < guidelines.violation_count; i++)
		add_violation(&guidelines.violations[i], out);
	text_release(&words);
	arena_release(&arena);
}

void table_end(const struct results *results, struct text *out)
{
	text_add(out, "\n");
	if (results->point_count)
		add_legend(results, out);
	add_guidelines(results, out);
	for (const struct omission *omission = results->omissions; omission; omission = omission->next) {
		text_add(out, "%s left out: ", omission->operation);
		text_add_wrapped(out, omission->reason, strlen(omission->operation) + 11, WIDTH);
	}
	if (!results->is_complete)
		text_add(out, "not complete: %s\n",
		         results->trouble ? results->trouble : "the job ended early");
}

void results_table(const struct results *results, bool coloured, struct text *out)
{
	struct result_table table = {.coloured = coloured};

	table_head(results, out);
	for (size_t i = 0; i < results->point_count; i++)
		table_row(&table, &results->points[i], out);
	table_end(results, out);
}
