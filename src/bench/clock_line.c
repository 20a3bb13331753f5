#include "bench/clock_line.h"

#include "statistics/line.h"

#include <math.h>

enum { POINTS_MAX = 256 };

/* Slopes within so many standard errors of 0 are noise: chance makes a larger one once in 2 000 times. */
static const double SIGNIFICANT = 3.5;

/* Times the shortest one: a message that took longer was held up on one of its ways, and says little. */
static const double LONG_TRIP = 1.5;

int64_t clock_line_inverse(const struct clock_line *line, int64_t other)
{
	double elapsed = (double)(other - line->offset - line->since);

	return line->since + (other - line->offset - line->since) -
	       (int64_t)(elapsed * line->slope / (1 + line->slope));
}

static double mean(const double *values, size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += values[i];
	return sum / (double)count;
}

/* The standard error of a slope; INFINITY with too few points to tell. */
static double slope_error(const double *x, const double *y, size_t count, struct line line)
{
	double middle = mean(x, count), rest = 0, spread = 0;

	for (size_t i = 0; i < count; i++) {
		double off = y[i] - line.offset - line.slope * x[i];
		rest += off * off;
		spread += (x[i] - middle) * (x[i] - middle);
	}
	return count > 2 && spread > 0 ? sqrt(rest / (double)(count - 2) / spread) : INFINITY;
}

static int64_t shortest_trip(const struct exchange *exchanges, size_t count)
{
	int64_t shortest = round_trip(&exchanges[0]);

	for (size_t i = 1; i < count; i++)
		if (round_trip(&exchanges[i]) < shortest)
			shortest = round_trip(&exchanges[i]);
	return shortest;
}

size_t exchanges_keep_short(struct exchange *exchanges, size_t count)
{
	int64_t longest = (int64_t)(LONG_TRIP * (double)shortest_trip(exchanges, count));
	size_t kept = 0;

	for (size_t i = 0; i < count; i++)
		if (round_trip(&exchanges[i]) <= longest)
			exchanges[kept++] = exchanges[i];
	return kept;
}

struct clock_line clock_line_fit(struct exchange *exchanges, size_t count)
{
	struct clock_line fitted;
	double x[POINTS_MAX] = {0}, y[POINTS_MAX] = {0};
	struct line line;

	count = exchanges_keep_short(exchanges, count < POINTS_MAX ? count : POINTS_MAX);
	fitted = (struct clock_line){exchanges[0].sent, exchange_offset(&exchanges[0]), 0};
	for (size_t i = 0; i < count; i++) {
		x[i] = (double)(exchanges[i].sent + round_trip(&exchanges[i]) / 2 - fitted.since);
		y[i] = (double)(exchange_offset(&exchanges[i]) - fitted.offset);
	}
	line = line_fit(x, y, count);
	if (fabs(line.slope) <= SIGNIFICANT * slope_error(x, y, count, line))
		line = (struct line){mean(y, count), 0};
	fitted.offset += llround(line.offset);
	fitted.slope = line.slope;
	return fitted;
}
