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

static void compute_steps(int64_t steps)
{
	static volatile double result;
	double value = 1;

	for (int64_t i = 0; i < steps; i++)
		value = value * 0.999999 + 1e-6;
	result = value;
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
