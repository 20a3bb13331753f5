#include "statistics/line.h"

#include <math.h>

struct fitted_points {
	const double *x, *y, *weights;
	size_t count;
	double x_mean, y_mean; /* relative to the first point */
};

static double weight(const struct fitted_points *points, size_t i)
{
	return points->weights ? points->weights[i] : 1;
}

/* Times are about 1e18 ns: squares need differences. */
static double x_from_mean(const struct fitted_points *points, size_t i)
{
	return (points->x[i] - points->x[0]) - points->x_mean;
}

static double y_from_mean(const struct fitted_points *points, size_t i)
{
	return (points->y[i] - points->y[0]) - points->y_mean;
}

static void find_means(struct fitted_points *points)
{
	double x = 0, y = 0, sum = 0;

	for (size_t i = 0; i < points->count; i++) {
		x += weight(points, i) * (points->x[i] - points->x[0]);
		y += weight(points, i) * (points->y[i] - points->y[0]);
		sum += weight(points, i);
	}
	points->x_mean = x / sum;
	points->y_mean = y / sum;
}

static double slope_error(const struct fitted_points *points, double slope, double xx)
{
	double rest = 0;

	for (size_t i = 0; i < points->count; i++) {
		double off = y_from_mean(points, i) - slope * x_from_mean(points, i);
		rest += weight(points, i) * off * off;
	}
	return points->count > 2 && xx > 0 ? sqrt(rest / (double)(points->count - 2) / xx) : INFINITY;
}

struct fitted_line line_fit(const double *x, const double *y, const double *weights, size_t count)
{
	struct fitted_points points = {x, y, weights, count, 0, 0};
	double xx = 0, xy = 0, slope;

	if (!count)
		return (struct fitted_line){.slope_error = INFINITY};
	find_means(&points);
	for (size_t i = 0; i < count; i++) {
		double across = x_from_mean(&points, i);
		xx += weight(&points, i) * across * across;
		xy += weight(&points, i) * across * y_from_mean(&points, i);
	}
	slope = xx > 0 ? xy / xx : 0;
	return (struct fitted_line){.slope = slope,
	                            .offset = (y[0] + points.y_mean) - slope * (x[0] + points.x_mean),
	                            .slope_error = slope_error(&points, slope, xx)};
}
