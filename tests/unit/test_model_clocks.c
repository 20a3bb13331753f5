/* Ticks in order are converted piece by piece, to the same times as in any order. */
#include "analysis/model/clocks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { RATE = 24000000 };
#define TODAY 1763190000000000000

static struct clock_knot knots[] = {{0, 5000, 100}, {1e9, 1.0001e9, 90}, {3e9, 3.0001e9, 80}};
static struct clock_line line = {.rate = RATE,
                                 .tick = 1000,
                                 .base_ns = TODAY,
                                 .is_compared = true,
                                 .knots = knots,
                                 .knot_count = 3,
                                 .slope = 1.00003};
static uint32_t line_of[] = {0};
static struct clocks clocks = {.lines = &line, .line_count = 1, .line_of = line_of};

static void a_piece_tells_the_same_times(void **state)
{
	struct clock_piece piece = clock_piece_new(&line);

	(void)state;
	for (uint64_t tick = 0; tick < 5ull * RATE; tick += RATE / 997)
		assert_int_equal(clock_piece_ns(&piece, tick), clocks_ns(&clocks, 0, tick));
}

static void a_piece_lasts(void **state)
{
	struct clock_piece piece = clock_piece_new(&line);

	(void)state;
	clock_piece_ns(&piece, 2000);
	assert_int_equal(piece.first, 1000);
	assert_int_equal(piece.ticks, RATE);
	clock_piece_ns(&piece, 100ull * RATE);
	assert_int_equal(piece.first, 1000 + 3ull * RATE);
	assert_true(piece.ticks > 1ull << 40);
}

static void times_never_decrease(void **state)
{
	int64_t last = INT64_MIN;

	(void)state;
	for (uint64_t knot = 0; knot <= 3; knot++)
		for (uint64_t tick = 1000 + knot * RATE - 500; tick < 1000 + knot * RATE + 500; tick++) {
			int64_t ns = clocks_ns(&clocks, 0, tick);
			assert_true(ns >= last);
			last = ns;
		}
}

static void knots_have_their_times(void **state)
{
	(void)state;
	assert_int_equal(clocks_ns(&clocks, 0, 1000), TODAY + 5000);
	assert_int_equal(clocks_ns(&clocks, 0, 1000 + RATE), TODAY + 1000100000);
	assert_int_equal(clocks_ns(&clocks, 0, 1000 + 2ull * RATE), TODAY + 2000100000);
	assert_int_equal(clocks_ns(&clocks, 0, 1000 + 3ull * RATE), TODAY + 3000100000);
}

static void absurd_ticks_have_some_time(void **state)
{
	struct clock_piece piece = clock_piece_new(&line);

	(void)state;
	assert_int_equal(clock_piece_ns(&piece, UINT64_MAX), clocks_ns(&clocks, 0, UINT64_MAX));
	assert_int_equal(clock_piece_ns(&piece, 1ull << 62), clocks_ns(&clocks, 0, 1ull << 62));
	assert_int_equal(clock_piece_ns(&piece, 0), clocks_ns(&clocks, 0, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_piece_tells_the_same_times), cmocka_unit_test(a_piece_lasts),
		cmocka_unit_test(times_never_decrease),         cmocka_unit_test(knots_have_their_times),
		cmocka_unit_test(absurd_ticks_have_some_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
