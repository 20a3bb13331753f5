#include "job/check/objects/byte_runs.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 8 };

static int64_t end_of(const struct byte_run *run)
{
	return run->offset + run->length;
}

/* Keeps only the hull. */
static void give_up(struct byte_runs *runs)
{
	struct byte_run hull = runs->run[0];

	for (uint32_t i = 1; i < runs->count; i++) {
		const int64_t end = end_of(&runs->run[i]);

		if (end > end_of(&hull))
			hull.length = end - hull.offset;
		if (runs->run[i].offset < hull.offset) {
			hull.length += hull.offset - runs->run[i].offset;
			hull.offset = runs->run[i].offset;
		}
	}
	runs->run[0] = hull;
	runs->count = 1;
	runs->approximate = true;
	runs->unsorted = false;
}

static bool make_room(struct byte_runs *runs)
{
	const uint32_t capacity = runs->capacity ? runs->capacity * 2 : FIRST_CAPACITY;
	struct byte_run *grown;

	if (runs->count < runs->capacity)
		return true;
	if (runs->count >= BYTE_RUNS_MAX)
		return false;
	grown = realloc(runs->run, capacity * sizeof *grown);
	if (!grown)
		return false;
	runs->run = grown;
	runs->capacity = capacity;
	return true;
}

void byte_runs_add(struct byte_runs *runs, int64_t offset, int64_t length)
{
	struct byte_run *last = runs->count ? &runs->run[runs->count - 1] : NULL;

	if (length <= 0)
		return;
	if (last && !runs->approximate && offset == end_of(last)) {
		last->length += length;
		return;
	}
	if (!make_room(runs)) {
		runs->approximate = true;
		if (!runs->count)
			return;
		give_up(runs);
	}
	runs->unsorted |= runs->count && offset <= end_of(&runs->run[runs->count - 1]);
	runs->run[runs->count++] = (struct byte_run){offset, length};
	if (runs->approximate)
		give_up(runs);
}

static int compare(const void *a, const void *b)
{
	const struct byte_run *x = a, *y = b;

	return (x->offset > y->offset) - (x->offset < y->offset);
}

void byte_runs_sort(struct byte_runs *runs)
{
	uint32_t kept = 0;

	if (!runs->unsorted)
		return;
	runs->reordered = true;
	qsort(runs->run, runs->count, sizeof *runs->run, compare);
	for (uint32_t i = 1; i < runs->count; i++) {
		struct byte_run *last = &runs->run[kept];
		const struct byte_run *run = &runs->run[i];

		if (run->offset > end_of(last))
			runs->run[++kept] = *run;
		else if (end_of(run) > end_of(last))
			last->length = end_of(run) - last->offset;
	}
	runs->count = kept + 1;
	runs->unsorted = false;
}

void byte_runs_release(struct byte_runs *runs)
{
	free(runs->run);
	*runs = (struct byte_runs){0};
}

/* True if it is one run without gaps. */
static bool is_solid(const struct byte_pattern *pattern)
{
	return pattern->count == 1 && (pattern->times == 1 || pattern->stride == pattern->run[0].length);
}

static void add_hull(struct byte_runs *runs, const struct byte_pattern *pattern)
{
	int64_t first, end;

	if (!byte_pattern_hull(pattern, &first, &end))
		return;
	runs->approximate = true;
	byte_runs_add(runs, first, end - first);
}

void byte_runs_add_pattern(struct byte_runs *runs, const struct byte_pattern *pattern)
{
	if (!pattern->count || pattern->times <= 0)
		return;
	if (is_solid(pattern)) {
		byte_runs_add(runs, pattern->start + pattern->run[0].offset,
		              pattern->run[0].length * pattern->times);
		return;
	}
	/* on average, merging makes one run of at most two */
	if (pattern->times > 2 * (int64_t)BYTE_RUNS_MAX / pattern->count) {
		add_hull(runs, pattern);
		return;
	}
	for (int64_t i = 0; i < pattern->times; i++)
		for (uint32_t j = 0; j < pattern->count; j++)
			byte_runs_add(runs, pattern->start + i * pattern->stride + pattern->run[j].offset,
			              pattern->run[j].length);
}

bool byte_pattern_hull(const struct byte_pattern *pattern, int64_t *first, int64_t *end)
{
	const int64_t reach = (pattern->times - 1) * pattern->stride;

	if (!pattern->count || pattern->times <= 0)
		return false;
	*first = pattern->start + pattern->run[0].offset + (reach < 0 ? reach : 0);
	*end = pattern->start + end_of(&pattern->run[pattern->count - 1]) + (reach > 0 ? reach : 0);
	return true;
}

int64_t byte_pattern_bytes(const struct byte_pattern *pattern)
{
	int64_t bytes = 0;

	if (pattern->spacing)
		return pattern->run[0].length * pattern->count * pattern->times;
	for (uint32_t i = 0; i < pattern->count; i++)
		bytes += pattern->run[i].length;
	return bytes * pattern->times;
}

/* True if each element ends before the next one begins, so that all runs ascend. */
static bool ascends(const struct byte_pattern *pattern)
{
	return pattern->times == 1 ||
	       pattern->stride >= end_of(&pattern->run[pattern->count - 1]) - pattern->run[0].offset;
}

/* Iterates over the runs of an ascending pattern. */
struct run_cursor {
	const struct byte_pattern *pattern;
	int64_t element;
	uint32_t run;
	int64_t first, end; /* addresses */
};

static bool cursor_read(struct run_cursor *cursor)
{
	const struct byte_pattern *pattern = cursor->pattern;

	if (cursor->element >= pattern->times)
		return false;
	cursor->first = pattern->start + cursor->element * pattern->stride + pattern->run[cursor->run].offset;
	cursor->end = cursor->first + pattern->run[cursor->run].length;
	return true;
}

/* Moves to the first run that ends after `address`. */
static bool cursor_seek(struct run_cursor *cursor, int64_t address)
{
	const struct byte_pattern *pattern = cursor->pattern;
	const struct byte_run *last = &pattern->run[pattern->count - 1];
	const int64_t ahead = address - pattern->start - end_of(last);
	uint32_t low = 0, high = pattern->count - 1;

	if (ahead >= 0) /* elements that end at or before `address` */
		cursor->element = pattern->times == 1 ? 1 : ahead / pattern->stride + 1;
	while (cursor->element < pattern->times && low < high) {
		const uint32_t middle = low + (high - low) / 2;
		const int64_t end = pattern->start + cursor->element * pattern->stride +
		                    end_of(&pattern->run[middle]);

		if (end > address)
			high = middle;
		else
			low = middle + 1;
	}
	cursor->run = low;
	return cursor_read(cursor);
}

static bool cursor_next(struct run_cursor *cursor)
{
	if (++cursor->run == cursor->pattern->count) {
		cursor->run = 0;
		cursor->element++;
	}
	return cursor_read(cursor);
}

/* The overlap of two ascending patterns. */
static bool ascending_overlap(const struct byte_pattern *a, const struct byte_pattern *b, int64_t from,
                              int64_t *at)
{
	struct run_cursor x = {.pattern = a}, y = {.pattern = b};
	bool more = cursor_seek(&x, from) && cursor_seek(&y, from);

	while (more) {
		if (x.first < y.end && y.first < x.end) {
			*at = x.first > y.first ? x.first : y.first;
			return true;
		}
		more = x.end <= y.first ? cursor_next(&x) : cursor_next(&y);
	}
	return false;
}

int64_t byte_runs_spacing(const struct byte_run *run, uint32_t count)
{
	const int64_t spacing = count > 1 ? run[1].offset - run[0].offset : 0;

	for (uint32_t i = 1; i < count; i++)
		if (run[i].length != run[0].length || run[i].offset - run[i - 1].offset != spacing)
			return 0;
	return spacing;
}

/* The distance between the runs, if all have the same length, as in a column of a matrix;
 * otherwise 0. */
static int64_t distance_of_runs(const struct byte_pattern *pattern)
{
	const int64_t stride = pattern->stride;

	if (pattern->count == 1)
		return pattern->times > 1 && stride >= pattern->run[0].length ? stride : 0;
	return pattern->times == 1 || stride == pattern->spacing * pattern->count ? pattern->spacing : 0;
}

/* Columns of the same matrix are disjoint if their ranges within a row are. */
static bool never_meet(const struct byte_pattern *a, const struct byte_pattern *b)
{
	const int64_t row = distance_of_runs(a);
	int64_t distance;

	if (!row || row != distance_of_runs(b))
		return false;
	distance = (b->start + b->run[0].offset - a->start - a->run[0].offset) % row;
	if (distance < 0)
		distance += row;
	return distance >= a->run[0].length && distance + b->run[0].length <= row;
}

/* An ascending pattern: itself, or `list` with all its runs. */
static bool in_order(const struct byte_pattern *pattern, struct byte_runs *list, struct byte_pattern *sorted)
{
	*sorted = *pattern;
	if (ascends(pattern))
		return true;
	byte_runs_add_pattern(list, pattern);
	byte_runs_sort(list);
	*sorted = (struct byte_pattern){.run = list->run, .count = list->count, .times = 1};
	return list->count && !list->approximate;
}

enum byte_overlap byte_patterns_overlap(const struct byte_pattern *a, const struct byte_pattern *b,
                                        int64_t *at)
{
	struct byte_runs list_a = {0}, list_b = {0};
	struct byte_pattern sorted_a, sorted_b;
	enum byte_overlap result = BYTES_UNKNOWN;
	int64_t first_a, end_a, first_b, end_b;

	if (!byte_pattern_hull(a, &first_a, &end_a) || !byte_pattern_hull(b, &first_b, &end_b) ||
	    first_a >= end_b || first_b >= end_a)
		return BYTES_APART;
	if (is_solid(a) && is_solid(b)) {
		*at = first_a > first_b ? first_a : first_b;
		return BYTES_OVERLAP;
	}
	if (never_meet(a, b))
		return BYTES_APART;
	if (in_order(a, &list_a, &sorted_a) && in_order(b, &list_b, &sorted_b))
		result = ascending_overlap(&sorted_a, &sorted_b, first_a > first_b ? first_a : first_b, at)
		                 ? BYTES_OVERLAP
		                 : BYTES_APART;
	byte_runs_release(&list_a);
	byte_runs_release(&list_b);
	return result;
}
