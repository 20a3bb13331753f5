/* Axes of plots: which part of a scale is shown, where its ticks are and how they are written.
 *
 *	struct axis axis = {.title = "time", .unit = UNIT_SECONDS};
 *	axis_fit(&axis, 1.3e-6, 2.5e-3);
 *	x = left + axis_share(&axis, 1e-5) * width; */
#ifndef TARRY_BENCH_RESULTS_AXIS_H
#define TARRY_BENCH_RESULTS_AXIS_H

#include "base/text.h"

enum unit { UNIT_COUNT, UNIT_BYTES, UNIT_SECONDS, UNIT_PERCENT, UNIT_RATE, UNIT_RATIO, UNIT_MEMORY };

enum scale { SCALE_LINEAR, SCALE_LOG2, SCALE_LOG10 };

struct axis {
	const char *title;
	enum unit unit;
	enum scale scale;
	double low, high; /* the ends */
};

/* Chooses scale and ends for values from `low` to `high`: what the unit is at home with, and for times and rates logarithms
 * only when they differ much, else from 0. */
void axis_fit(struct axis *axis, double low, double high);

/* 0 at the low end, 1 at the high one, cut off there. A size of 0 bytes has its place before the smallest one. */
double axis_share(const struct axis *axis, double value);
/* Whether the scale has a place for it: not for NAN, nor for 0 among logarithms. */
bool axis_has(const struct axis *axis, double value);

struct tick {
	double value;
	bool is_labelled;
};

enum { TICKS_MAX = 96 };

/* How many there are, about `labels` of them with a label. */
size_t axis_ticks(const struct axis *axis, size_t labels, struct tick ticks[TICKS_MAX]);
void axis_label(const struct axis *axis, double value, struct text *out);

/* For people: "1.234 µs", "64 KiB", "93 %", "1.2 GB/s"; "unknown" for NAN. */
void add_value(struct text *out, enum unit unit, double value);

#endif
