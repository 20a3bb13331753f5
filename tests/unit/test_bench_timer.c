/* Timers that cannot be believed are refused, with the reason; processes that share a processor are found; computation takes time. */
#include "base/clock.h"
#include "bench/run/computing.h"
#include "bench/run/processors.h"
#include "bench/run/timer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static int64_t read_good(void)
{
	return (int64_t)clock_system_ns(CLOCK_MONOTONIC);
}

static int64_t read_jumping(void)
{
	static unsigned readings;

	return read_good() - (++readings % 100 ? 0 : 100000);
}

static int64_t read_coarse(void)
{
	return read_good() / 100000 * 100000;
}

static int64_t read_still(void)
{
	return 1234567;
}

static int64_t read_fast(void)
{
	return read_good() * 2;
}

static enum status test(int64_t (*now)(void), struct timer_quality *quality)
{
	struct bench_timer timer = {"made up", "", now, NULL};

	return timer_test(&timer, quality);
}

static void a_good_timer_is_taken(void **state)
{
	struct timer_quality quality = {0};

	(void)state;
	assert_int_equal(test(read_good, &quality), OK);
	assert_true(quality.resolution_ns > 0);
}

static void assert_refused(int64_t (*now)(void), const char *reason)
{
	struct timer_quality quality;

	assert_int_equal(test(now, &quality), FAILED);
	assert_non_null(strstr(trail_text(), "made up"));
	assert_non_null(strstr(trail_text(), reason));
}

static void bad_timers_are_refused_with_the_reason(void **state)
{
	(void)state;
	assert_refused(read_jumping, "went back");
	assert_refused(read_coarse, "too coarse");
	assert_refused(read_still, "stood still");
	assert_refused(read_fast, "times as fast");
}

/* Each process may use the processors whose bits are set here. */
static struct core_sharing crowding_with(const unsigned char *bits, int processes)
{
	struct processors allowed[4] = {0};

	for (int i = 0; i < processes; i++)
		allowed[i].bits[0] = bits[i];
	return crowding_of(allowed, processes);
}

static void enough_processors_are_not_crowded(void **state)
{
	(void)state;
	assert_false(crowding_with((unsigned char[]){3, 3}, 2).is_crowded);
	assert_false(crowding_with((unsigned char[]){1, 2, 4}, 3).is_crowded);
}

static void too_few_processors_are(void **state)
{
	struct core_sharing crowding = crowding_with((unsigned char[]){3, 3, 3}, 3);

	(void)state;
	assert_true(crowding.is_crowded);
	assert_int_equal(crowding.processes, 3);
	assert_int_equal(crowding.processors, 2);
}

static void two_bound_to_one_processor_are(void **state)
{
	(void)state;
	assert_true(crowding_with((unsigned char[]){1, 15, 1}, 3).is_crowded);
}

static void computation_lasts_as_long_as_wanted(void **state)
{
	enum { WANTED_NS = 5000000 };
	int64_t begin = read_good();

	(void)state;
	compute(WANTED_NS);
	assert_true(read_good() - begin >= WANTED_NS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_good_timer_is_taken),
		cmocka_unit_test(bad_timers_are_refused_with_the_reason),
		cmocka_unit_test(enough_processors_are_not_crowded),
		cmocka_unit_test(too_few_processors_are),
		cmocka_unit_test(two_bound_to_one_processor_are),
		cmocka_unit_test(computation_lasts_as_long_as_wanted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
