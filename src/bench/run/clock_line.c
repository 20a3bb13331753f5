#include "bench/run/clock_line.h"

#include "statistics/line.h"

#include <math.h>
#include <stdbool.h>

/* Slopes within this many standard errors of 0 are noise: chance exceeds it once in 2,000 times. */
static const double SIGNIFICANT = 3.5;

/* Multiple of the shortest round trip: longer ones were delayed in one direction and are dropped. */
static const double LONG_TRIP = 1.5;

/* Multiple of the shortest round trip: up to this they were not delayed, but the peer was polling
 * elsewhere. */
static const double USUAL_TRIP = 1.2;

/* Share of the shortest round trip by which undelayed ones may be longer. */
static const double USUAL_EXCESS = 0.1;

int64_t clock_line_inverse(const struct clock_fit *line, int64_t other)
{
	double elapsed = (double)(other - line->offset - line->since);

	return line->since + (other - line->offset - line->since) -
	       (int64_t)(elapsed * line->slope / (1 + line->slope));
}

static struct exchange exchange_at(int64_t middle, int64_t offset, int64_t trip)
{
	int64_t sent = middle - trip / 2;

	return (struct exchange){sent, middle + offset, sent + trip};
}

struct exchange exchange_mirror(const struct exchange *exchange)
{
	int64_t middle = exchange_middle(exchange);

	return exchange_at(exchange->answered, middle - exchange->answered, round_trip(exchange));
}

static bool is_held_up(const struct exchange *exchange, const struct exchange *other)
{
	return (double)round_trip(exchange) > LONG_TRIP * (double)round_trip(other);
}

struct exchange exchange_between(const struct exchange *a, const struct exchange *b)
{
	int64_t middle = exchange_middle(a), offset = exchange_offset(a), trip = round_trip(a);

	if (is_held_up(a, b) || is_held_up(b, a))
		return is_held_up(a, b) ? *b : *a;
	return exchange_at(middle + (exchange_middle(b) - middle) / 2,
	                   offset + (exchange_offset(b) - offset) / 2, trip + (round_trip(b) - trip) / 2);
}

static int64_t shortest_trip(const struct exchange *exchanges, size_t count)
{
	int64_t shortest = round_trip(&exchanges[0]);

	for (size_t i = 1; i < count; i++)
		if (round_trip(&exchanges[i]) < shortest)
			shortest = round_trip(&exchanges[i]);
	return shortest;
}

static size_t keep_below(struct exchange *exchanges, size_t count, double times_shortest)
{
	int64_t longest = (int64_t)(times_shortest * (double)shortest_trip(exchanges, count));
	size_t kept = 0;

	for (size_t i = 0; i < count; i++)
		if (round_trip(&exchanges[i]) <= longest)
			exchanges[kept++] = exchanges[i];
	return kept;
}

size_t exchanges_keep_short(struct exchange *exchanges, size_t count)
{
	return keep_below(exchanges, count, LONG_TRIP);
}

struct exchange exchanges_typical(struct exchange *exchanges, size_t count)
{
	size_t kept = keep_below(exchanges, count, USUAL_TRIP);
	struct exchange first = exchanges[0];
	double middle = 0, offset = 0, trip = 0;

	for (size_t i = 1; i < kept; i++) {
		middle += (double)(exchange_middle(&exchanges[i]) - exchange_middle(&first));
		offset += (double)(exchange_offset(&exchanges[i]) - exchange_offset(&first));
		trip += (double)(round_trip(&exchanges[i]) - round_trip(&first));
	}
	return exchange_at(exchange_middle(&first) + llround(middle / (double)kept),
	                   exchange_offset(&first) + llround(offset / (double)kept),
	                   round_trip(&first) + llround(trip / (double)kept));
}

/* The error of an offset is at most half of the excess of its round trip. */
static void weigh(const struct exchange *exchanges, size_t count, int64_t resolution_ns, double *weights)
{
	double shortest = (double)shortest_trip(exchanges, count);
	double usual = fmax(USUAL_EXCESS * shortest, (double)resolution_ns);

	for (size_t i = 0; i < count; i++) {
		double doubt = usual + (double)round_trip(&exchanges[i]) - shortest;
		weights[i] = 1 / (doubt * doubt);
	}
}

static double mean(const double *values, const double *weights, size_t count)
{
	double sum = 0, weight = 0;

	for (size_t i = 0; i < count; i++) {
		sum += weights[i] * values[i];
		weight += weights[i];
	}
	return sum / weight;
}

struct clock_fit clock_line_fit(const struct exchange *exchanges, size_t count, int64_t resolution_ns,
                                double *slope_error)
{
	struct clock_fit fitted = {exchanges[0].sent, exchange_offset(&exchanges[0]), 0};
	double x[CLOCK_LINE_POINTS] = {0}, y[CLOCK_LINE_POINTS] = {0}, weights[CLOCK_LINE_POINTS] = {0};
	struct fitted_line line;

	for (size_t i = 0; i < count; i++) {
		x[i] = (double)(exchange_middle(&exchanges[i]) - fitted.since);
		y[i] = (double)(exchange_offset(&exchanges[i]) - fitted.offset);
	}
	weigh(exchanges, count, resolution_ns, weights);
	line = line_fit(x, y, weights, count);
	*slope_error = line.slope_error;
	if (fabs(line.slope) <= SIGNIFICANT * line.slope_error)
		line = (struct fitted_line){.offset = mean(y, weights, count)};
	fitted.offset += llround(line.offset);
	fitted.slope = line.slope;
	return fitted;
}
