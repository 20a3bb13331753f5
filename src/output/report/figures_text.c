#include "output/report/figures_output.h"

#include "analysis/model/rank_statistics.h"
#include "output/report/sheet.h"

#include <inttypes.h>

enum {
	INDENT = 2,
	NAME_MIN = 12,
	NAME_MAX = 40,
	FIGURE_COLUMN = 11,
	RANK_COLUMN = 21,
	NARROW_COLUMN = 9,
	MEASURE_COLUMN = 24,
	PHASES_SHOWN = 20
};

/* Smaller changes from the first to the last iterations are not shown. */
#define DRIFT_SHOWN 0.02
/* From this factor on, the change is shown as a factor. */
#define TIMES_FROM 2

static void add_percent(const struct sheet *sheet, double part, size_t width)
{
	scoped_text value = {0};

	sheet_share(sheet, &value, part);
	sheet_right(sheet, text_get(&value), width);
}

/* Start and end */

static void put_outside(const struct sheet *sheet, struct text *words, const char *template, int64_t ns)
{
	scoped_text time = {0};

	if (!ns)
		return;
	text_add(words, "%s", words->length ? ", " : phrase(sheet, "not counted (outside the run): "));
	sheet_seconds(sheet, &time, ns);
	add_filled_phrase(words, sheet->language, template, (const char *[]){text_get(&time)});
}

void add_start_and_end(const struct sheet *sheet, const struct shown_figures *shown)
{
	int64_t init_ns = 0, finalize_ns = 0;
	struct text words = {0};

	for (size_t i = 0; i < shown->reader->process_count; i++) {
		const struct rank_figures *rank = &shown->figures->ranks[i];
		init_ns = rank->init_ns > init_ns ? rank->init_ns : init_ns;
		finalize_ns = rank->finalize_ns > finalize_ns ? rank->finalize_ns : finalize_ns;
	}
	put_outside(sheet, &words, "MPI_Init up to $1", init_ns);
	put_outside(sheet, &words, "MPI_Finalize up to $1", finalize_ns);
	if (words.length)
		sheet_paragraph(sheet, INDENT, &words);
}

static void put_rank(const struct sheet *sheet, const struct shown_figures *shown, struct text *words,
                     uint32_t process)
{
	uint32_t rank = shown->reader->processes[process].rank;

	text_add(words, "%s", phrase(sheet, "rank "));
	if (rank == PROCESS_UNKNOWN)
		text_add(words, "?");
	else
		text_add(words, "%" PRIu32, rank);
}

/* Phases */

/* Wide enough for the longest name, if the terminal is. */
static size_t phase_column(const struct sheet *sheet, const struct figures *figures)
{
	size_t columns = sheet->style->width >= 76 ? 5 : 3, width = NAME_MIN;
	size_t room = sheet->style->width - INDENT - columns * FIGURE_COLUMN;

	for (uint32_t i = 0; i < figures->phase_count; i++) {
		size_t letters = INDENT * figures->phases[i].depth + text_width(figures->phases[i].name);
		width = letters > width ? letters : width;
	}
	return smaller(width, smaller(room, NAME_MAX));
}

static bool drift_is_computing(const struct iteration *iteration)
{
	int64_t drift = iteration->last_third_ns - iteration->first_third_ns;

	return drift > 0 ? iteration->computing_third_ns > drift / 2
	                 : iteration->computing_third_ns < drift / 2;
}

/* The difference between the last and the first iterations. */
static void add_drift(const struct sheet *sheet, const struct iteration *iteration, struct text *words)
{
	double times = iteration->first_third_ns > 0
	                       ? (double)iteration->last_third_ns / (double)iteration->first_third_ns
	                       : 1;
	double drift = times - 1;
	const char *template = times >= TIMES_FROM ? "; the last third takes $1 times as long as the first"
	                       : drift > 0         ? "; the last third is $1 longer than the first"
	                                           : "; the last third is $1 shorter than the first";
	scoped_text value = {0};

	if (drift < DRIFT_SHOWN && drift > -DRIFT_SHOWN)
		return;
	if (times >= TIMES_FROM)
		text_add_decimal(&value, sheet->locale, times < 9.95, times);
	else
		sheet_share(sheet, &value, drift < 0 ? -drift : drift);
	add_filled_phrase(words, sheet->language, template, (const char *[]){text_get(&value)});
	text_add(words, "%s",
	         phrase(sheet,
	                drift_is_computing(iteration) ? ", mostly computing" : ", mostly inside calls"));
}

/* A letter for each group of iterations. */
static void add_course(const struct sheet *sheet, const struct iteration *iteration)
{
	double lengths[ITERATION_GROUPS], waits[ITERATION_GROUPS];
	scoped_text length = {0}, waiting = {0}, words = {0};

	for (size_t i = 0; i < iteration->group_count; i++) {
		lengths[i] = (double)iteration->groups[i].length_ns;
		waits[i] = (double)iteration->groups[i].waiting_ns;
	}
	text_add_levels(&length, lengths, iteration->group_count);
	text_add_levels(&waiting, waits, iteration->group_count);
	add_filled_phrase(&words, sheet->language, "length over the run: [$1]",
	                  (const char *[]){text_get(&length)});
	sheet_paragraph(sheet, INDENT, &words);
	add_filled_phrase(&words, sheet->language, "waits over the run:  [$1]",
	                  (const char *[]){text_get(&waiting)});
	sheet_paragraph(sheet, INDENT, &words);
}

static void add_outlier(const struct sheet *sheet, const struct shown_figures *shown,
                        const struct iteration_outlier *outlier)
{
	int64_t median = shown->figures->iteration.median_ns;
	bool is_computing = outlier->late_ns > (outlier->length_ns - median) / 2;
	scoped_text number = {0}, length = {0}, usual = {0}, rank = {0}, excess = {0}, words = {0};

	text_add_count(&number, outlier->number);
	sheet_seconds(sheet, &length, outlier->length_ns);
	sheet_seconds(sheet, &usual, median);
	put_rank(sheet, shown, &rank, outlier->late_process);
	sheet_seconds(sheet, &excess, outlier->late_ns);
	add_filled_phrase(
		&words, sheet->language,
		is_computing ? "iteration $1 takes $2, the median is $3: $4 computes $5 longer than usual"
			     : "iteration $1 takes $2, the median is $3: the rest is inside calls",
		(const char *[]){text_get(&number), text_get(&length), text_get(&usual), text_get(&rank),
	                         text_get(&excess)});
	sheet_paragraph(sheet, INDENT, &words);
}

static void add_iteration(const struct sheet *sheet, const struct shown_figures *shown)
{
	const struct iteration *iteration = &shown->figures->iteration;
	struct location where = symbols_find_call(shown->source, &shown->reader->processes[0],
	                                          iteration->call);
	struct text words = {0}, values[6] = {0};

	text_add_count(&values[0], iteration->count);
	text_add(&values[1], "%s", iteration->call->outline->name);
	describe_place(&where, &words);
	if (words.length)
		text_add(&values[1], "%s%s", phrase(sheet, " at "), text_get(&words));
	text_clear(&words);
	sheet_seconds(sheet, &values[2], iteration->mean_ns);
	sheet_seconds(sheet, &values[3], iteration->min_ns);
	sheet_seconds(sheet, &values[4], iteration->max_ns);
	sheet_share(sheet, &values[5], iteration->efficiency.parallel);
	add_filled_phrase(&words, sheet->language,
	                  "$1, each begun by $2: mean $3, from $4 to $5, parallel efficiency $6",
	                  (const char *[]){text_get(&values[0]), text_get(&values[1]), text_get(&values[2]),
	                                   text_get(&values[3]), text_get(&values[4]), text_get(&values[5])});
	add_drift(sheet, iteration, &words);
	sheet_title(sheet, "Detected iterations");
	sheet_paragraph(sheet, INDENT, &words);
	add_course(sheet, iteration);
	for (size_t i = 0; i < iteration->outlier_count; i++)
		add_outlier(sheet, shown, &iteration->outliers[i]);
	for (size_t i = 0; i < sizeof values / sizeof *values; i++)
		text_release(&values[i]);
}

void add_phases(const struct sheet *sheet, const struct shown_figures *shown)
{
	const struct figures *figures = shown->figures;
	size_t width = phase_column(sheet, figures), columns;
	static const char *const heads[] = {"column|time", "share", "efficiency", "balance", "commun."};

	if (!figures->phase_count) {
		if (figures->iteration.is_known)
			add_iteration(sheet, shown);
		return;
	}
	sheet_title(sheet, "Regions and phases");
	columns = sheet->style->width >= 76 ? 5 : 3;
	text_add_repeated(sheet->out, ' ', INDENT + width);
	for (size_t i = 0; i < columns; i++)
		sheet_right(sheet, phrase(sheet, heads[i]), FIGURE_COLUMN);
	text_add(sheet->out, "\n");
	for (uint32_t i = 0; i < figures->phase_count && i < PHASES_SHOWN; i++) {
		const struct phase_figures *phase = &figures->phases[i];
		double time = (double)figures->run->time_ns;
		size_t indent = smaller(INDENT * phase->depth, width / 2);
		scoped_text value = {0};

		text_add_repeated(sheet->out, ' ', INDENT + indent);
		sheet_left(sheet, phase->name, width - indent);
		sheet_seconds(sheet, &value, phase->time_ns);
		sheet_right(sheet, text_get(&value), FIGURE_COLUMN);
		add_percent(sheet, time > 0 ? (double)phase->time_ns / time : 0, FIGURE_COLUMN);
		if (phase->efficiency.is_known) {
			add_percent(sheet, phase->efficiency.parallel, FIGURE_COLUMN);
			if (sheet->style->width >= 76) {
				add_percent(sheet, phase->efficiency.load_balance, FIGURE_COLUMN);
				add_percent(sheet, phase->efficiency.communication, FIGURE_COLUMN);
			}
		}
		text_add(sheet->out, "\n");
	}
	if (figures->phase_count > PHASES_SHOWN) {
		struct text words = {0};
		add_counted(&words, sheet->language, figures->phase_count - PHASES_SHOWN, "more line",
		            "more lines");
		sheet_paragraph(sheet, INDENT, &words);
	}
}

/* Processes */

static const char *const measure_names[RANK_MEASURES] = {
	[RANK_COMPUTING] = "computing (not MPI)",
	[RANK_COMMUNICATION] = "in MPI",
	[RANK_WAITING] = "waiting",
	[RANK_SENT] = "sent",
	[RANK_RECEIVED] = "received",
	[RANK_CALLS] = "calls",
};

static void put_value(const struct sheet *sheet, struct text *words, enum rank_measure measure, double value)
{
	if (measure <= RANK_WAITING)
		sheet_seconds(sheet, words, (int64_t)value);
	else if (measure <= RANK_RECEIVED)
		text_add_size_in(words, sheet->locale, (uint64_t)value);
	else
		text_add_count(words, (uint64_t)(value + 0.5));
}

/* With its rank if there is room. */
static void add_value(const struct sheet *sheet, const struct shown_figures *shown, enum rank_measure measure,
                      double value, const uint32_t *process)
{
	bool is_wide = sheet->style->width >= 80;
	scoped_text words = {0};

	put_value(sheet, &words, measure, value);
	if (process && is_wide) {
		text_add(&words, " (");
		put_rank(sheet, shown, &words, *process);
		text_add(&words, ")");
	}
	sheet_right(sheet, text_get(&words),
	            !is_wide  ? NARROW_COLUMN
	            : process ? RANK_COLUMN
	                      : FIGURE_COLUMN);
}

void add_ranks(const struct sheet *sheet, const struct shown_figures *shown)
{
	struct rank_statistics all = rank_statistics_of(shown->figures, shown->reader->process_count,
	                                                shown->waiting_ns);

	if (shown->reader->process_count < 2)
		return;
	sheet_title(sheet, "By process: mean, min, max");
	for (enum rank_measure i = 0; i < RANK_MEASURES; i++)
		if (all.measures[i].is_known) {
			const struct measure_statistics *statistics = &all.measures[i];
			size_t room = sheet->style->width - INDENT - 3 * NARROW_COLUMN;
			size_t width = sheet->style->width >= 80 ? MEASURE_COLUMN
			                                         : smaller(MEASURE_COLUMN, room);

			text_add_repeated(sheet->out, ' ', INDENT);
			sheet_left(sheet, phrase(sheet, measure_names[i]), width);
			add_value(sheet, shown, i, statistics->mean, NULL);
			add_value(sheet, shown, i, statistics->least, &statistics->least_process);
			add_value(sheet, shown, i, statistics->most, &statistics->most_process);
			text_add(sheet->out, "\n");
		}
	for (size_t i = 0; i < all.outlier_count; i++) {
		const struct rank_outlier *outlier = &all.outliers[i];
		scoped_text words = {0}, rank = {0}, value = {0}, median = {0};

		put_rank(sheet, shown, &rank, outlier->process);
		put_value(sheet, &value, outlier->measure, outlier->value);
		put_value(sheet, &median, outlier->measure, all.measures[outlier->measure].median);
		add_filled_phrase(&words, sheet->language, "$1 stands out: $2 $3, median $4",
		                  (const char *[]){text_get(&rank),
		                                   phrase(sheet, measure_names[outlier->measure]),
		                                   text_get(&value), text_get(&median)});
		sheet_paragraph(sheet, INDENT, &words);
	}
}
