/* Change points of series: noise has none, a step is found where it is, one slow run is not a step. */
#include "output/history/history.h"
#include "random_numbers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { SERIES = 300, RUNS = 24 };

/* About 1, with a deviation of 2 %: a sum of even numbers is nearly normal. */
static double noisy(struct random_numbers *numbers)
{
	double sum = 0;

	for (int i = 0; i < 12; i++)
		sum += random_below(numbers, 1000001) / 1e6;
	return 1 + 0.02 * (sum - 6);
}

static size_t points_of(const double *values, size_t count, size_t *first)
{
	size_t *points, found = find_change_points(values, count, &points);

	*first = found ? points[0] : 0;
	free(points);
	return found;
}

static void noise_has_no_changes(void **state)
{
	struct random_numbers numbers = {1};
	size_t alarms = 0, first;

	(void)state;
	for (int i = 0; i < SERIES; i++) {
		double values[RUNS];
		for (size_t j = 0; j < RUNS; j++)
			values[j] = noisy(&numbers);
		alarms += points_of(values, RUNS, &first) > 0;
	}
	assert_true(alarms <= SERIES / 50);
}

static void a_step_is_found(void **state)
{
	struct random_numbers numbers = {2};
	size_t found = 0, exact = 0, first;

	(void)state;
	for (int i = 0; i < SERIES; i++) {
		double values[RUNS];
		for (size_t j = 0; j < RUNS; j++)
			values[j] = noisy(&numbers) * (j >= 10 ? 1.1 : 1);
		found += points_of(values, RUNS, &first) == 1 && first >= 9 && first <= 11;
		exact += first == 10;
	}
	assert_true(found >= SERIES * 9 / 10);
	assert_true(exact >= SERIES * 8 / 10);
}

static void small_series_are_exact(void **state)
{
	static const double step[] = {1, 1.001, 0.999, 1.2, 1.201, 1.199};
	static const double back[] = {1, 1.001, 0.999, 1.2, 1.201, 1.199, 1, 1.001, 0.999};
	static const double outlier[] = {1, 1.001, 0.999, 1.5, 1, 1.001, 0.999, 1};
	static const double tiny[] = {1, 1, 1, 1.01, 1.01, 1.01};
	size_t first;

	(void)state;
	assert_int_equal(points_of(step, 6, &first), 1);
	assert_int_equal(first, 3);
	assert_int_equal(points_of(step, 5, &first), 0); /* too few runs of the new level */
	assert_int_equal(points_of(back, 9, &first), 2);
	assert_int_equal(points_of(outlier, 8, &first), 0);
	assert_int_equal(points_of(tiny, 6, &first), 0); /* below 2 % */
	assert_int_equal(points_of(step, 0, &first), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(noise_has_no_changes),
		cmocka_unit_test(a_step_is_found),
		cmocka_unit_test(small_series_are_exact),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
