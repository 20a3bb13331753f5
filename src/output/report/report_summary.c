#include "base/memory.h"
#include "output/report/profile.h"
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
	SIZE_COLUMN = 12,
	BAR_COLUMN = 20,
	BAR_GAP = 2,
	ROWS_SHOWN = 10,
	NAME_LEAST = 16,
	LABEL_COLUMN = 8,
	SIDE_MOST = 64,
};

/* Efficiency */

/* Behind the figure, or below it if there is no room. */
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
	const struct {
		double value;
		enum wording name, formula;
		size_t indent;
	} figures[] = {
		{efficiency->parallel, PHRASE_PARALLEL_EFFICIENCY, PHRASE_PARALLEL_FORMULA, 0},
		{efficiency->load_balance, PHRASE_LOAD_BALANCE, PHRASE_BALANCE_FORMULA, INDENT},
		{efficiency->communication, PHRASE_COMMUNICATION_EFFICIENCY, PHRASE_COMMUNICATION_FORMULA,
	         INDENT},
	};
	size_t width = 0;

	if (!efficiency->is_known)
		return;
	for (size_t i = 0; i < 3; i++) {
		size_t letters = figures[i].indent + text_width(phrase(sheet, figures[i].name));
		width = letters > width ? letters : width;
	}
	text_add(sheet->out, "\n");
	for (size_t i = 0; i < 3; i++) {
		struct text value = {0};
		text_add_repeated(sheet->out, ' ', INDENT + figures[i].indent);
		sheet_left(sheet, phrase(sheet, figures[i].name), width - figures[i].indent);
		text_add_decimal(&value, sheet->locale, 0, 100 * figures[i].value);
		text_add(&value, " %%");
		sheet_right(sheet, text_get(&value), SHARE_COLUMN);
		text_release(&value);
		add_formula(sheet, phrase(sheet, figures[i].formula), INDENT + width + SHARE_COLUMN);
	}
}

/* Tables: a name, its time, its share, and what else there is room for. */

struct columns {
	size_t name, calls, top, bar; /* 0: not shown */
};

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

/* As wide as the longest name, if there is room. */
static struct columns columns_for(const struct sheet *sheet, size_t longest, bool with_top)
{
	size_t width = sheet->style->width;
	struct columns columns = {.calls = width >= 60 ? CALLS_COLUMN : 0,
	                          .top = with_top && width >= 76 ? TOP_COLUMN : 0};
	size_t used = INDENT + TIME_COLUMN + SHARE_COLUMN + columns.calls + columns.top;

	columns.name = width > used + NAME_LEAST ? width - used : NAME_LEAST;
	if (longest < columns.name)
		columns.name = longest > NAME_LEAST ? longest : NAME_LEAST;
	if (columns.name + used + BAR_GAP + BAR_COLUMN <= width)
		columns.bar = BAR_COLUMN;
	return columns;
}

static void add_calls(const struct sheet *sheet, const struct profile_row *row)
{
	struct text value = {0};

	text_add_count(&value, row->calls);
	text_add(&value, " x");
	sheet_right(sheet, text_get(&value), CALLS_COLUMN);
	text_release(&value);
}

/* An average hides it when one process bears most. */
static void add_top(const struct sheet *sheet, const struct profile_row *row)
{
	const struct process *process = &sheet->report->analysis->reader->processes[row->top_process];
	struct text value = {0};

	if (process->rank != PROCESS_UNKNOWN) {
		text_add(&value, "%s%" PRIu32 ": ", phrase(sheet, PHRASE_RANK), process->rank);
		sheet_seconds(sheet, &value, row->top_ns);
	}
	sheet_right(sheet, text_get(&value), TOP_COLUMN);
	text_release(&value);
}

/* `row` may be NULL: computing has no calls. */
static void add_time_row(const struct sheet *sheet, const struct columns *columns, const char *name,
                         int64_t ns, const struct profile_row *row)
{
	double share = share_of_run(sheet->report, row ? row->run_ns : ns);
	size_t blank = columns->bar ? columns->calls + columns->top : 0;
	struct text value = {0};

	text_add_repeated(sheet->out, ' ', INDENT);
	sheet_left(sheet, name, columns->name);
	sheet_seconds(sheet, &value, ns);
	sheet_right(sheet, text_get(&value), TIME_COLUMN);
	text_clear(&value);
	if (row && !row->run_ns && row->inside_ns)
		text_add(&value, "-"); /* before or behind the run */
	else
		sheet_share(sheet, &value, share);
	sheet_right(sheet, text_get(&value), SHARE_COLUMN);
	text_release(&value);
	if (row && columns->calls)
		add_calls(sheet, row);
	if (row && columns->top)
		add_top(sheet, row);
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
	text_add(&words, "%s", phrase(sheet, PHRASE_REST));
	add_counted(&words, sheet->language, rows, NOUN_LINE);
	text_add(&words, "%s", phrase(sheet, PHRASE_SEE_ALL));
	sheet_paragraph(sheet, INDENT, &words);
}

static bool is_significant_row(const struct sheet *sheet, const struct profile_row *row)
{
	return share_of_run(sheet->report, row->inside_ns) >= 0.001;
}

/* Like the list of findings, it stops where it no longer matters. */
static size_t rows_shown(const struct sheet *sheet, const struct profile_table *table)
{
	size_t shown = 0;

	while (shown < table->count &&
	       (sheet->report->all || (shown < ROWS_SHOWN && is_significant_row(sheet, &table->rows[shown]))))
		shown++;
	return shown;
}

static void add_functions(const struct sheet *sheet, const struct profile *profile)
{
	const struct profile_table *table = &profile->functions;
	const char *computing = phrase(sheet, PHRASE_COMPUTING);
	size_t shown = rows_shown(sheet, table), longest = text_width(computing);
	struct columns columns;

	for (size_t i = 0; i < shown; i++)
		longest = larger(longest, text_width(table->rows[i].call));
	columns = columns_for(sheet, longest, true);
	sheet_title(sheet, PHRASE_TIME_BY_FUNCTION);
	add_time_row(sheet, &columns, computing, profile->figures->computing_ns, NULL);
	for (size_t i = 0; i < shown; i++)
		add_time_row(sheet, &columns, table->rows[i].call, table->rows[i].inside_ns, &table->rows[i]);
	add_more_rows(sheet, table->count - shown);
}

/* The text lives as long as the report. */
static const char *name_place(struct report *report, const struct profile_row *row)
{
	struct text name = {0};
	const char *kept;

	if (*row->path)
		text_add(&name, "%s > ", row->path);
	if (*row->at.text)
		text_add(&name, "%s ", row->at.text);
	text_add(&name, "%s", row->call);
	kept = arena_text(&report->arena, text_get(&name));
	text_release(&name);
	return kept;
}

static void add_places(const struct sheet *sheet, struct report *report, const struct profile *profile)
{
	const struct profile_table *table = &profile->places;
	size_t shown = rows_shown(sheet, table), longest = 0;
	const char **names = arena_array(&report->arena, const char *, shown + 1);
	struct columns columns;

	for (size_t i = 0; i < shown; i++) {
		names[i] = name_place(report, &table->rows[i]);
		longest = larger(longest, text_width(names[i]));
	}
	columns = columns_for(sheet, longest, false);
	sheet_title(sheet, PHRASE_TIME_BY_PLACE);
	for (size_t i = 0; i < shown; i++)
		add_time_row(sheet, &columns, names[i], table->rows[i].inside_ns, &table->rows[i]);
	add_more_rows(sheet, table->count - shown);
}

/* Messages */

static void add_bin(const struct sheet *sheet, const struct profile *profile, size_t bin, uint64_t most)
{
	const struct size_bin *own = &profile->flow->sizes[bin];
	struct text value = {0};

	text_add_repeated(sheet->out, ' ', INDENT);
	text_add(&value, "%s", phrase(sheet, bin ? PHRASE_FROM : PHRASE_EMPTY));
	if (bin)
		text_add_size_in(&value, sheet->locale, size_bin_start(bin));
	sheet_left(sheet, text_get(&value), SIZE_COLUMN + INDENT);
	text_clear(&value);
	text_add_count(&value, own->count);
	sheet_right(sheet, text_get(&value), SIZE_COLUMN);
	text_clear(&value);
	text_add_size_in(&value, sheet->locale, own->bytes);
	sheet_right(sheet, text_get(&value), SIZE_COLUMN);
	text_release(&value);
	if (sheet->style->width >= 3 * SIZE_COLUMN + 2 * BAR_COLUMN)
		sheet_bar(sheet, (double)own->count / (double)most, BAR_COLUMN);
	text_add(sheet->out, "\n");
}

static void add_sizes(const struct sheet *sheet, const struct profile *profile)
{
	uint64_t most = 0;

	for (size_t i = 0; i < SIZE_BINS; i++)
		most = profile->flow->sizes[i].count > most ? profile->flow->sizes[i].count : most;
	if (!most)
		return;
	sheet_title(sheet, PHRASE_MESSAGE_SIZES);
	for (size_t i = 0; i < SIZE_BINS; i++)
		if (profile->flow->sizes[i].count)
			add_bin(sheet, profile, i, most);
}

/* Who sends how much to whom, as a picture of letters: a row for each sender, a column for each receiver. Of many ranks, blocks
 * of them share a letter. */

static const char shades[] = " .:-=+*#%@";

struct picture {
	const struct sheet *sheet;
	size_t side;  /* letters */
	size_t block; /* ranks to a letter */
	uint64_t *cells;
	uint64_t most;
};

static void picture_init(struct picture *picture, const struct sheet *sheet, const struct profile *profile)
{
	size_t count = sheet->report->analysis->reader->process_count;
	size_t room = sheet->style->width - INDENT - LABEL_COLUMN - 2;

	room = room < SIDE_MOST ? room : SIDE_MOST;
	*picture = (struct picture){.sheet = sheet, .block = (count + room - 1) / room};
	picture->side = (count + picture->block - 1) / picture->block;
	picture->cells = memory_new(picture->side * picture->side, sizeof *picture->cells);
	for (size_t i = 0; i < profile->flow->traffic_count; i++) {
		const struct rank_traffic *traffic = &profile->flow->traffic[i];
		size_t row = traffic->from / picture->block, column = traffic->to / picture->block;
		uint64_t *cell = &picture->cells[row * picture->side + column];
		*cell += traffic->bytes;
		picture->most = *cell > picture->most ? *cell : picture->most;
	}
}

static char shade_of(const struct picture *picture, uint64_t bytes)
{
	double part = picture->most ? (double)bytes / (double)picture->most : 0;

	return shades[bytes ? 1 + (size_t)(part * (sizeof shades - 3)) : 0];
}

static void add_rank(struct text *label, const struct picture *picture, size_t number)
{
	const struct reader *reader = picture->sheet->report->analysis->reader;
	uint32_t rank = reader->processes[number * picture->block].rank;

	if (rank == PROCESS_UNKNOWN)
		text_add(label, "?");
	else
		text_add(label, "%" PRIu32, rank);
}

/* The first letter's rank above it, and the last one's at the end of its line if there is room. */
static void add_head(const struct picture *picture)
{
	struct text first = {0}, last = {0};

	add_rank(&first, picture, 0);
	add_rank(&last, picture, picture->side - 1);
	text_add_repeated(picture->sheet->out, ' ', INDENT + LABEL_COLUMN + 2);
	text_add(picture->sheet->out, "%s", text_get(&first));
	if (first.length + last.length < picture->side) {
		text_add_repeated(picture->sheet->out, ' ', picture->side - first.length - last.length);
		text_add(picture->sheet->out, "%s", text_get(&last));
	}
	text_add(picture->sheet->out, "\n");
	text_release(&first);
	text_release(&last);
}

static void add_row(const struct picture *picture, size_t row)
{
	struct text label = {0};

	add_rank(&label, picture, row);
	text_add_repeated(picture->sheet->out, ' ', INDENT);
	sheet_right(picture->sheet, text_get(&label), LABEL_COLUMN);
	text_add(picture->sheet->out, " |");
	for (size_t i = 0; i < picture->side; i++)
		text_add(picture->sheet->out, "%c",
		         shade_of(picture, picture->cells[row * picture->side + i]));
	text_add(picture->sheet->out, "|\n");
	text_release(&label);
}

static void add_key(const struct picture *picture)
{
	const struct sheet *sheet = picture->sheet;
	struct text words = {0};

	text_add(&words, "%c = ", shades[sizeof shades - 2]);
	text_add_size_in(&words, sheet->locale, picture->most);
	if (picture->block > 1)
		text_add(&words, "; %s%zu x %zu%s", phrase(sheet, PHRASE_EACH_LETTER), picture->block,
		         picture->block, phrase(sheet, PHRASE_TIMES_RANKS));
	sheet_paragraph(sheet, INDENT, &words);
}

static void add_matrix(const struct sheet *sheet, const struct profile *profile)
{
	struct picture picture;

	picture_init(&picture, sheet, profile);
	sheet_title(sheet, PHRASE_MATRIX);
	add_head(&picture);
	for (size_t i = 0; i < picture.side; i++)
		add_row(&picture, i);
	add_key(&picture);
	free(picture.cells);
}

void add_summary(const struct sheet *sheet, struct report *report)
{
	const struct profile *profile = report->profile;

	add_functions(sheet, profile);
	add_places(sheet, report, profile);
	add_sizes(sheet, profile);
	if (profile->flow->traffic_count)
		add_matrix(sheet, profile);
}
