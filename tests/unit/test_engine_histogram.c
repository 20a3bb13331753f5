/* Counts that partition memory with a few bytes, against counts that are each a number. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/engine/histogram.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(count_a_few_numbers),
		cmocka_unit_test(count_more_than_a_byte_can_tell),
		cmocka_unit_test(count_many_numbers),
		cmocka_unit_test(count_all_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
