/* The user's regions and phases (model/marks.h), per thread. */
#include "analysis/model/marks.h"
#include "calls/calls.h"
#include "output/timeline/timeline_parts.h"

#include <stdlib.h>
#include <string.h>

/* In memory, and in a page. */
enum { REGIONS_KEPT = 1 << 20, REGIONS_WRITTEN = 20000, FIRST_NS_MIN = 1000 };

/* Drops the shorter ones. */
static void thin_out(struct timeline *timeline)
{
	struct region_names *regions = &timeline->regions;

	regions->least = regions->least ? 2 * regions->least : FIRST_NS_MIN;
	regions->kept = 0;
	for (size_t i = 0; i < timeline->row_count; i++) {
		struct timeline_row *row = &timeline->rows[i];
		size_t left = 0;

		for (size_t j = 0; j < row->regions.count; j++)
			if (row->regions.items[j].to - row->regions.items[j].from >= regions->least)
				row->regions.items[left++] = row->regions.items[j];
		row->regions.count = left;
		regions->kept += left;
	}
}

/* Ends the open regions from this depth on. */
static void end_from(struct timeline *timeline, struct timeline_row *row, size_t depth, int64_t end)
{
	while (row->open.count > depth) {
		struct kept_region region = row->open.items[--row->open.count];

		region.to = end;
		if (region.to <= region.from || region.to - region.from < timeline->regions.least)
			continue;
		array_add(&row->regions, region);
		timeline->regions.kept++;
		while (timeline->regions.kept > REGIONS_KEPT)
			thin_out(timeline);
	}
}

static void begin_region(struct timeline *timeline, struct timeline_row *row, const char *name, int64_t from)
{
	array_add(&row->open, ((struct kept_region){.from = from,
	                                            .name = text_map_number(&timeline->regions.numbers, name),
	                                            .depth = (uint32_t)row->open.count}));
}

/* A phase is the outermost region, from its mark to the mark of the next phase. Regions that are still open end with it in the timeline. */
void regions_mark(struct timeline *timeline, struct timeline_row *row, const struct call *call,
                  struct time_span time)
{
	enum mark_kind kind = mark_kind(call);
	const char *name = mark_name(timeline->options.session->reader, call);

	if (kind == MARK_LEVEL_END) {
		if (row->open.count &&
		    is_level(timeline->regions.numbers.items[row->open.items[0].name].text))
			end_from(timeline, row, 0, time.from);
	} else if (!name) {
		return;
	} else if (kind == MARK_REGION_BEGIN) {
		begin_region(timeline, row, name, time.from);
	} else if (kind == MARK_REGION_END) {
		uint32_t number = text_map_number(&timeline->regions.numbers, name);
		size_t depth = row->open.count;

		while (depth && row->open.items[depth - 1].name != number)
			depth--;
		if (depth)
			end_from(timeline, row, depth - 1, time.to);
	} else if (kind == MARK_PHASE) {
		end_from(timeline, row, 0, time.from);
		begin_region(timeline, row, name, time.from);
	}
}

static int by_start(const void *left, const void *right)
{
	const struct kept_region *a = left, *b = right;

	return a->from != b->from ? (a->from > b->from) - (a->from < b->from)
	                          : (a->depth > b->depth) - (a->depth < b->depth);
}

void regions_end(struct timeline *timeline)
{
	for (size_t i = 0; i < timeline->row_count; i++) {
		struct timeline_row *row = &timeline->rows[i];

		end_from(timeline, row, 0, row->ended);
		if (row->regions.count)
			qsort(row->regions.items, row->regions.count, sizeof *row->regions.items, by_start);
	}
}

void regions_release(struct timeline *timeline)
{
	for (size_t i = 0; i < timeline->row_count; i++) {
		array_release(&timeline->rows[i].regions);
		array_release(&timeline->rows[i].open);
	}
	text_map_release(&timeline->regions.numbers);
}

/* JSON */

static bool is_written(const struct timeline *timeline, const struct kept_region *region, int64_t least)
{
	return region->to - region->from >= least && region->from < timeline->shown.to &&
	       region->to > timeline->shown.from;
}

static size_t count_written(const struct timeline *timeline, int64_t least)
{
	size_t count = 0;

	for (size_t i = 0; i < timeline->row_count; i++)
		for (size_t j = 0; j < timeline->rows[i].regions.count; j++)
			count += is_written(timeline, &timeline->rows[i].regions.items[j], least);
	return count;
}

/* `numbers`: of the written names. */
static void add_row(struct json *json, const struct timeline *timeline, const struct timeline_row *row,
                    int64_t least, const uint32_t *numbers)
{
	int64_t before = 0;

	json_open(json, NULL, '[');
	for (size_t j = 0; j < row->regions.count; j++) {
		const struct kept_region *region = &row->regions.items[j];

		if (!is_written(timeline, region, least))
			continue;
		json_numbers(json,
		             (int64_t[]){region->from - before, region->to - region->from,
		                         numbers[region->name], region->depth},
		             4);
		before = region->from;
	}
	json_close(json, ']');
}

/* Only names of written regions: a program may have another one in each step. To be freed. */
static uint32_t *write_names(struct json *json, const struct timeline *timeline, int64_t least)
{
	const size_t count = timeline->regions.numbers.count;
	uint32_t *numbers = memory_new(count + 1, sizeof *numbers), written = 0;

	for (size_t i = 0; i < timeline->row_count; i++)
		for (size_t j = 0; j < timeline->rows[i].regions.count; j++)
			if (is_written(timeline, &timeline->rows[i].regions.items[j], least))
				numbers[timeline->rows[i].regions.items[j].name] = 1;
	json_open(json, "names", '[');
	for (size_t i = 0; i < count; i++)
		if (numbers[i]) {
			numbers[i] = written++;
			json_text(json, NULL, timeline->regions.numbers.items[i].text);
		}
	json_close(json, ']');
	return numbers;
}

/* `least_s`: shorter ones are missing. */
void regions_json(struct json *json, const struct timeline *timeline)
{
	int64_t least = timeline->regions.least;
	uint32_t *numbers;

	if (!timeline->regions.kept || rows_in_one(timeline) > 1)
		return;
	while (count_written(timeline, least) > REGIONS_WRITTEN)
		least = least ? 2 * least : FIRST_NS_MIN;
	json_open(json, "regions", '{');
	json_seconds(json, "least_s", least);
	numbers = write_names(json, timeline, least);
	json_open(json, "rows", '[');
	for (size_t i = 0; i < timeline->row_count; i++)
		add_row(json, timeline, &timeline->rows[i], least, numbers);
	json_close_all(json, "]}");
	free(numbers);
}
