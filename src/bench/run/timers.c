#include "bench/run/timer.h"

#include "base/clock.h"
#include "base/machine.h"
#include "base/text.h"

#include <mpi.h>
#include <string.h>
#include <sys/time.h>

enum { SCALE_BITS = 32, NS_PER_SECOND = 1000 * 1000 * 1000 };

/* Nanoseconds of a tick, times 2^32. */
static uint64_t tick_scale;

static void prepare_counter(void)
{
	tick_scale = (uint64_t)(((__uint128_t)NS_PER_SECOND << SCALE_BITS) / clock_frequency());
}

static int64_t read_counter(void)
{
	return (int64_t)((__uint128_t)clock_ticks() * tick_scale >> SCALE_BITS);
}

static int64_t read_monotonic(void)
{
	return (int64_t)clock_system_ns(CLOCK_MONOTONIC);
}

static int64_t read_raw(void)
{
	return (int64_t)clock_system_ns(CLOCK_MONOTONIC_RAW);
}

static int64_t read_time_of_day(void)
{
	struct timeval now;

	gettimeofday(&now, NULL);
	return (int64_t)now.tv_sec * NS_PER_SECOND + (int64_t)now.tv_usec * 1000;
}

static int64_t read_wtime(void)
{
	return (int64_t)(MPI_Wtime() * 1e9);
}

const struct bench_timer timers[] = {
	{"counter", "the processor's counter (" CLOCK_NAME ")", read_counter, prepare_counter},
	{"monotonic", "clock_gettime(CLOCK_MONOTONIC)", read_monotonic, NULL},
	{"monotonic_raw", "clock_gettime(CLOCK_MONOTONIC_RAW)", read_raw, NULL},
	{"gettimeofday", "gettimeofday(): steps of a microsecond, and it can be set", read_time_of_day, NULL},
	{"mpi_wtime", "MPI_Wtime(): the MPI library's own timer", read_wtime, NULL},
	{0},
};

void sleep_ns(int64_t ns)
{
	nanosleep(&(struct timespec){ns / NS_PER_SECOND, ns % NS_PER_SECOND}, NULL);
}

static const char *best_name(void)
{
	return machine_counter_is_sane() ? "counter" : "monotonic";
}

static enum status unknown_timer(const char *name)
{
	struct text names = {0};
	enum status status;

	for (const struct bench_timer *timer = timers; timer->name; timer++)
		text_add(&names, "%s%s", timer == timers ? "" : ", ", timer->name);
	status = fail("unknown timer '%s': take one of auto, %s", name, text_get(&names));
	text_release(&names);
	return status;
}

enum status timer_find(const char *name, const struct bench_timer **timer)
{
	const struct bench_timer *found = timers;

	if (!name || strcmp(name, "auto") == 0)
		name = best_name();
	while (found->name && strcmp(found->name, name) != 0)
		found++;
	if (!found->name)
		return unknown_timer(name);
	if (found->prepare)
		found->prepare();
	*timer = found;
	return OK;
}
