/* Levels of times, and the runs at which they change.
 *
 * A series is divided where the two parts differ most, by Student's t of the logarithms, and each part again, until no difference is
 * significant. There are as many tests as possible places, so the level of significance is divided by their number (Bonferroni). */
#include "base/memory.h"
#include "output/history/history.h"
#include "statistics/compare.h"
#include "statistics/distribution.h"
#include "statistics/sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PART_MIN = 3 };

static const double significance = 0.01;
/* Smaller changes are noise of the machine, however regular they look. */
static const double change_least = 0.02;
static const double confidence = 0.95;

struct series_division {
	size_t at; /* 0: there is none */
	double t;
};

/* Where the two parts differ most. Values are logarithms. */
static struct series_division best_division(const double *values, size_t count)
{
	double sum = 0, left = 0, all = 0;
	struct series_division best = {0};

	for (size_t i = 0; i < count; i++)
		sum += values[i] - values[0];
	for (size_t i = 0; i < count; i++)
		all += pow(values[i] - values[0] - sum / (double)count, 2);
	for (size_t i = 1; i + PART_MIN <= count; i++) {
		double first = (double)i, second = (double)(count - i), step, inside, t;

		left += values[i - 1] - values[0];
		step = fabs((sum - left) / second - left / first);
		/* The squares between the parts are not noise. */
		inside = fmax(all - step * step * first * second / (double)count, 0);
		t = step / sqrt(inside / (double)(count - 2) * (1 / first + 1 / second));
		if (i >= PART_MIN && step >= log1p(change_least) && t > best.t)
			best = (struct series_division){i, t};
	}
	return best;
}

/* The lengths of sections that are searched. */
static size_t shorter(size_t length)
{
	return 2 * length / 3;
}

/* In sections of this length, which overlap. */
static struct series_division search_sections(const double *values, size_t count, size_t length,
                                              double lengths)
{
	size_t step = length / 4 ? length / 4 : 1, sections = (count - length) / step + 1;
	double tests = lengths * (double)sections * (double)(length - 2 * PART_MIN + 1);
	double limit = student_quantile(1 - significance / 2 / tests, (double)(length - 2));
	struct series_division best = {.t = limit};

	for (size_t i = 0; i < sections; i++) {
		struct series_division found = best_division(values + i * step, length);
		if (found.t > best.t)
			best = (struct series_division){i * step + found.at, found.t};
	}
	return best;
}

/* The whole series first. A level between two equal ones is seen only in a section with two levels. 0: nothing is significant. */
static size_t find_division(const double *values, size_t count)
{
	double lengths = 0;

	for (size_t length = count; length >= 2 * PART_MIN; length = shorter(length))
		lengths++;
	for (size_t length = count; length >= 2 * PART_MIN; length = shorter(length)) {
		struct series_division found = search_sections(values, count, length, lengths);
		if (found.at)
			return found.at;
	}
	return 0;
}

struct point_list {
	size_t *at, count;
};

static void divide(const double *values, size_t first, size_t count, struct point_list *points)
{
	size_t at = find_division(values + first, count);

	if (!at)
		return;
	divide(values, first, at, points);
	points->at[points->count++] = first + at;
	divide(values, first + at, count - at, points);
}

size_t find_change_points(const double *values, size_t count, size_t **points)
{
	struct point_list list = {.at = memory_new(count + 1, sizeof *list.at)};
	double *logs = memory_new(count + 1, sizeof *logs);

	for (size_t i = 0; i < count; i++)
		logs[i] = log(values[i]);
	divide(logs, 0, count, &list);
	free(logs);
	*points = list.at;
	return list.count;
}

/* Series */

static int by_series(const void *left, const void *right)
{
	const struct history_run *a = left, *b = right;
	int order = strcmp(a->scaling.program, b->scaling.program);

	order = order ? order : strcmp(a->machine, b->machine);
	if (!order)
		order = (a->scaling.ranks > b->scaling.ranks) - (a->scaling.ranks < b->scaling.ranks);
	if (!order)
		order = (a->scaling.threads > b->scaling.threads) - (a->scaling.threads < b->scaling.threads);
	return order ? order : (a->id > b->id) - (a->id < b->id);
}

static bool is_one_series(const struct history_run *a, const struct history_run *b)
{
	return strcmp(a->scaling.program, b->scaling.program) == 0 && strcmp(a->machine, b->machine) == 0 &&
	       a->scaling.ranks == b->scaling.ranks && a->scaling.threads == b->scaling.threads;
}

/* Runs of one commit become neighbours, where its first run is. The list is short, and mostly in order. */
static void gather_commits(struct history_run *runs, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		struct history_run run = runs[i];
		size_t place = i;

		for (size_t j = i; j-- > 0 && place == i;)
			if (strcmp(runs[j].commit, run.commit) == 0)
				place = j + 1;
		memmove(&runs[place + 1], &runs[place], (i - place) * sizeof *runs);
		runs[place] = run;
	}
}

static void add_changes(struct history *history, struct history_series *series, const double *times)
{
	size_t *points, count = find_change_points(times, series->count, &points);

	for (size_t i = 0; i < count; i++) {
		size_t before = i ? points[i - 1] : 0, end = i + 1 < count ? points[i + 1] : series->count;
		struct sample_comparison compared = compare_samples(
			times + before, points[i] - before, times + points[i], end - points[i], confidence);

		arena_add(&history->arena, series->changes, series->change_count,
		          (struct history_change){points[i], compared.ratio, compared.low, compared.high});
	}
	free(points);
}

/* The newest commit against the last level before it. */
static void compare_newest(struct history_series *series, const double *times)
{
	size_t first = series->count - 1, level = 0;
	struct sample_summary before;
	double reach;

	while (first && strcmp(series->runs[first - 1].commit, series->runs[series->count - 1].commit) == 0)
		first--;
	for (size_t i = 0; i < series->change_count; i++)
		if (series->changes[i].run < first)
			level = series->changes[i].run;
	series->newest = first;
	series->newest_s = summarize_values(times + first, series->count - first, 0, confidence).median;
	if (!first)
		return;
	before = summarize_values(times + level, first - level, 0, confidence);
	series->level_s = before.median;
	if (before.count < PART_MIN) {
		series->is_significant = true; /* nothing is known about the noise */
		return;
	}
	reach = before.deviation * sqrt(1 + 1 / (double)before.count) *
	        student_quantile(1 - significance / 2, (double)before.count - 1);
	series->is_significant = fabs(series->newest_s - before.mean) > reach;
}

static void make_series(struct history *history, size_t first, size_t end)
{
	struct history_series series = {.runs = history->runs + first, .count = end - first};
	double *times = memory_new(series.count, sizeof *times);

	gather_commits(history->runs + first, series.count);
	for (size_t i = 0; i < series.count; i++)
		times[i] = series.runs[i].scaling.length_s;
	add_changes(history, &series, times);
	compare_newest(&series, times);
	free(times);
	arena_add(&history->arena, history->series, history->series_count, series);
}

void history_find_trends(struct history *history)
{
	if (history->count)
		qsort(history->runs, history->count, sizeof *history->runs, by_series);
	for (size_t first = 0, end; first < history->count; first = end) {
		for (end = first + 1; end < history->count; end++)
			if (!is_one_series(&history->runs[first], &history->runs[end]))
				break;
		make_series(history, first, end);
	}
}

void history_release(struct history *history)
{
	arena_release(&history->arena);
}
