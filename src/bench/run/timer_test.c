/* Tests a timer. */
#include "bench/run/timer.h"

#include "base/clock.h"

#include <inttypes.h>
#include <stdbool.h>

enum {
	WATCH_NS = 20 * 1000 * 1000, /* duration of the test */
	READINGS = 64, /* consecutive readings: other work between them would look like a step of the timer */
	COST_READINGS = 1000,
	COARSEST_NS = 10 * 1000,
	ATTEMPTS = 16,
};

/* A broken timer is off by far more, a clock that is being adjusted by far less. */
static const double GREATEST_ODDS = 0.01;

/* Observations of consecutive readings. */
struct timer_steps {
	int64_t first, last;
	int64_t smallest_step; /* INT64_MAX: none yet */
	int64_t back;          /* largest step backwards */
};

static void look(const struct bench_timer *timer, struct timer_steps *steps)
{
	int64_t now = timer->now(), step = now - steps->last;

	if (step < 0)
		steps->back = -step;
	else if (step > 0 && step < steps->smallest_step)
		steps->smallest_step = step;
	steps->last = now;
}

static int64_t system_now(void)
{
	return (int64_t)clock_system_ns(CLOCK_MONOTONIC_RAW);
}

/* The timer's value in the middle of two close readings of the system clock. */
struct timer_reading {
	int64_t system, timer, width;
};

static struct timer_reading pair_readings(const struct bench_timer *timer)
{
	struct timer_reading best = {.width = INT64_MAX};

	for (int i = 0; i < ATTEMPTS; i++) {
		int64_t before = system_now(), reading = timer->now(), width = system_now() - before;

		if (width < best.width)
			best = (struct timer_reading){before + width / 2, reading, width};
	}
	return best;
}

static struct timer_steps watch_timer(const struct bench_timer *timer, double *rate)
{
	struct timer_reading begin = pair_readings(timer), end;
	struct timer_steps steps = {.smallest_step = INT64_MAX};

	steps.first = steps.last = timer->now();
	while (!steps.back && system_now() - begin.system < WATCH_NS)
		for (int i = 0; i < READINGS && !steps.back; i++)
			look(timer, &steps);
	end = pair_readings(timer);
	*rate = (double)(end.timer - begin.timer) / (double)(end.system - begin.system);
	return steps;
}

static int64_t measure_cost(const struct bench_timer *timer)
{
	int64_t begin = system_now();

	for (int i = 0; i < COST_READINGS; i++)
		timer->now();
	return (system_now() - begin) / COST_READINGS;
}

enum status timer_test(const struct bench_timer *timer, struct timer_quality *quality)
{
	double rate;
	struct timer_steps steps = watch_timer(timer, &rate);

	if (steps.back)
		return fail("timer '%s' went back by %" PRId64 " ns: use another one", timer->name,
		            steps.back);
	if (steps.smallest_step == INT64_MAX)
		return fail("timer '%s' stood still for %d ms: use another one", timer->name,
		            WATCH_NS / 1000000);
	if (steps.smallest_step > COARSEST_NS)
		return fail("timer '%s' moves in steps of %" PRId64 " ns, too coarse: use another one",
		            timer->name, steps.smallest_step);
	if (rate < 1 - GREATEST_ODDS || rate > 1 + GREATEST_ODDS)
		return fail("timer '%s' ran %.3f times as fast as the system clock: use another one",
		            timer->name, rate);
	*quality = (struct timer_quality){steps.smallest_step, measure_cost(timer)};
	return OK;
}
