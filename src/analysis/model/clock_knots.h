/* The comparisons of one clock with its reference: which of them to use, and what lies between. Internal to clocks.c.
 * docs/time.md says why. */
#ifndef TARRY_ANALYSIS_MODEL_CLOCK_KNOTS_H
#define TARRY_ANALYSIS_MODEL_CLOCK_KNOTS_H

#include "analysis/model/clocks.h"

/* Puts the knots to be used, in order, at the front, and returns how many they are. */
uint32_t knots_select(struct clock_knot *knots, uint32_t count);
/* Of the reference's time over the clock's own, from the first knot to the last. */
double knots_slope(const struct clock_knot *knots, uint32_t count);
/* The reference's time when the clock's own is x. */
double knots_map(const struct clock_line *line, double x);
/* The straight segment around x: from `from` to below `to`, y + (… - x) * slope. */
struct clock_segment {
	double from, to;
	double x, y, slope;
};

struct clock_segment knots_segment(const struct clock_line *line, double x);
double knots_uncertainty(const struct clock_line *line, double x);
/* The largest within this time. */
double knots_uncertainty_within(const struct clock_line *line, double from, double to);

#endif
