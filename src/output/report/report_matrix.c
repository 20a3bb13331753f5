/* Who sends how much to whom, as a picture of letters: a row for each sender, a column for each receiver. Of many
 * ranks, blocks of them share a letter. */
#include "base/memory.h"
#include "output/report/summary.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LABEL = 8, SIDE_MOST = 64, INDENT = 2 };

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
	size_t room = sheet->style->width - INDENT - LABEL - 2;

	room = room < SIDE_MOST ? room : SIDE_MOST;
	*picture = (struct picture){.sheet = sheet, .block = (count + room - 1) / room};
	picture->side = (count + picture->block - 1) / picture->block;
	picture->cells = memory_new(picture->side * picture->side, sizeof *picture->cells);
	for (size_t i = 0; i < profile->traffic_count; i++) {
		const struct traffic *traffic = &profile->traffic[i];
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
	text_add_repeated(picture->sheet->out, ' ', INDENT + LABEL + 2);
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
	sheet_right(picture->sheet, text_get(&label), LABEL);
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

void add_matrix(const struct sheet *sheet, const struct profile *profile)
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
