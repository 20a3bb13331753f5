/* Round trips between two clocks: invented ones with known results. */
#include "bench/run/clock_line.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "random_numbers.h"

enum { POINTS = 50, PAUSE_NS = 4000000, TRIP_NS = 500, NOISE_NS = 40 };

static const int64_t FAR = 86400LL * 400 * 1000000000; /* clocks that were started in different years */

/* other = own + offset + drift * own */
struct truth {
	int64_t offset;
	double drift;
};

static int64_t other_at(const struct truth *truth, int64_t own)
{
	return own + truth->offset + (int64_t)(truth->drift * (double)own);
}

/* An exchange whose ways took so long. */
static struct exchange trip(const struct truth *truth, int64_t sent, int64_t there, int64_t back)
{
	return (struct exchange){sent, other_at(truth, sent + there), sent + there + back};
}

static void make_trips(const struct truth *truth, struct exchange trips[POINTS])
{
	struct random_numbers numbers = {7};

	for (int i = 0; i < POINTS; i++) {
		int64_t there = TRIP_NS / 2 + random_between(&numbers, 0, NOISE_NS);
		int64_t back = TRIP_NS / 2 + random_between(&numbers, 0, NOISE_NS);
		trips[i] = trip(truth, (int64_t)i * PAUSE_NS, there, back);
	}
}

static int64_t error_at(const struct clock_fit *line, const struct truth *truth, int64_t own)
{
	return llabs(clock_line_at(line, own) - other_at(truth, own));
}

static struct clock_fit fit(const struct exchange *exchanges, size_t count)
{
	double slope_error;

	return clock_line_fit(exchanges, count, 1, &slope_error);
}

static void equal_ways_give_the_offset(void **state)
{
	struct truth truth = {-12345, 0};
	struct exchange exchange = trip(&truth, 1000, 300, 300);

	(void)state;
	assert_int_equal(round_trip(&exchange), 600);
	assert_int_equal(exchange_offset(&exchange), -12345);
}

static void unequal_ways_are_off_by_half_their_difference(void **state)
{
	struct truth truth = {500, 0};
	struct exchange exchange = trip(&truth, 1000, 400, 200);

	(void)state;
	assert_int_equal(exchange_offset(&exchange), 500 + 100);
}

static void a_drift_is_found(void **state)
{
	struct truth truth = {FAR, 50e-6};
	struct exchange trips[POINTS];
	struct clock_fit line;

	(void)state;
	make_trips(&truth, trips);
	line = fit(trips, POINTS);
	assert_true(fabs(line.slope - 50e-6) < 1e-6);
	assert_true(error_at(&line, &truth, POINTS * (int64_t)PAUSE_NS) < 50);
	assert_true(error_at(&line, &truth, 1000000000) < 500);
}

static void noise_is_not_taken_for_drift(void **state)
{
	struct truth truth = {-FAR, 0};
	struct exchange trips[POINTS];
	struct clock_fit line;

	(void)state;
	make_trips(&truth, trips);
	line = fit(trips, POINTS);
	assert_true(line.slope == 0);
	assert_true(error_at(&line, &truth, 100000000000) < 20);
}

static void messages_that_were_held_up_do_not_count(void **state)
{
	struct truth truth = {777, 0};
	struct exchange trips[POINTS];
	struct clock_fit line;

	(void)state;
	make_trips(&truth, trips);
	for (int i = 0; i < POINTS; i += 2)
		trips[i] = trip(&truth, trips[i].sent, TRIP_NS / 2, 4000000);
	line = fit(trips, POINTS);
	assert_true(error_at(&line, &truth, 0) < 20);
}

/* A busy network: one message in ten gets through without having to wait. */
static void a_drift_is_found_among_messages_that_wait(void **state)
{
	struct truth truth = {FAR, 50e-6};
	struct random_numbers numbers = {11};
	struct exchange trips[POINTS];
	struct clock_fit line;

	(void)state;
	make_trips(&truth, trips);
	for (int i = 0; i < POINTS; i++)
		if (i % 10)
			trips[i] = trip(&truth, trips[i].sent,
			                TRIP_NS / 2 + random_between(&numbers, 0, 5 * TRIP_NS),
			                TRIP_NS / 2 + random_between(&numbers, 0, 5 * TRIP_NS));
	line = fit(trips, POINTS);
	assert_true(fabs(line.slope - 50e-6) < 2e-6);
	assert_true(error_at(&line, &truth, POINTS * (int64_t)PAUSE_NS) < 100);
}

static void one_exchange_is_enough_for_an_offset(void **state)
{
	struct truth truth = {42, 0};
	struct exchange only = trip(&truth, 1000000, 250, 250);
	struct clock_fit line = fit(&only, 1);

	(void)state;
	assert_int_equal(clock_line_at(&line, 5), 47);
}

static void the_way_back_leads_to_where_it_began(void **state)
{
	struct clock_fit lines[] = {{0, 0, 0}, {1000, FAR, 50e-6}, {FAR, -FAR, -3e-4}};

	(void)state;
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		for (int64_t own = lines[i].since; own < lines[i].since + 100000000000; own += 12345678901) {
			int64_t other = clock_line_at(&lines[i], own);
			assert_true(llabs(clock_line_inverse(&lines[i], other) - own) <= 1);
		}
}

static void seen_from_the_other_side_it_is_the_same(void **state)
{
	struct truth truth = {FAR, 0};
	struct exchange asked_here = trip(&truth, 1000, 200, 260), asked_there, seen_here;

	(void)state;
	/* The other one asks at a time that is 5000 here; its question takes 200, the answer 260. */
	asked_there = (struct exchange){other_at(&truth, 5000), 5200, other_at(&truth, 5460)};
	seen_here = exchange_mirror(&asked_there);
	assert_int_equal(round_trip(&seen_here), 460);
	assert_int_equal(exchange_middle(&seen_here), 5200);
	/* Questions are 60 faster than answers, in both directions: either is off by half of that, in opposite directions. */
	assert_int_equal(exchange_offset(&asked_here) - FAR, -30);
	assert_int_equal(exchange_offset(&seen_here) - FAR, 30);
}

static void asking_each_other_cancels_what_makes_one_way_longer(void **state)
{
	struct truth truth = {-FAR, 0};
	struct exchange here = trip(&truth, 1000, 200, 260), there = trip(&truth, 3000, 280, 220), both;

	(void)state;
	both = exchange_between(&here, &there);
	assert_int_equal(exchange_offset(&both), -FAR);
	assert_int_equal(round_trip(&both), 480);
	assert_int_equal(exchange_middle(&both), 2240);
	there = trip(&truth, 3000, 280, 9999);
	both = exchange_between(&there, &here);
	assert_int_equal(round_trip(&both), 460);
}

static void those_not_held_up_stand_for_all(void **state)
{
	struct truth truth = {FAR, 0};
	struct exchange trips[POINTS], typical;

	(void)state;
	for (int i = 0; i < POINTS;
	     i++) /* by turns the one or the other way is longer by up to 40; each third was held up */
		trips[i] = trip(&truth, (int64_t)i * 1000, 230 + 40 * (i % 2),
		                270 - 40 * (i % 2) + (i % 3 ? 0 : 9999));
	typical = exchanges_typical(trips, POINTS);
	assert_true(llabs(exchange_offset(&typical) - FAR) <= 3);
	assert_int_equal(round_trip(&typical), 500);
	typical = exchanges_typical(trips, 1);
	assert_int_equal(round_trip(&typical), 500);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_ways_give_the_offset),
		cmocka_unit_test(unequal_ways_are_off_by_half_their_difference),
		cmocka_unit_test(a_drift_is_found),
		cmocka_unit_test(noise_is_not_taken_for_drift),
		cmocka_unit_test(messages_that_were_held_up_do_not_count),
		cmocka_unit_test(a_drift_is_found_among_messages_that_wait),
		cmocka_unit_test(seen_from_the_other_side_it_is_the_same),
		cmocka_unit_test(asking_each_other_cancels_what_makes_one_way_longer),
		cmocka_unit_test(those_not_held_up_stand_for_all),
		cmocka_unit_test(one_exchange_is_enough_for_an_offset),
		cmocka_unit_test(the_way_back_leads_to_where_it_began),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
