#include "bench/results/page_parts.h"
#include "bench/results/plot.h"
#include "bench/results/plot_runs.h"
#include "bench/results/point_text.h"

#include <math.h>

/* One kind of plot: what lies on which axis. */
struct plot_view {
	const char *what; /* of the plot's title, behind the operation's name */
	enum trait over;
	const char *y_title;
	enum unit y_unit;
	bool (*is_wanted)(const struct result_point *point);
	void (*place)(const struct result_point *point, struct plot_point *spot);
};

static bool has_time(const struct result_point *point)
{
	return isfinite(point->summary.mean);
}

static bool has_overlap(const struct result_point *point)
{
	return isfinite(point->overlap);
}

static bool has_rate(const struct result_point *point)
{
	return isfinite(point->rate);
}

/* Where a run moves one message, or one to each process. */
static bool has_bandwidth(const struct result_point *point)
{
	return !has_rate(point) && point->bytes && point->summary.mean > 0;
}

static void place_time(const struct result_point *point, struct plot_point *spot)
{
	spot->y = point->summary.mean;
	spot->low = point->summary.mean - point->summary.half_width;
	spot->high = point->summary.mean + point->summary.half_width;
}

static void place_overlap(const struct result_point *point, struct plot_point *spot)
{
	spot->y = point->overlap;
}

static void place_rate(const struct result_point *point, struct plot_point *spot)
{
	spot->y = point->rate;
}

static void place_bandwidth(const struct result_point *point, struct plot_point *spot)
{
	spot->y = (double)point->bytes / point->summary.mean;
}

static const struct plot_view VIEWS[] = {
	{"time over message size", TRAIT_BYTES, "time", UNIT_SECONDS, has_time, place_time},
	{"time over ranks", TRAIT_RANKS, "time", UNIT_SECONDS, has_time, place_time},
	{"hidden by computation", TRAIT_BYTES, "overlap", UNIT_PERCENT, has_overlap, place_overlap},
	{"hidden by computation, over ranks", TRAIT_RANKS, "overlap", UNIT_PERCENT, has_overlap,
         place_overlap},
	{"bandwidth over message size", TRAIT_BYTES, "bandwidth", UNIT_RATE, has_rate, place_rate},
	{"bandwidth over ranks", TRAIT_RANKS, "bandwidth", UNIT_RATE, has_rate, place_rate},
	{"bandwidth over message size", TRAIT_BYTES, "bandwidth (message size / time)", UNIT_RATE,
         has_bandwidth, place_bandwidth},
};

static const char *hint_of(const struct plot_view *view, const struct result_point *point,
                           const struct plot_point *spot, struct arena *arena)
{
	struct text hint = {0};
	const char *copy;

	text_add(&hint, "%s: ", traits_name(point, 1U << TRAIT_RANKS | 1U << TRAIT_BYTES, arena));
	add_value(&hint, view->y_unit, spot->y);
	if (isfinite(spot->low) && isfinite(spot->high)) {
		text_add(&hint, " ± ");
		add_value(&hint, view->y_unit, (spot->high - spot->low) / 2);
	}
	text_add(&hint, ", %zu of %zu runs right", point->summary.count, point->runs);
	if (point->marks) {
		text_add(&hint, "; with care: ");
		text_add_marks(&hint, point->marks, ", ");
	}
	copy = arena_text(arena, text_get(&hint));
	text_release(&hint);
	return copy;
}

static struct plot_point spot_of(const struct plot_view *view, const struct result_point *point,
                                 struct arena *arena)
{
	struct plot_point spot = {.low = NAN, .high = NAN, .is_doubtful = point->marks};

	spot.x = view->over == TRAIT_BYTES ? (double)point->bytes : (double)point->ranks;
	view->place(point, &spot);
	spot.hint = hint_of(view, point, &spot, arena);
	return spot;
}

static struct series series_of(const struct plot_view *view, const struct point_group *group, unsigned differ,
                               struct arena *arena)
{
	struct series series = {.count = group->count};
	enum trait other = view->over == TRAIT_BYTES ? TRAIT_RANKS : TRAIT_BYTES;

	series.name = traits_name(group->points[0], (differ | 1U << other) & ~(1U << view->over), arena);
	series.spots = arena_array(arena, struct plot_point, group->count);
	for (size_t i = 0; i < group->count; i++)
		series.spots[i] = spot_of(view, group->points[i], arena);
	return series;
}

static bool is_line(const struct point_group *group, enum trait over)
{
	return traits_that_differ(group) & 1U << over;
}

/* Lines only: a series of one spot says nothing that the table does not say. */
static size_t keep_lines(struct point_groups *groups, enum trait over)
{
	size_t kept = 0;

	for (size_t i = 0; i < groups->count; i++) {
		if (is_line(&groups->at[i], over))
			groups->at[kept++] = groups->at[i];
	}
	groups->count = kept;
	return kept;
}

/* As many as a plot shows, and no plot with a few that are left over. */
static size_t series_in_a_plot(size_t count)
{
	size_t plots = (count + SERIES_MAX - 1) / SERIES_MAX;

	return plots ? (count + plots - 1) / plots : 1;
}

static void draw_part(const struct plot_view *view, const struct point_group *groups, size_t count,
                      const struct point_group *operation, struct arena *arena, struct text *out)
{
	struct series series[SERIES_MAX];
	struct plot plot = {.series = series, .series_count = count};

	for (size_t i = 0; i < count; i++)
		series[i] = series_of(view, &groups[i], traits_that_differ(operation), arena);
	plot.title = arena_format(arena, "%s: %s", operation->points[0]->operation, view->what);
	plot.x.title = view->over == TRAIT_BYTES ? "message size (bytes)" : "ranks";
	plot.x.unit = view->over == TRAIT_BYTES ? UNIT_BYTES : UNIT_COUNT;
	plot.y.title = view->y_title;
	plot.y.unit = view->y_unit;
	plot_draw(&plot, out);
}

static void draw_view(const struct plot_view *view, const struct point_group *operation, struct arena *arena,
                      struct text *out)
{
	struct point_groups groups = group_over(operation, view->over, view->is_wanted, arena);
	size_t step = series_in_a_plot(keep_lines(&groups, view->over));

	for (size_t from = 0; from < groups.count; from += step)
		draw_part(view, &groups.at[from], groups.count - from < step ? groups.count - from : step,
		          operation, arena, out);
}

static bool has_processes(const struct result_point *point)
{
	return point->processes && point->ranks > 1;
}

static struct series process_series(const struct result_point *point, struct arena *arena)
{
	struct series series = {.name = traits_name(point, 1U << TRAIT_BYTES, arena),
	                        .count = (size_t)point->ranks};

	series.spots = arena_array(arena, struct plot_point, series.count);
	for (size_t rank = 0; rank < series.count; rank++) {
		const struct process_time *process = &point->processes[rank];
		struct text hint = {0};

		text_add(&hint, "rank %zu: ", rank);
		add_value(&hint, UNIT_SECONDS, process->mean);
		text_add(&hint, ", from ");
		add_value(&hint, UNIT_SECONDS, process->min);
		text_add(&hint, " to ");
		add_value(&hint, UNIT_SECONDS, process->max);
		series.spots[rank] = (struct plot_point){(double)rank, process->mean,
		                                         process->min, process->max,
		                                         false,        arena_text(arena, text_get(&hint))};
		text_release(&hint);
	}
	return series;
}

/* With many sizes a few that lie apart, the smallest and the largest among them. */
static void draw_profile(const struct point_group *group, unsigned differ, struct arena *arena,
                         struct text *out)
{
	struct series series[SERIES_MAX];
	struct plot plot = {
		.series = series, .x = {"rank", UNIT_COUNT}, .y = {"time of the process", UNIT_SECONDS}};
	const struct result_point *first = group->points[0];
	enum { SHOWN = 5 };

	plot.series_count = group->count < SHOWN ? group->count : SHOWN;
	for (size_t i = 0; i < plot.series_count; i++) {
		size_t which = plot.series_count > 1 ? i * (group->count - 1) / (plot.series_count - 1) : 0;

		series[i] = process_series(group->points[which], arena);
	}
	plot.title = arena_format(
		arena, "%s: processes, %s", first->operation,
		traits_name(first, (differ | 1U << TRAIT_RANKS) & ~(1U << TRAIT_BYTES), arena));
	plot_draw(&plot, out);
}

static void draw_processes(const struct point_group *operation, struct arena *arena, struct text *out)
{
	struct point_groups groups = group_over(operation, TRAIT_BYTES, has_processes, arena);
	unsigned differ = traits_that_differ(operation);

	for (size_t i = 0; i < groups.count; i++)
		draw_profile(&groups.at[i], differ, arena, out);
}

static bool has_runs(const struct result_point *point)
{
	return point->summary.count > 1 && point->times;
}

static void draw_columns(const struct point_group *group, enum trait over, const char *title,
                         struct arena *arena, struct text *out)
{
	for (size_t from = 0; from < group->count; from += RUN_COLUMNS_MAX) {
		struct run_column columns[RUN_COLUMNS_MAX];
		size_t count = 0;

		while (count < RUN_COLUMNS_MAX && from + count < group->count) {
			const struct result_point *point = group->points[from + count];
			struct axis axis = {.unit = over == TRAIT_BYTES ? UNIT_BYTES : UNIT_COUNT,
			                    .scale = SCALE_LOG2};
			struct text label = {0};

			axis_label(&axis, over == TRAIT_BYTES ? (double)point->bytes : (double)point->ranks,
			           &label);
			columns[count++] = (struct run_column){arena_text(arena, text_get(&label)),
			                                       point->times, &point->summary};
			text_release(&label);
		}
		runs_draw(title, over == TRAIT_BYTES ? "message size (bytes)" : "ranks", columns, count, out);
	}
}

/* What runs are shown over, and what else sets them apart. */
static struct point_groups group_runs(const struct point_group *operation, enum trait *over,
                                      struct arena *arena)
{
	unsigned differ = traits_that_differ(operation);

	*over = differ & 1U << TRAIT_BYTES || !(differ & 1U << TRAIT_RANKS) ? TRAIT_BYTES : TRAIT_RANKS;
	return group_over(operation, *over, has_runs, arena);
}

static void draw_spread(const struct point_group *operation, struct arena *arena, struct text *out)
{
	enum trait over;
	struct point_groups groups = group_runs(operation, &over, arena);
	enum trait other = over == TRAIT_BYTES ? TRAIT_RANKS : TRAIT_BYTES;
	unsigned named = (traits_that_differ(operation) | 1U << other) & ~(1U << over);

	for (size_t i = 0; i < groups.count; i++) {
		const struct result_point *first = groups.at[i].points[0];
		const char *title = arena_format(arena, "%s: spread of runs, %s", first->operation,
		                                 traits_name(first, named, arena));

		draw_columns(&groups.at[i], over, title, arena, out);
	}
}

void page_plots(const struct point_group *operation, struct arena *arena, struct text *out)
{
	text_add(out, "<div class=\"plots\">\n");
	for (size_t i = 0; i < sizeof(VIEWS) / sizeof(*VIEWS); i++)
		draw_view(&VIEWS[i], operation, arena, out);
	draw_spread(operation, arena, out);
	draw_processes(operation, arena, out);
	text_add(out, "</div>\n");
}

void page_histograms(const struct point_group *operation, struct arena *arena, struct text *out)
{
	enum trait over;
	struct point_groups groups = group_runs(operation, &over, arena);
	unsigned named = traits_that_differ(operation) | 1U << TRAIT_RANKS | 1U << TRAIT_BYTES;

	if (!groups.count)
		return;
	text_add(out, "<details><summary>Histograms of right runs</summary>\n<div class=\"plots small\">\n");
	for (size_t i = 0; i < groups.count; i++) {
		for (size_t j = 0; j < groups.at[i].count; j++) {
			const struct result_point *point = groups.at[i].points[j];

			histogram_draw(traits_name(point, named, arena), point->times, &point->summary, out);
		}
	}
	text_add(out, "</div></details>\n");
}
