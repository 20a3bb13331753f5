#include "bench/run/overlap.h"

#include "base/clock.h"
#include "bench/run/computing.h"

enum { TRUTH_NS = 100000 };

static void compute_if_wanted(const struct trial *trial)
{
	if (trial->compute_ns > 0)
		compute(trial->compute_ns);
}

int overlap_finish(struct trial *trial, int code)
{
	if (code != MPI_SUCCESS)
		return code;
	compute_if_wanted(trial);
	return MPI_Wait(&trial->request, MPI_STATUS_IGNORE);
}

static int wait_until(int64_t end)
{
	while ((int64_t)clock_system_ns(CLOCK_MONOTONIC) < end)
		;
	return MPI_SUCCESS;
}

static int64_t truth_from_now(void)
{
	return (int64_t)clock_system_ns(CLOCK_MONOTONIC) + TRUTH_NS;
}

/* As if a device did all the work. */
static int run_by_itself(struct trial *trial)
{
	int64_t end = truth_from_now();

	compute_if_wanted(trial);
	return wait_until(end);
}

/* As if nothing happened until the process waits. */
static int run_at_the_end(struct trial *trial)
{
	compute_if_wanted(trial);
	return wait_until(truth_from_now());
}

#define ENTRY(name, help, run_) \
	{ \
		name, "self-test", help, IS_SELF_TEST | CAN_OVERLAP, 1, .run = run_ \
	}

const struct bench_operation overlap_truths[] = {
	ENTRY("OverlapFull", "100 us that pass while the process computes: the right overlap is 100 %",
              run_by_itself),
	ENTRY("OverlapNone", "100 us that start when the process waits: the right overlap is 0",
              run_at_the_end),
	{0},
};
