/* A plot of efficiencies over the number of ranks or threads, which doubles from step to step. */
#include "base/array.h"
#include "base/markup.h"
#include "output/scaling/scaling.h"

#include <math.h>

enum { LEFT = 60, TOP = 30, WIDTH = 520, HEIGHT = 260, BELOW = 50, LEGEND = 190, LINE = 20 };

/* Without variables, which not all viewers know. The colours can be told apart by people with colour blindness. */
static const char style[] = "<style>\n"
			    "text { font: 13px sans-serif; fill: #1d2126; }\n"
			    ".paper { fill: #ffffff; }\n"
			    ".grid { stroke: #d5dadf; fill: none; }\n"
			    ".line { fill: none; stroke-width: 2; }\n"
			    ".dashed { fill: none; stroke-width: 2; stroke-dasharray: 5 4; }\n"
			    ".c0 { stroke: #000000; }\n.c1 { stroke: #0072b2; }\n.c2 { stroke: #e69f00; }\n"
			    ".c3 { stroke: #009e73; }\n.c4 { stroke: #cc79a7; }\n.c5 { stroke: #d55e00; }\n"
			    ".c6 { stroke: #56b4e9; }\n.c7 { stroke: #882255; }\n.c8 { stroke: #44aa99; }\n"
			    ".c9 { stroke: #999933; }\n"
			    ".band { fill: #000000; fill-opacity: 0.12; }\n"
			    "</style>\n";

struct plot_frame {
	double from, to; /* log2 of the size */
	double top;      /* the largest efficiency */
};

static int x_of(const struct plot_frame *frame, uint64_t size)
{
	return LEFT + (int)lround(WIDTH * (log2((double)size) - frame->from) / (frame->to - frame->from));
}

static int y_of(const struct plot_frame *frame, double part)
{
	return TOP + (int)lround(HEIGHT * (1 - fmin(part, frame->top) / frame->top));
}

static void add_axes(const struct plot_frame *frame, struct text *out)
{
	for (int percent = 0; percent <= 100 * frame->top; percent += 20) {
		int y = y_of(frame, percent / 100.0);

		svg_add_path(out, "grid", (struct svg_point[]){{LEFT, y}, {LEFT + WIDTH, y}}, 2);
		scoped_text label = {0};
		text_add(&label, "%d %%", percent);
		svg_add_text(out, "", LEFT - 48, y + 4, text_get(&label));
	}
}

static void add_size_label(const struct plot_frame *frame, uint64_t size, struct text *out)
{
	scoped_text label = {0};
	int x = x_of(frame, size);

	text_add(&label, "%llu", (unsigned long long)size);
	svg_add_path(out, "grid", (struct svg_point[]){{x, TOP}, {x, TOP + HEIGHT}}, 2);
	svg_add_text(out, "", x - 4 * (int)label.length, TOP + HEIGHT + LINE, text_get(&label));
}

/* `factor`: SCALING_FACTORS is the global efficiency. */
static double part_of(const struct scaling_run *run, int factor)
{
	return factor == SCALING_FACTORS ? run->global : run->factors[factor];
}

static struct scaling_estimate estimate_of(const struct scaling_prediction *prediction, int factor)
{
	return factor == SCALING_FACTORS ? prediction->global : prediction->factors[factor];
}

/* Measured, then extrapolated. */
static void add_curve(const struct scaling *scaling, const struct plot_frame *frame, int factor,
                      const char *colour, struct text *out)
{
	const struct scaling_run *last = &scaling->runs[scaling->count - 1];
	struct svg_point ahead[1 + SCALING_PREDICTIONS] = {
		{x_of(frame, last->threads), y_of(frame, part_of(last, factor))}};
	ARRAY(struct svg_point) points = {0};
	scoped_text look = {0};

	for (size_t i = 0; i < scaling->count; i++)
		array_add(&points, (struct svg_point){x_of(frame, scaling->runs[i].threads),
		                                      y_of(frame, part_of(&scaling->runs[i], factor))});
	for (size_t i = 0; i < SCALING_PREDICTIONS; i++)
		ahead[i + 1] = (struct svg_point){
			x_of(frame, scaling->predictions[i].threads),
			y_of(frame, estimate_of(&scaling->predictions[i], factor).value)};
	text_add(&look, "line %s", colour);
	svg_add_path(out, text_get(&look), points.items, points.count);
	text_clear(&look);
	text_add(&look, "dashed %s", colour);
	svg_add_path(out, text_get(&look), ahead, 1 + SCALING_PREDICTIONS);
	array_release(&points);
}

/* The interval of the global efficiency. */
static void add_band(const struct scaling *scaling, const struct plot_frame *frame, struct text *out)
{
	const struct scaling_run *last = &scaling->runs[scaling->count - 1];
	struct svg_point points[1 + 2 * SCALING_PREDICTIONS] = {
		{x_of(frame, last->threads), y_of(frame, last->global)}};

	for (size_t i = 0; i < SCALING_PREDICTIONS; i++) {
		const struct scaling_prediction *prediction = &scaling->predictions[i];
		int x = x_of(frame, prediction->threads);

		points[1 + i] = (struct svg_point){x, y_of(frame, prediction->global.high)};
		points[2 * SCALING_PREDICTIONS - i] = (struct svg_point){x,
		                                                         y_of(frame, prediction->global.low)};
	}
	svg_add_path(out, "band", points, 1 + 2 * SCALING_PREDICTIONS);
}

static struct plot_frame frame_of(const struct scaling *scaling)
{
	struct plot_frame frame = {.from = log2((double)scaling->runs[0].threads),
	                           .to = log2((double)scaling->predictions[SCALING_PREDICTIONS - 1].threads),
	                           .top = 1};

	for (size_t i = 0; i < scaling->count; i++) {
		const struct scaling_run *run = &scaling->runs[i];

		frame.top = fmax(frame.top, run->global);
		for (enum scaling_factor j = FACTOR_COMPUTATION; j < SCALING_FACTORS; j++)
			frame.top = scaling_has_factor(scaling, j) ? fmax(frame.top, run->factors[j])
			                                           : frame.top;
	}
	return frame;
}

void scaling_svg(const struct scaling *scaling, struct text *out)
{
	static const char *const colours[SCALING_FACTORS + 1] = {"c1", "c2", "c3", "c4", "c6",
	                                                         "c5", "c7", "c8", "c9", "c0"};
	struct plot_frame frame = frame_of(scaling);
	int y = TOP + LINE;

	svg_begin(out, LEFT + WIDTH + LEGEND, TOP + HEIGHT + BELOW,
	          scaling->is_hybrid ? "Efficiency by number of threads" : "Efficiency by number of ranks");
	text_add(out, "%s", style);
	svg_add_rect(out, "paper", (struct svg_rect){0, 0, LEFT + WIDTH + LEGEND, TOP + HEIGHT + BELOW}, 0);
	add_axes(&frame, out);
	for (size_t i = 0; i < scaling->count; i++)
		add_size_label(&frame, scaling->runs[i].threads, out);
	for (size_t i = 0; i < SCALING_PREDICTIONS; i++)
		add_size_label(&frame, scaling->predictions[i].threads, out);
	svg_add_text(out, "", LEFT + WIDTH / 2 - 20, TOP + HEIGHT + 2 * LINE,
	             scaling->is_hybrid ? "threads" : "ranks");
	add_band(scaling, &frame, out);
	for (int i = 0; i <= SCALING_FACTORS; i++) {
		scoped_text look = {0};

		if (i < SCALING_FACTORS && !scaling_has_factor(scaling, (enum scaling_factor)i))
			continue;
		add_curve(scaling, &frame, i, colours[i], out);
		text_add(&look, "line %s", colours[i]);
		svg_add_path(
			out, text_get(&look),
			(struct svg_point[]){{LEFT + WIDTH + LINE, y - 4}, {LEFT + WIDTH + 2 * LINE, y - 4}},
			2);
		svg_add_text(out, "", LEFT + WIDTH + 2 * LINE + 6, y,
		             i < SCALING_FACTORS ? scaling_factor_names[i] : "global efficiency");
		y += LINE;
	}
	text_add(out, "</svg>\n");
}
