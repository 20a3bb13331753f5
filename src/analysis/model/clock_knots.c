#include "analysis/model/clock_knots.h"

#include <math.h>
#include <stdlib.h>

/* No clock of a computer is off by more than this, … */
static const double drift_max = 500e-6;
/* … mostly by less than this before it was compared twice, … */
static const double drift_unknown = 50e-6;
/* … and its drift changes by less than this within a run. */
static const double drift_wander = 0.02e-6;

static int by_time(const void *a, const void *b)
{
	const struct clock_knot *p = a, *q = b;

	if (p->x != q->x)
		return p->x < q->x ? -1 : 1;
	return p->u < q->u ? -1 : p->u > q->u;
}

/* Two knots so near that no drift can be told from them, even if the clocks drift as much as they can. */
static bool are_near(const struct clock_knot *p, const struct clock_knot *q)
{
	return drift_max * (q->x - p->x) <= p->u + q->u;
}

static bool tells_all_of(const struct clock_knot *p, const struct clock_knot *q)
{
	return p->u + drift_max * fabs(q->x - p->x) <= q->u;
}

static bool contradict(const struct clock_knot *p, const struct clock_knot *q)
{
	double change = (q->y - q->x) - (p->y - p->x);

	return fabs(change) > p->u + q->u + drift_max * (q->x - p->x);
}

/* Only the better one of two such knots is used. */
static bool compete(const struct clock_knot *p, const struct clock_knot *q)
{
	return are_near(p, q) || tells_all_of(p, q) || tells_all_of(q, p) || contradict(p, q);
}

/* Takes the next knot behind those that are kept already. */
static uint32_t keep(struct clock_knot *knots, uint32_t kept, struct clock_knot next)
{
	while (kept && compete(&knots[kept - 1], &next)) {
		if (knots[kept - 1].u <= next.u)
			return kept;
		kept--;
	}
	knots[kept] = next;
	return kept + 1;
}

uint32_t knots_select(struct clock_knot *knots, uint32_t count)
{
	uint32_t kept = 0;

	if (count)
		qsort(knots, count, sizeof *knots, by_time);
	for (uint32_t i = 0; i < count; i++)
		kept = keep(knots, kept, knots[i]);
	return kept;
}

/* What noise or damage makes of it must still leave time going forwards. */
static double plausible(double slope)
{
	return slope > 1 + drift_max ? 1 + drift_max : slope < 1 - drift_max ? 1 - drift_max : slope;
}

double knots_slope(const struct clock_knot *knots, uint32_t count)
{
	if (count < 2)
		return 1;
	return plausible((knots[count - 1].y - knots[0].y) / (knots[count - 1].x - knots[0].x));
}

/* The last knot at or before x. */
static uint32_t find_knot(const struct clock_line *line, double x)
{
	uint32_t low = 0, high = line->knot_count;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;
		if (line->knots[middle].x <= x)
			low = middle;
		else
			high = middle;
	}
	return low;
}

struct clock_segment knots_segment(const struct clock_line *line, double x)
{
	const struct clock_knot *knot = line->knot_count ? &line->knots[find_knot(line, x)] : NULL;
	const struct clock_knot *last = knot ? &line->knots[line->knot_count - 1] : NULL;
	struct clock_segment segment = {.from = -INFINITY, .to = INFINITY, .slope = 1};

	if (!knot)
		return segment;
	segment.x = knot->x;
	segment.y = knot->y;
	segment.slope = line->slope;
	if (x < knot->x)
		segment.to = knot->x;
	else
		segment.from = knot->x;
	if (x < knot->x || knot == last)
		return segment;
	segment.slope = (knot[1].y - knot->y) / (knot[1].x - knot->x);
	segment.to = knot[1].x;
	return segment;
}

double knots_map(const struct clock_line *line, double x)
{
	struct clock_segment segment = knots_segment(line, x);

	return segment.y + (x - segment.x) * segment.slope;
}

/* Beyond the first or the last knot. */
static double uncertainty_outside(const struct clock_line *line, const struct clock_knot *knot,
                                  double distance)
{
	const struct clock_knot *first = line->knots, *last = line->knots + line->knot_count - 1;
	double drift = first == last ? drift_unknown : (first->u + last->u) / (last->x - first->x);

	return knot->u + distance * (drift < drift_unknown ? drift + drift_wander : drift_unknown);
}

double knots_uncertainty(const struct clock_line *line, double x)
{
	const struct clock_knot *knot;
	double part, nearest;

	if (!line->knot_count)
		return 0;
	knot = &line->knots[find_knot(line, x)];
	if (x < knot->x || knot == &line->knots[line->knot_count - 1])
		return uncertainty_outside(line, knot, fabs(x - knot->x));
	part = (x - knot->x) / (knot[1].x - knot->x);
	nearest = fmin(x - knot->x, knot[1].x - x);
	return knot->u + part * (knot[1].u - knot->u) + nearest * drift_wander;
}

/* It is largest at an end, at a knot or in the middle between two. */
double knots_uncertainty_within(const struct clock_line *line, double from, double to)
{
	double most = fmax(knots_uncertainty(line, from), knots_uncertainty(line, to));

	for (uint32_t i = 0; i < line->knot_count; i++) {
		const struct clock_knot *knot = &line->knots[i];
		double middle = i + 1 < line->knot_count ? (knot->x + knot[1].x) / 2 : knot->x;
		if (knot->x >= from && knot->x <= to)
			most = fmax(most, knot->u);
		if (middle >= from && middle <= to)
			most = fmax(most, knots_uncertainty(line, middle));
	}
	return most;
}
