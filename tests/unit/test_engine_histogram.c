/* Counts that partition memory with a few bytes, against counts that are each a number. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/engine/histogram.h"
#include "analysis/engine/time_bins.h"

enum { NUMBERS = 256 };

static void assert_counted(const struct histogram *histogram, const uint32_t *counts)
{
	for (int i = 0; i < NUMBERS; i++)
		assert_int_equal(histogram_at(histogram, (uint8_t)i), counts[i]);
}

/* Numbers from `first` on, `range` of them, in no order. */
static void count_and_compare(int first, int range, int times)
{
	struct histogram histogram = {0}, taken;
	uint32_t counts[NUMBERS] = {0}, chance = 1;

	for (int i = 0; i < times; i++) {
		uint8_t bin;

		chance = chance * 1664525 + 1013904223;
		bin = (uint8_t)(first + (int)((chance >> 16) % (uint32_t)range));
		histogram_add(&histogram, bin);
		counts[bin]++;
	}
	assert_counted(&histogram, counts);
	taken = histogram_take(&histogram);
	assert_counted(&histogram, (uint32_t[NUMBERS]){0});
	assert_counted(&taken, counts);
	histogram_release(&taken);
}

static void count_a_few_numbers(void **state)
{
	(void)state;
	count_and_compare(17, HISTOGRAM_WITHIN, 100);
	count_and_compare(0, 1, UINT8_MAX);
}

static void count_more_than_a_byte_can_tell(void **state)
{
	(void)state;
	count_and_compare(17, HISTOGRAM_WITHIN, 100 * HISTOGRAM_WITHIN * UINT8_MAX);
	count_and_compare(17, HISTOGRAM_WITHIN + 1, 100 * HISTOGRAM_WITHIN * UINT8_MAX);
	count_and_compare(0, 1, UINT8_MAX + 1);
}

static void count_many_numbers(void **state)
{
	(void)state;
	count_and_compare(17, HISTOGRAM_WITHIN + 1, 100);
	count_and_compare(NUMBERS - 20, 20, 1000);
}

static void count_all_numbers(void **state)
{
	(void)state;
	count_and_compare(0, NUMBERS, 10000);
	count_and_compare(0, NUMBERS, NUMBERS * 2 * UINT8_MAX);
}

static int64_t sum_of(const struct time_bins *bins)
{
	int64_t sum = 0;

	for (int i = 0; i < TIME_BINS; i++)
		sum += bins->ns[i];
	return sum;
}

static void time_lies_in_its_bins(void **state)
{
	struct time_bins bins = {0};
	int64_t width = time_bins_width(&bins);

	(void)state;
	time_bins_add(&bins, width / 2, 2 * width + 7, 2 * width + 7 - width / 2);
	assert_int_equal(bins.ns[0], width - width / 2);
	assert_int_equal(bins.ns[1], width);
	assert_int_equal(bins.ns[2], 7);
	time_bins_add(&bins, -5, 3, 3);
	assert_int_equal(bins.ns[0], width - width / 2 + 3);
	time_bins_add(&bins, 9, 9, 1);
	time_bins_add(&bins, 9, -9, 1);
	assert_int_equal(sum_of(&bins), 2 * width + 7 - width / 2 + 3);
	assert_int_equal(time_bins_width(&bins), width);
}

static void less_time_lies_evenly(void **state)
{
	struct time_bins bins = {0};
	int64_t width = time_bins_width(&bins);

	(void)state;
	time_bins_add(&bins, 0, 4 * width, 1002);
	for (int i = 0; i < 4; i++)
		assert_in_range(bins.ns[i], 250, 251);
	assert_int_equal(sum_of(&bins), 1002);
}

static void bins_become_longer(void **state)
{
	struct time_bins bins = {0}, others = {0};
	int64_t width = time_bins_width(&bins);

	(void)state;
	time_bins_add(&bins, 3 * width, 4 * width, width);
	time_bins_add(&bins, TIME_BINS * width, TIME_BINS * width + 1, 1);
	assert_int_equal(time_bins_width(&bins), 2 * width);
	assert_int_equal(bins.ns[1], width);
	assert_int_equal(bins.ns[TIME_BINS / 2], 1);
	time_bins_add(&others, 5, 8, 3);
	time_bins_merge(&bins, &others);
	assert_int_equal(bins.ns[0], 3);
	time_bins_merge(&others, &bins);
	assert_int_equal(time_bins_width(&others), 2 * width);
	assert_int_equal(others.ns[0], 6);
	assert_int_equal(others.ns[1], width);
}

static void the_longest_time_has_a_bin(void **state)
{
	struct time_bins bins = {0};

	(void)state;
	time_bins_add(&bins, INT64_MAX - 1, INT64_MAX, 1);
	assert_int_equal(bins.ns[TIME_BINS - 1], 1);
	time_bins_add(&bins, 0, INT64_MAX, INT64_MAX);
	time_bins_put(&bins, 0, INT64_MAX);
	assert_int_equal(bins.ns[0], INT64_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(count_a_few_numbers),   cmocka_unit_test(count_more_than_a_byte_can_tell),
		cmocka_unit_test(count_many_numbers),    cmocka_unit_test(count_all_numbers),
		cmocka_unit_test(time_lies_in_its_bins), cmocka_unit_test(less_time_lies_evenly),
		cmocka_unit_test(bins_become_longer),    cmocka_unit_test(the_longest_time_has_a_bin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
