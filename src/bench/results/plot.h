/* Plots as SVG to be put into a page: axes, series with intervals, a legend. Their style is that of page_style.h; their values
 * stand beside the places in data-… attributes, so that programs can read what people see.
 *
 *	struct plot plot = {.title = "MPI_Bcast", .x = {"message", UNIT_BYTES}, .y = {"time", UNIT_SECONDS}, .series = …};
 *	plot_draw(&plot, &text); */
#ifndef TARRY_BENCH_RESULTS_PLOT_H
#define TARRY_BENCH_RESULTS_PLOT_H

#include "bench/results/axis.h"

struct plot_point {
	double x, y;
	double low, high; /* the interval; NAN: none */
	bool is_doubtful; /* drawn hollow */
	const char *hint; /* shown when the mouse rests on it */
};

struct series {
	const char *name;
	struct plot_point *spots; /* by x; those without a place on the axes are left out */
	size_t count;
};

enum { SERIES_MAX = 8 }; /* more than that nobody can tell apart */

struct plot {
	const char *title;
	struct axis x, y; /* titles and units; the rest is found out */
	const struct series *series;
	size_t series_count;
};

void plot_draw(struct plot *plot, struct text *out);

/* What the drawings of other kinds share. Places are in the units of the drawing, which has its origin at the top left. */
struct plot_frame {
	double left, top, width, height; /* of the field between the axes */
	const struct axis *x, *y;
};

double frame_x(const struct plot_frame *frame, double value);
double frame_y(const struct plot_frame *frame, double value);
void draw_begin(struct text *out, const char *title, double width, double height);
void draw_end(struct text *out);
/* The attribute data-NAME, for programs; none of a number that is none. */
void draw_data(struct text *out, const char *name, double value);
void draw_x_axis(const struct plot_frame *frame, size_t labels, struct text *out);
void draw_y_axis(const struct plot_frame *frame, size_t labels, struct text *out);
void draw_line(struct text *out, const char *look, double x1, double y1, double x2, double y2);

#endif
