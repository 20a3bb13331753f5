#include "bench/results/plot.h"

#include "bench/results/html.h"

#include <math.h>
#include <string.h>

/* As wide as a narrow window, so that text never becomes smaller than it is written. */
enum { WIDTH = 372, LEFT = 76, RIGHT = 12, TOP = 38, FIELD = 220, BELOW = 46 };
enum { LEGEND_LINE = 17, LEGEND_SIGN = 26 };
enum { X_LABELS = 8, Y_LABELS = 6 };
enum { MARKED_MAX = 48 }; /* series with more spots are a line in a band */

static const double LETTER = 6.6;       /* width of one, about */
static const double TITLE_LETTER = 7.4; /* of titles */

double frame_x(const struct plot_frame *frame, double value)
{
	return frame->left + axis_share(frame->x, value) * frame->width;
}

double frame_y(const struct plot_frame *frame, double value)
{
	return frame->top + (1 - axis_share(frame->y, value)) * frame->height;
}

/* "MPI_Bcast: time over ranks", in two lines where one has no room for it. */
static void draw_title(struct text *out, const char *title, double width)
{
	size_t room = (size_t)(width / TITLE_LETTER), first = strcspn(title, ":");
	struct text line = {0};
	double y = 16;

	if (text_width(title) > room && title[first] && first) {
		text_add(&line, "%.*s", (int)first, title);
		text_add(out, "<text class=\"title\" x=\"%g\" y=\"13\">", width / 2);
		html_add_cut(out, text_get(&line), room);
		text_add(out, "</text>\n");
		text_release(&line);
		title += first + 1 + strspn(title + first + 1, " ");
		y = 29;
	}
	text_add(out, "<text class=\"title\" x=\"%g\" y=\"%g\">", width / 2, y);
	html_add_cut(out, title, room);
	text_add(out, "</text>\n");
}

void draw_begin(struct text *out, const char *title, double width, double height)
{
	text_add(
		out,
		"<figure><svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %g %g\" role=\"group\" aria-label=\"",
		width, height);
	html_add(out, title);
	text_add(out, "\">\n");
	draw_title(out, title, width);
}

void draw_end(struct text *out)
{
	text_add(out, "</svg></figure>\n");
}

void draw_data(struct text *out, const char *name, double value)
{
	if (isfinite(value))
		text_add(out, " data-%s=\"%.9g\"", name, value);
}

void draw_line(struct text *out, const char *look, double x1, double y1, double x2, double y2)
{
	text_add(out, "<line class=\"%s\" x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\"/>\n", look, x1, y1,
	         x2, y2);
}

static void draw_label(struct text *out, const char *look, double x, double y, const struct axis *axis,
                       double value)
{
	text_add(out, "<text class=\"%s\" x=\"%.2f\" y=\"%.2f\" data-value=\"%.9g\">", look, x, y, value);
	axis_label(axis, value, out);
	text_add(out, "</text>\n");
}

void draw_x_axis(const struct plot_frame *frame, size_t labels, struct text *out)
{
	struct tick ticks[TICKS_MAX];
	size_t count = axis_ticks(frame->x, labels, ticks);
	double bottom = frame->top + frame->height;

	for (size_t i = 0; i < count; i++) {
		double x = frame_x(frame, ticks[i].value);

		if (ticks[i].is_labelled) {
			draw_line(out, "grid", x, frame->top, x, bottom);
			draw_label(out, "x label", x, bottom + 15, frame->x, ticks[i].value);
		} else {
			draw_line(out, "tick", x, bottom - 3, x, bottom);
		}
	}
	draw_line(out, "axis", frame->left, bottom, frame->left + frame->width, bottom);
	text_add(out, "<text class=\"x\" x=\"%.2f\" y=\"%.2f\">", frame->left + frame->width / 2,
	         bottom + 33);
	html_add(out, frame->x->title);
	text_add(out, "</text>\n");
}

void draw_y_axis(const struct plot_frame *frame, size_t labels, struct text *out)
{
	struct tick ticks[TICKS_MAX];
	size_t count = axis_ticks(frame->y, labels, ticks);

	for (size_t i = 0; i < count; i++) {
		double y = frame_y(frame, ticks[i].value);

		if (ticks[i].is_labelled) {
			draw_line(out, "grid", frame->left, y, frame->left + frame->width, y);
			draw_label(out, "y label", frame->left - 5, y + 4, frame->y, ticks[i].value);
		} else {
			draw_line(out, "tick", frame->left, y, frame->left + 3, y);
		}
	}
	draw_line(out, "axis", frame->left, frame->top, frame->left, frame->top + frame->height);
	text_add(out, "<text class=\"x\" transform=\"translate(12 %.2f) rotate(-90)\">",
	         frame->top + frame->height / 2);
	html_add(out, frame->y->title);
	text_add(out, "</text>\n");
}

static bool has_place(const struct plot *plot, const struct plot_point *spot)
{
	return axis_has(&plot->x, spot->x) && axis_has(&plot->y, spot->y);
}

static void widen(double *low, double *high, double value)
{
	if (isfinite(value)) {
		*low = fmin(*low, value);
		*high = fmax(*high, value);
	}
}

/* Values that are not above 0 say nothing about where logarithms should end. */
static void widen_y(double *low, double *high, const struct plot_point *spot)
{
	widen(low, high, spot->y);
	if (spot->low > 0)
		widen(low, high, spot->low);
	widen(low, high, spot->high);
}

static void fit_axes(struct plot *plot)
{
	double left = INFINITY, right = -INFINITY, bottom = INFINITY, top = -INFINITY;

	for (size_t i = 0; i < plot->series_count; i++) {
		for (size_t j = 0; j < plot->series[i].count; j++) {
			widen(&left, &right, plot->series[i].spots[j].x);
			widen_y(&bottom, &top, &plot->series[i].spots[j]);
		}
	}
	axis_fit(&plot->x, left, right);
	axis_fit(&plot->y, bottom, top);
}

/* Where a value that may be 0 or less ends on this axis. */
static double interval_end(const struct plot_frame *frame, double value)
{
	return frame_y(frame, axis_has(frame->y, value) ? value : frame->y->low);
}

/* Centred on 0, 0: circle, square, triangle, diamond and these lying or upside down; told apart without colours, too. */
static const char *const SIGNS[SERIES_MAX] = {
	"M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0z",
	"M-3.2-3.2H3.2V3.2H-3.2z",
	"M0-4L4 3.2H-4z",
	"M0-4.6L4.6 0L0 4.6L-4.6 0z",
	"M0 4L4-3.2H-4z",
	"M-4-1.4H-1.4V-4H1.4V-1.4H4V1.4H1.4V4H-1.4V1.4H-4z",
	"M-4 0L3.2-4V4z",
	"M4 0L-3.2-4V4z",
};

static void draw_interval(const struct plot_frame *frame, const struct plot_point *spot, struct text *out)
{
	double x = frame_x(frame, spot->x), low, high;

	if (!isfinite(spot->low) || !isfinite(spot->high))
		return;
	low = interval_end(frame, spot->low);
	high = interval_end(frame, spot->high);
	text_add(out, "<path class=\"interval\" d=\"M%.2f %.2fV%.2fm-3 0h6M%.2f %.2fh6\"/>\n", x, low, high,
	         x - 3, low);
}

static void draw_spot(const struct plot_frame *frame, const struct plot_point *spot, size_t look,
                      struct text *out)
{
	draw_interval(frame, spot, out);
	text_add(out, "<path class=\"spot%s\" transform=\"translate(%.2f %.2f)\" d=\"%s\"",
	         spot->is_doubtful ? " doubtful" : "", frame_x(frame, spot->x), frame_y(frame, spot->y),
	         SIGNS[look]);
	draw_data(out, "x", spot->x);
	draw_data(out, "y", spot->y);
	draw_data(out, "low", spot->low);
	draw_data(out, "high", spot->high);
	text_add(out, ">");
	if (spot->hint) {
		text_add(out, "<title>");
		html_add(out, spot->hint);
		text_add(out, "</title>");
	}
	text_add(out, "</path>\n");
}

static void draw_curve(const struct plot *plot, const struct plot_frame *frame, const struct series *series,
                       struct text *out)
{
	char pen = 'M';

	text_add(out, "<path class=\"curve\" d=\"");
	for (size_t i = 0; i < series->count; i++) {
		if (!has_place(plot, &series->spots[i])) {
			pen = 'M';
			continue;
		}
		text_add(out, "%c%.2f %.2f", pen, frame_x(frame, series->spots[i].x),
		         frame_y(frame, series->spots[i].y));
		pen = 'L';
	}
	text_add(out, "\"/>\n");
}

static void draw_band(const struct plot *plot, const struct plot_frame *frame, const struct series *series,
                      struct text *out)
{
	char pen = 'M';

	text_add(out, "<path class=\"band\" d=\"");
	for (size_t i = 0; i < 2 * series->count; i++) {
		bool is_back = i >= series->count;
		const struct plot_point *spot = &series->spots[is_back ? 2 * series->count - 1 - i : i];

		if (!has_place(plot, spot) || !isfinite(spot->low) || !isfinite(spot->high))
			continue;
		text_add(out, "%c%.2f %.2f", pen, frame_x(frame, spot->x),
		         interval_end(frame, is_back ? spot->low : spot->high));
		pen = 'L';
	}
	text_add(out, "%s\"/>\n", pen == 'L' ? "z" : "");
}

static void draw_series(const struct plot *plot, const struct plot_frame *frame, size_t look,
                        struct text *out)
{
	const struct series *series = &plot->series[look];

	text_add(out, "<g class=\"series s%zu\" data-name=\"", look % SERIES_MAX);
	html_add(out, series->name);
	text_add(out, "\">\n");
	if (series->count > MARKED_MAX)
		draw_band(plot, frame, series, out);
	draw_curve(plot, frame, series, out);
	for (size_t i = 0; series->count <= MARKED_MAX && i < series->count; i++) {
		if (has_place(plot, &series->spots[i]))
			draw_spot(frame, &series->spots[i], look % SERIES_MAX, out);
	}
	text_add(out, "</g>\n");
}

static double legend_width(const struct series *series)
{
	return LEGEND_SIGN + LETTER * (double)text_width(series->name) + 12;
}

/* Calls draw, if there is one, for each entry; returns how many lines there are. */
static size_t lay_out_legend(const struct plot *plot, double top, struct text *out,
                             void (*draw)(const struct plot *plot, size_t i, double x, double y,
                                          struct text *out))
{
	double x = LEFT, width;
	size_t lines = 1;

	for (size_t i = 0; i < plot->series_count; i++) {
		width = fmin(legend_width(&plot->series[i]), WIDTH - LEFT);
		if (x > LEFT && x + width > WIDTH) {
			x = LEFT;
			lines++;
		}
		if (draw)
			draw(plot, i, x, top + (double)lines * LEGEND_LINE, out);
		x += width;
	}
	return lines;
}

static void draw_legend_entry(const struct plot *plot, size_t i, double x, double y, struct text *out)
{
	text_add(
		out,
		"<g class=\"key s%zu\" tabindex=\"0\" role=\"button\" aria-pressed=\"true\"><path class=\"curve\" "
		"d=\"M%.2f %.2fh20\"/>",
		i % SERIES_MAX, x, y - 4);
	text_add(out, "<path class=\"spot\" transform=\"translate(%.2f %.2f)\" d=\"%s\"/>", x + 10, y - 4,
	         SIGNS[i % SERIES_MAX]);
	text_add(out, "<text x=\"%.2f\" y=\"%.2f\">", x + LEGEND_SIGN, y);
	html_add_cut(out, plot->series[i].name, (size_t)((WIDTH - LEFT - LEGEND_SIGN) / LETTER));
	text_add(out, "</text></g>\n");
}

void plot_draw(struct plot *plot, struct text *out)
{
	struct plot_frame frame = {.left = LEFT, .top = TOP, .width = WIDTH - LEFT - RIGHT, .height = FIELD};
	bool has_legend = plot->series_count > 1 || (plot->series_count && *plot->series->name);
	size_t lines = has_legend ? lay_out_legend(plot, 0, out, NULL) : 0;

	fit_axes(plot);
	frame.x = &plot->x;
	frame.y = &plot->y;
	draw_begin(out, plot->title, WIDTH, TOP + FIELD + BELOW + (double)lines * LEGEND_LINE + 4);
	draw_x_axis(&frame, X_LABELS, out);
	draw_y_axis(&frame, Y_LABELS, out);
	for (size_t i = 0; i < plot->series_count; i++)
		draw_series(plot, &frame, i, out);
	if (has_legend)
		lay_out_legend(plot, TOP + FIELD + BELOW - 6, out, draw_legend_entry);
	draw_end(out);
}
