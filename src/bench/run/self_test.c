#include "bench/run/self_test.h"

#include "base/clock.h"
#include "bench/run/trial.h"

enum { STEP_NS = 1000, READINGS = 1000 };

/* The clock to wait with must not be the tested timer, or both would be wrong together. */
static int64_t reading_cost_ns;

static int64_t read_clock(void)
{
	return (int64_t)clock_system_ns(CLOCK_MONOTONIC_RAW);
}

void self_test_prepare(void)
{
	int64_t begin = read_clock();

	for (int i = 0; i < READINGS; i++)
		read_clock();
	reading_cost_ns = (read_clock() - begin) / READINGS;
}

/* Calling and returning cost half a reading each, and on average the clock is read half a reading late. */
static int wait_longer_each(struct trial *trial)
{
	int64_t begin = read_clock(), wait = (trial->rank + 1) * STEP_NS - reading_cost_ns * 3 / 2;

	while (read_clock() - begin < wait)
		;
	return MPI_SUCCESS;
}

static int return_at_once(struct trial *trial)
{
	(void)trial;
	return MPI_SUCCESS;
}

#define ENTRY(name, help, run_) \
	{ \
		name, "self-test", help, IS_SELF_TEST, 1, .run = run_ \
	}

const struct bench_operation self_tests[] = {
	[WAIT_PATTERN_NULL] = ENTRY("WaitPatternNull", "nothing: the right time is 0", return_at_once),
	[WAIT_PATTERN_UP] = ENTRY(
		"WaitPatternUp",
		"process i waits i + 1 microseconds: the right time is one microsecond per process",
		wait_longer_each),
	{0},
};

double self_test_answer(const struct bench_operation *operation, int ranks)
{
	return operation == &self_tests[WAIT_PATTERN_UP] ? ranks * STEP_NS * 1e-9 : 0;
}
