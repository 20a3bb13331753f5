#include "bench/computing.h"

#include <time.h>

enum { ATTEMPTS = 8, STEPS = 50000 };

static double steps_in_ns;

static int64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* Begins with what the compiler cannot know, or it would work it out itself. Four chains keep the processor busy, so that it does not go
 * on to what follows while it waits for one of them. */
static void compute_steps(int64_t steps)
{
	static volatile double seed = 0.5, result;
	double a = seed, b = a + 1, c = b + 1, d = c + 1;

	for (int64_t i = 0; i < steps; i++) {
		a = a * 0.999 + 0.25;
		b = b * 0.999 + 0.25;
		c = c * 0.999 + 0.25;
		d = d * 0.999 + 0.25;
	}
	result = a + b + c + d;
	(void)result;
}

void computing_calibrate(void)
{
	int64_t best = INT64_MAX;

	if (steps_in_ns > 0)
		return;
	for (int i = 0; i < ATTEMPTS; i++) {
		int64_t begin = now(), time;

		compute_steps(STEPS);
		time = now() - begin;
		if (time < best)
			best = time;
	}
	steps_in_ns = (double)STEPS / (double)(best > 0 ? best : 1);
}

void compute(int64_t ns)
{
	compute_steps((int64_t)((double)ns * steps_in_ns));
}
