#include "output/timeline/timeline_parts.h"

#include "base/json.h"

#include <inttypes.h>
#include <math.h>

/* Numbers of all rows and classes together: in memory, and letters that a page has room for. */
enum { NUMBERS_MOST = 1 << 22, LETTERS_MOST = 300000, BINS_OF_CLASS_LEAST = 16, LEVELS = 35 };

void classes_init(struct timeline_classes *classes, size_t rows, uint32_t bins_most)
{
	size_t bins = NUMBERS_MOST / CLASSES_MOST / CLASS_TIMES / (rows ? rows : 1);

	*classes = (struct timeline_classes){.rows = rows, .count = 1};
	classes->bins = BINS_OF_CLASS_LEAST;
	while (2 * classes->bins <= bins && 2 * classes->bins <= bins_most)
		classes->bins *= 2;
	classes->sums = memory_new(rows * CLASSES_MOST + 1, sizeof *classes->sums);
}

void classes_release(struct timeline_classes *classes)
{
	for (size_t i = 0; i < classes->rows * CLASSES_MOST; i++)
		free(classes->sums[i]);
	free(classes->sums);
	map_release(&classes->numbers);
}

void classes_clear(struct timeline_classes *classes)
{
	for (size_t i = 0; i < classes->rows * CLASSES_MOST; i++) {
		free(classes->sums[i]);
		classes->sums[i] = NULL;
	}
}

uint32_t class_number(struct timeline_classes *classes, const struct timeline_class *wanted)
{
	uint32_t *number = map_put(&classes->numbers, map_key((uintptr_t)wanted->name, wanted->comm));

	if (*number != MAP_NONE)
		return *number;
	*number = classes->count < CLASSES_MOST ? classes->count : 0;
	if (*number)
		classes->all[classes->count++] = *wanted;
	return *number;
}

void classes_add(struct timeline_classes *classes, uint32_t class, size_t row, enum class_time time,
                 struct class_stretch stretch)
{
	float **sums = &classes->sums[row * CLASSES_MOST + class];
	double from = fmax(stretch.from, 0), to = fmin(stretch.to, classes->bins);

	if (!(from < to))
		return;
	if (!*sums)
		*sums = memory_new((size_t)classes->bins * CLASS_TIMES, sizeof **sums);
	for (uint32_t bin = (uint32_t)from; bin < classes->bins && bin < to; bin++)
		(*sums)[bin * CLASS_TIMES + time] += (float)((fmin(bin + 1.0, to) - fmax(bin, from)) *
		                                             stretch.times);
}

/* JSON */

/* As many bins as there is room for. */
static uint32_t bins_written(const struct timeline_classes *classes)
{
	uint32_t bins = classes->bins;
	size_t used = 0;

	for (size_t i = 0; i < classes->rows * CLASSES_MOST; i++)
		used += classes->sums[i] != NULL;
	while (bins > 1 && used * bins * CLASS_TIMES > LETTERS_MOST)
		bins /= 2;
	return bins;
}

/* A letter for each part, in 35ths: those inside and those of waits in turn. `share`: of how many rows this one is. */
static void add_letters(const struct timeline_classes *classes, const float *sums, uint32_t bins,
                        double share, struct text *out)
{
	static const char letters[] = "0123456789abcdefghijklmnopqrstuvwxyz";
	uint32_t step = classes->bins / bins;

	for (uint32_t i = 0; i < bins; i++)
		for (int time = 0; time < CLASS_TIMES; time++) {
			double sum = 0;
			for (uint32_t j = 0; j < step; j++)
				sum += (double)sums[(i * step + j) * CLASS_TIMES + (uint32_t)time];
			sum = sum / step * share * LEVELS + 0.5;
			text_add_bytes(out, &letters[sum < 0 ? 0 : sum > LEVELS ? LEVELS : (int)sum], 1);
		}
}

static void add_row(const struct timeline_classes *classes, size_t row, uint32_t bins, double share,
                    struct text *out)
{
	bool is_first = true;

	text_add(out, "%s[", row ? "," : "");
	for (uint32_t class = 0; class < classes->count; class ++) {
		const float *sums = classes->sums[row * CLASSES_MOST + class];
		if (!sums)
			continue;
		text_add(out, "%s%" PRIu32 ",\"", is_first ? "" : ",", class);
		add_letters(classes, sums, bins, share, out);
		text_add(out, "\"");
		is_first = false;
	}
	text_add(out, "]");
}

/* Of each class: function, kind, and the number of its communicator, -1 if there is none. */
static void add_names(const struct timeline_classes *classes, struct site_list *sites, struct text *out)
{
	struct json json = {.out = out};

	json_open(&json, NULL, '[');
	for (uint32_t i = 0; i < classes->count; i++) {
		const struct timeline_class *class = &classes->all[i];
		json_open(&json, NULL, '[');
		json_text(&json, NULL, class->name ? class->name : "");
		json_text(&json, NULL, class->name ? bin_kind_names[class->kind] : "");
		json_number(&json, NULL, class->comm ? number_comm(sites, class->process, class->comm) : -1);
		json_close(&json, ']');
	}
	json_close(&json, ']');
}

void classes_json(const struct timeline_classes *classes, struct site_list *sites, struct text *out)
{
	const struct timeline *timeline = sites->timeline;
	uint32_t bins = bins_written(classes);
	double length = (double)timeline->options.length_ns / 1e9;

	text_add(out, ",\"classes\":{\"count\":%" PRIu32 ",\"from_s\":%.9f,\"to_s\":%.9f,\"names\":", bins,
	         (double)timeline->shown.from / 1e9,
	         timeline->shown.to < timeline->options.length_ns ? (double)timeline->shown.to / 1e9
	                                                          : length);
	add_names(classes, sites, out);
	text_add(out, ",\"rows\":[");
	for (size_t row = 0; row < classes->rows; row++)
		add_row(classes, row, bins, 1 / (double)rows_in_row(timeline, row), out);
	text_add(out, "]}");
}
