#include "bench/run/computing.h"

#include "base/clock.h"

enum { STEPS = 16 }; /* between clock readings: short compared with the shortest operation */

static int64_t now(void)
{
	return (int64_t)clock_system_ns(CLOCK_MONOTONIC);
}

/* Starts with a value unknown to the compiler, so that the work is not folded. Four chains keep the CPU
 * busy, so that it does not execute later code while it waits for one of them. */
static void compute_a_little(void)
{
	static volatile double seed = 0.5, result;
	double a = seed, b = a + 1, c = b + 1, d = c + 1;

	for (int i = 0; i < STEPS; i++) {
		a = a * 0.999 + 0.25;
		b = b * 0.999 + 0.25;
		c = c * 0.999 + 0.25;
		d = d * 0.999 + 0.25;
	}
	result = a + b + c + d;
	(void)result;
}

void compute(int64_t ns)
{
	int64_t end = now() + ns;

	do {
		compute_a_little();
	} while (now() < end);
}
