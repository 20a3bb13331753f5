/* The straight line nearest to some points (least squares). */
#ifndef TARRY_STATISTICS_LINE_H
#define TARRY_STATISTICS_LINE_H

#include <stddef.h>

struct line {
	double offset; /* at x = 0 */
	double slope;
};

/* With one point, or all at one x: slope 0. */
struct line line_fit(const double *x, const double *y, size_t count);

#endif
