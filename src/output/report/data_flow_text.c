#include "base/memory.h"
#include "output/report/figures_output.h"
#include "output/report/sheet.h"

#include <inttypes.h>
#include <stdlib.h>

enum { INDENT = 2, SIZE_COLUMN = 12, BAR_COLUMN = 20, LABEL_COLUMN = 8, SIDE_MAX = 64 };

/* Sizes */

static uint64_t most_of(const struct size_bin *bins)
{
	uint64_t most = 0;

	for (size_t i = 0; i < SIZE_BINS; i++)
		most = bins[i].count > most ? bins[i].count : most;
	return most;
}

static void add_bins(const struct sheet *sheet, const struct size_bin *bins)
{
	uint64_t most = most_of(bins);

	for (size_t i = 0; i < SIZE_BINS; i++)
		if (bins[i].count) {
			const struct size_bin *own = &bins[i];
			scoped_text value = {0};

			text_add_repeated(sheet->out, ' ', INDENT);
			text_add(&value, "%s", phrase(sheet, i ? "from " : "empty"));
			if (i)
				text_add_size_in(&value, sheet->locale, size_bin_start(i));
			sheet_left(sheet, text_get(&value), SIZE_COLUMN + INDENT);
			text_clear(&value);
			text_add_count(&value, own->count);
			sheet_right(sheet, text_get(&value), SIZE_COLUMN);
			text_clear(&value);
			text_add_size_in(&value, sheet->locale, own->bytes);
			sheet_right(sheet, text_get(&value), SIZE_COLUMN);
			if (sheet->style->width >= 3 * SIZE_COLUMN + 2 * BAR_COLUMN)
				sheet_bar(sheet, (double)own->count / (double)most, BAR_COLUMN);
			text_add(sheet->out, "\n");
		}
}

static void add_sizes(const struct sheet *sheet, const struct data_flow *flow)
{
	if (most_of(flow->sizes)) {
		sheet_title(sheet, "Messages by size");
		add_bins(sheet, flow->sizes);
	}
	if (flow->collective_count)
		sheet_title(sheet, "Collective operations by bytes sent per process");
	for (size_t i = 0; i < flow->collective_count; i++) {
		text_add_repeated(sheet->out, ' ', INDENT);
		text_add(sheet->out, "%s\n", flow->collectives[i].call);
		add_bins(sheet, flow->collectives[i].bins);
	}
}

/* Traffic between ranks as a picture of letters: a row for each sender, a column for each receiver. Of many ranks, blocks
 * of them share a letter. */

static const char shades[] = " .:-=+*#%@";

struct picture {
	const struct sheet *sheet;
	const struct shown_figures *shown;
	size_t side;  /* letters */
	size_t block; /* ranks to a letter */
	uint64_t *cells;
	uint64_t most;
};

static void picture_init(struct picture *picture, const struct sheet *sheet,
                         const struct shown_figures *shown, bool of_collectives)
{
	size_t count = shown->reader->process_count;
	size_t room = sheet->style->width - INDENT - LABEL_COLUMN - 2;

	room = room < SIDE_MAX ? room : SIDE_MAX;
	*picture = (struct picture){.sheet = sheet, .shown = shown, .block = (count + room - 1) / room};
	picture->side = (count + picture->block - 1) / picture->block;
	picture->cells = memory_new(picture->side * picture->side, sizeof *picture->cells);
	for (size_t i = 0; i < shown->flow->traffic_count; i++) {
		const struct rank_traffic *traffic = &shown->flow->traffic[i];
		size_t row = traffic->from / picture->block, column = traffic->to / picture->block;
		uint64_t *cell = &picture->cells[row * picture->side + column];
		*cell += of_collectives ? traffic->collective_bytes : traffic->bytes;
		picture->most = *cell > picture->most ? *cell : picture->most;
	}
}

static void add_rank(struct text *label, const struct picture *picture, size_t number)
{
	uint32_t rank = picture->shown->reader->processes[number * picture->block].rank;

	if (rank == PROCESS_UNKNOWN)
		text_add(label, "?");
	else
		text_add(label, "%" PRIu32, rank);
}

static void add_row(const struct picture *picture, size_t row)
{
	scoped_text label = {0};

	add_rank(&label, picture, row);
	text_add_repeated(picture->sheet->out, ' ', INDENT);
	sheet_right(picture->sheet, text_get(&label), LABEL_COLUMN);
	text_add(picture->sheet->out, " |");
	for (size_t i = 0; i < picture->side; i++) {
		uint64_t bytes = picture->cells[row * picture->side + i];
		double part = picture->most ? (double)bytes / (double)picture->most : 0;

		text_add(picture->sheet->out, "%c",
		         shades[bytes ? 1 + (size_t)(part * (sizeof shades - 3)) : 0]);
	}
	text_add(picture->sheet->out, "|\n");
}

static void add_matrix(const struct sheet *sheet, const struct shown_figures *shown, bool of_collectives)
{
	struct picture picture;

	picture_init(&picture, sheet, shown, of_collectives);
	if (picture.most) {
		scoped_text first = {0}, last = {0}, words = {0};

		sheet_title(sheet,
		            of_collectives
		                    ? "Bytes moved by collective operations (rows send, columns receive)"
		                    : "Bytes sent (rows send, columns receive)");
		/* The rank of the first letter is above it, the rank of the last letter at the end of the
		 * line if there is room. */
		add_rank(&first, &picture, 0);
		add_rank(&last, &picture, picture.side - 1);
		text_add_repeated(picture.sheet->out, ' ', INDENT + LABEL_COLUMN + 2);
		text_add(picture.sheet->out, "%s", text_get(&first));
		if (first.length + last.length < picture.side) {
			text_add_repeated(picture.sheet->out, ' ', picture.side - first.length - last.length);
			text_add(picture.sheet->out, "%s", text_get(&last));
		}
		text_add(picture.sheet->out, "\n");
		for (size_t i = 0; i < picture.side; i++)
			add_row(&picture, i);
		text_add(&words, "%c = ", shades[sizeof shades - 2]);
		text_add_size_in(&words, sheet->locale, picture.most);
		if (picture.block > 1)
			text_add(&words, "; %s%zu x %zu%s", phrase(sheet, "each character: "), picture.block,
			         picture.block, phrase(sheet, " ranks"));
		sheet_paragraph(sheet, INDENT, &words);
	}
	free(picture.cells);
}

void add_data_flow(const struct sheet *sheet, const struct shown_figures *shown)
{
	add_sizes(sheet, shown->flow);
	if (!shown->flow->traffic_count)
		return;
	add_matrix(sheet, shown, false);
	add_matrix(sheet, shown, true);
}
