#include "statistics/line.h"

/* Times are of the order of 1e18 ns: only their differences have digits left to square. */
static double mean_from(const double *values, size_t count, double origin)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += values[i] - origin;
	return count ? sum / (double)count : 0;
}

struct line line_fit(const double *x, const double *y, size_t count)
{
	if (!count)
		return (struct line){0};

	double x_mean = mean_from(x, count, x[0]), y_mean = mean_from(y, count, y[0]);
	double xx = 0, xy = 0;

	for (size_t i = 0; i < count; i++) {
		double dx = (x[i] - x[0]) - x_mean, dy = (y[i] - y[0]) - y_mean;

		xx += dx * dx;
		xy += dx * dy;
	}
	double slope = xx > 0 ? xy / xx : 0;

	return (struct line){.slope = slope, .offset = (y[0] + y_mean) - slope * (x[0] + x_mean)};
}
