#include "analysis/model/time_line.h"

struct time_line time_line_of(const struct process *process)
{
	const struct clock *clock = process->clock_count ? &process->clocks[0] : NULL;
	struct time_line line = {.seconds_per_tick = 1e-9};

	if (clock && clock->ticks_per_second)
		line.seconds_per_tick = 1 / (double)clock->ticks_per_second;
	if (clock && clock->point_count) {
		line.has_date = true;
		line.tick = clock->points[0].tick;
		line.ns = clock->points[0].ns;
	}
	return line;
}

/* Where the double is too large for an integer, a hostile trace made it so: any answer will do. */
static int64_t nearest(double ns)
{
	const double most = 9e18;

	return ns > most    ? INT64_MAX / 2
	       : ns < -most ? INT64_MIN / 2
	                    : (int64_t)(ns < 0 ? ns - 0.5 : ns + 0.5);
}

int64_t tick_to_ns(const struct time_line *line, uint64_t tick)
{
	double ticks = tick >= line->tick ? (double)(tick - line->tick) : -(double)(line->tick - tick);

	return (int64_t)(line->ns + (uint64_t)nearest(ticks * line->seconds_per_tick * 1e9));
}
