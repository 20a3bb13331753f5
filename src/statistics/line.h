/* Linear regression (least squares). */
#ifndef TARRY_STATISTICS_LINE_H
#define TARRY_STATISTICS_LINE_H

#include <stddef.h>

struct fitted_line {
	double offset; /* at x = 0 */
	double slope;
	double slope_error; /* standard error; INFINITY if unknown */
};

/* `weights`: inverse variances; NULL: equal. With one point, or one value of x: slope 0. */
struct fitted_line line_fit(const double *x, const double *y, const double *weights, size_t count);

#endif
