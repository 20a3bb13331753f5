/* The straight line nearest to some points (least squares). */
#ifndef TARRY_BENCH_STATISTICS_LINE_H
#define TARRY_BENCH_STATISTICS_LINE_H

#include <stddef.h>

struct fitted_line {
	double offset; /* at x = 0 */
	double slope;
	double slope_error; /* its standard error; INFINITY when it cannot be told */
};

/* `weights`: how much each point counts, as the inverse of its variance; NULL: all the same. With one point, or all at one x:
 * slope 0. */
struct fitted_line line_fit(const double *x, const double *y, const double *weights, size_t count);

#endif
