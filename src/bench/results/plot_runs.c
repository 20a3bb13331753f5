#include "bench/results/plot_runs.h"

#include "bench/results/html.h"

#include <math.h>
#include <string.h>

/* As in plot.c. */
enum { WIDTH = 372, LEFT = 50, RIGHT = 12, TOP = 38, FIELD = 220, BELOW = 42, Y_LABELS = 8 };
enum { DOTS_MAX = 200 };

static bool is_drawable(const struct run_column *column)
{
	return isfinite(column->summary->median) && column->summary->median > 0;
}

static double relative(const struct run_column *column, double time)
{
	return time / column->summary->median;
}

/* Single runs that took very long would press all others together: they are marked at the upper end. */
static void fit_ratio(struct axis *axis, const struct run_column *columns, size_t count)
{
	double low = 0.95, high = 1.05;

	for (size_t i = 0; i < count; i++) {
		double bottom, top;

		if (!is_drawable(&columns[i]))
			continue;
		bottom = relative(&columns[i], columns[i].summary->min);
		top = fmin(relative(&columns[i], columns[i].summary->max),
		           1 + 5 * (relative(&columns[i], columns[i].summary->q75) - 1));
		if (isfinite(bottom) && isfinite(top)) {
			low = fmin(low, bottom);
			high = fmin(fmax(high, top), 5);
		}
	}
	axis_fit(axis, fmax(low, 0), high);
}

/* The same for the same run each time, and as far from its neighbours' as possible. */
static double scattered(size_t i)
{
	double turn = (double)i * 0.6180339887;

	return turn - floor(turn) - 0.5;
}

static void draw_dots(const struct plot_frame *frame, const struct run_column *column, double middle,
                      double width, struct text *out)
{
	size_t step = column->summary->count / DOTS_MAX + 1;

	text_add(out, "<path class=\"runs\" d=\"");
	for (size_t i = 0; i < column->summary->count; i += step) {
		double ratio = relative(column, column->times[i]);

		if (isfinite(ratio) && ratio <= frame->y->high)
			text_add(out, "M%.1f %.1fh0", middle + scattered(i) * width, frame_y(frame, ratio));
	}
	text_add(out, "\"/>\n");
}

static void draw_box(const struct plot_frame *frame, const struct run_column *column, double middle,
                     double width, struct text *out)
{
	const struct sample_summary *summary = column->summary;
	double low = frame_y(frame, relative(column, summary->q25)),
	       high = frame_y(frame, relative(column, summary->q75));
	double bottom = frame_y(frame, relative(column, summary->q05)),
	       top = frame_y(frame, relative(column, summary->q95));

	if (!isfinite(low + high + bottom + top))
		return;
	text_add(out, "<rect class=\"box\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"",
	         middle - width / 2, high, width, fmax(low - high, 0));
	text_add(out, " data-median=\"%.9g\" data-q25=\"%.9g\" data-q75=\"%.9g\"><title>", summary->median,
	         summary->q25, summary->q75);
	html_add(out, column->label);
	text_add(out, ": median ");
	add_value(out, UNIT_SECONDS, summary->median);
	text_add(out, ", half of the runs from ");
	add_value(out, UNIT_SECONDS, summary->q25);
	text_add(out, " to ");
	add_value(out, UNIT_SECONDS, summary->q75);
	text_add(out, "</title></rect>\n<path class=\"interval\" d=\"M%.2f %.2fV%.2fM%.2f %.2fV%.2f\"/>\n",
	         middle, high, top, middle, low, bottom);
	draw_line(out, "median", middle - width / 2, frame_y(frame, 1), middle + width / 2,
	          frame_y(frame, 1));
}

static void draw_beyond(const struct plot_frame *frame, const struct run_column *column, double middle,
                        struct text *out)
{
	size_t beyond = 0;

	for (size_t i = 0; i < column->summary->count; i++)
		beyond += relative(column, column->times[i]) > frame->y->high;
	if (!beyond)
		return;
	text_add(out, "<path class=\"beyond\" d=\"M%.2f %.2fl4 7h-8z\"><title>%zu beyond, up to ", middle,
	         frame->top, beyond);
	add_value(out, UNIT_SECONDS, column->summary->max);
	text_add(out, "</title></path>\n");
}

static void draw_column(const struct plot_frame *frame, const struct run_column *column, double middle,
                        double width, bool has_label, struct text *out)
{
	double bottom = frame->top + frame->height;

	if (has_label) {
		text_add(out, "<text class=\"x label\" x=\"%.2f\" y=\"%.2f\">", middle, bottom + 15);
		html_add_cut(out, column->label, 14);
		text_add(out, "</text>\n");
	}
	if (!is_drawable(column))
		return;
	draw_box(frame, column, middle, width, out);
	if (column->times) {
		draw_dots(frame, column, middle, width * 0.8, out);
		draw_beyond(frame, column, middle, out);
	}
}

static size_t longest_label(const struct run_column *columns, size_t count)
{
	size_t longest = 1;

	for (size_t i = 0; i < count; i++) {
		size_t letters = text_width(columns[i].label);

		if (letters > longest)
			longest = letters;
	}
	return longest > 14 ? 14 : longest;
}

void runs_draw(const char *title, const char *x_title, const struct run_column *columns, size_t count,
               struct text *out)
{
	struct axis y = {.title = "time / median", .unit = UNIT_RATIO};
	struct plot_frame frame = {
		.left = LEFT, .top = TOP, .width = WIDTH - LEFT - RIGHT, .height = FIELD, .y = &y};
	double step = frame.width / (double)count, bottom = TOP + FIELD;
	size_t every = (size_t)ceil((double)longest_label(columns, count) * 7.5 / step);

	fit_ratio(&y, columns, count);
	draw_begin(out, title, WIDTH, TOP + FIELD + BELOW);
	draw_y_axis(&frame, Y_LABELS, out);
	draw_line(out, "axis", frame.left, bottom, frame.left + frame.width, bottom);
	text_add(out, "<g class=\"s0\">\n");
	for (size_t i = 0; i < count; i++)
		draw_column(&frame, &columns[i], frame.left + ((double)i + 0.5) * step, fmin(step * 0.7, 40),
		            i % every == 0, out);
	text_add(out, "</g>\n<text class=\"x\" x=\"%.2f\" y=\"%.2f\">", frame.left + frame.width / 2,
	         bottom + 33);
	html_add(out, x_title);
	text_add(out, "</text>\n");
	draw_end(out);
}

enum { BARS_MAX = 24, SMALL_WIDTH = 230, SMALL_TOP = 24, SMALL_FIELD = 70, SMALL_SIDE = 10 };

struct bars {
	double low, width;
	size_t used;
	size_t counts[BARS_MAX + 1]; /* the last one: beyond */
	size_t most;
};

/* The longest of the runs that do not lie far above the middle half. */
static double common_end(const double *times, const struct sample_summary *summary)
{
	double limit = summary->q75 + 6 * (summary->q75 - summary->q25), end = summary->q75;

	for (size_t i = 0; i < summary->count; i++) {
		if (times[i] > end && times[i] <= limit)
			end = times[i];
	}
	return end;
}

/* Freedman's and Diaconis' width, which minds the middle half only. */
static void choose_bars(struct bars *bars, const double *times, const struct sample_summary *summary)
{
	double length = common_end(times, summary) - summary->min;
	double wanted = ceil(length / (2 * (summary->q75 - summary->q25) / cbrt((double)summary->count)));

	bars->low = summary->min;
	bars->used = wanted >= 1 ? (size_t)fmin(wanted, BARS_MAX) : 1;
	bars->width = length / (double)bars->used;
	if (!(bars->width > 0))
		bars->width = fmax(summary->min * 0.01, 1e-12);
}

static void count_runs(struct bars *bars, const double *times, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		double place = (times[i] - bars->low) / bars->width;
		size_t bar = place >= 0 && place <= (double)bars->used * (1 + 1e-9) ? (size_t)place
		                                                                    : BARS_MAX;

		if (bar < BARS_MAX && bar >= bars->used)
			bar = bars->used - 1;
		bars->counts[bar]++;
	}
	for (size_t i = 0; i <= BARS_MAX; i++) {
		if (bars->counts[i] > bars->most)
			bars->most = bars->counts[i];
	}
}

static void draw_bar(const struct bars *bars, const struct plot_frame *frame, size_t bar, size_t place,
                     struct text *out)
{
	double step = frame->width / (double)(bars->used + (bars->counts[BARS_MAX] ? 2 : 0));
	double height = frame->height * (double)bars->counts[bar] / (double)bars->most;

	text_add(
		out,
		"<rect class=\"bar%s\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" data-count=\"%zu\"><title>",
		bar == BARS_MAX ? " beyond" : "", frame->left + (double)place * step,
		frame->top + frame->height - height, fmax(step - 1, 0.5), height, bars->counts[bar]);
	text_add_counted(out, bars->counts[bar], "run", "runs");
	text_add(out, bar == BARS_MAX ? " above " : " from ");
	add_value(out, UNIT_SECONDS, bars->low + bars->width * (double)(bar == BARS_MAX ? bars->used : bar));
	text_add(out, "</title></rect>\n");
}

static void draw_end_label(struct text *out, double x, double y, const char *anchor, double value)
{
	text_add(out, "<text class=\"label\" text-anchor=\"%s\" x=\"%.2f\" y=\"%.2f\">", anchor, x, y);
	add_value(out, UNIT_SECONDS, value);
	text_add(out, "</text>\n");
}

static void draw_mean(const struct plot_frame *frame, const struct sample_summary *summary, struct text *out)
{
	double half = isfinite(summary->half_width) ? summary->half_width : 0;
	double low, high;

	if (!isfinite(summary->mean))
		return;
	low = frame_x(frame, summary->mean - half);
	high = frame_x(frame, summary->mean + half);
	text_add(
		out,
		"<g class=\"s1\"><rect class=\"band\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"/>\n",
		low, frame->top, high - low, frame->height);
	draw_line(out, "curve", frame_x(frame, summary->mean), frame->top, frame_x(frame, summary->mean),
	          frame->top + frame->height);
	text_add(out, "</g>\n");
}

void histogram_draw(const char *title, const double *times, const struct sample_summary *summary,
                    struct text *out)
{
	struct bars bars = {0};
	struct axis x = {.unit = UNIT_SECONDS};
	struct plot_frame frame = {SMALL_SIDE,  SMALL_TOP, SMALL_WIDTH - 2 * SMALL_SIDE,
	                           SMALL_FIELD, &x,        NULL};
	double bottom = SMALL_TOP + SMALL_FIELD, right = frame.left + frame.width;

	choose_bars(&bars, times, summary);
	count_runs(&bars, times, summary->count);
	draw_begin(out, title, SMALL_WIDTH, bottom + 20);
	text_add(out, "<g class=\"s0\">\n");
	for (size_t i = 0; i < bars.used; i++)
		draw_bar(&bars, &frame, i, i, out);
	if (bars.counts[BARS_MAX]) {
		draw_bar(&bars, &frame, BARS_MAX, bars.used + 1, out);
		frame.width *= (double)bars.used / (double)(bars.used + 2);
	}
	text_add(out, "</g>\n");
	x.low = bars.low;
	x.high = bars.low + bars.width * (double)bars.used;
	draw_mean(&frame, summary, out);
	draw_line(out, "axis", frame.left, bottom, right, bottom);
	draw_end_label(out, frame.left, bottom + 14, "start", x.low);
	draw_end_label(out, frame.left + frame.width, bottom + 14, "end", x.high);
	draw_end(out);
}
