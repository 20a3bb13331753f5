/* Runs of bytes, compared with maps that have one element for each byte. */
#include "job/check/objects/byte_runs.h"
#include "random_numbers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { MAP_BYTES = 1024, LIST_MAX = 6, ROUNDS = 30000 };

static struct random_numbers numbers = {17};

static int64_t up_to(int64_t limit)
{
	return random_below(&numbers, (uint32_t)limit);
}

static void paint(uint8_t *map, const struct byte_pattern *pattern)
{
	for (int64_t i = 0; i < pattern->times; i++)
		for (uint32_t j = 0; j < pattern->count; j++)
			for (int64_t k = 0; k < pattern->run[j].length; k++)
				map[pattern->start + i * pattern->stride + pattern->run[j].offset + k] = 1;
}

/* Lists as datatypes have them: sorted, with gaps, at times all alike. */
static uint32_t make_list(struct byte_run *list)
{
	const uint32_t count = 1 + (uint32_t)up_to(LIST_MAX);
	const int64_t length = 1 + up_to(6), gap = 1 + up_to(8);
	const bool alike = up_to(2);

	for (uint32_t i = 0, at = 0; i < count; i++) {
		list[i].offset = at;
		list[i].length = alike ? length : 1 + up_to(6);
		at += (uint32_t)(list[i].length + (alike ? gap : 1 + up_to(8)));
	}
	return count;
}

static struct byte_pattern make_pattern(struct byte_run *list)
{
	struct byte_pattern pattern = {.run = list, .count = make_list(list), .times = 1 + up_to(4)};

	pattern.spacing = byte_runs_spacing(list, pattern.count);
	pattern.stride = up_to(3) ? up_to(60) : pattern.spacing * pattern.count;
	if (up_to(6) == 0)
		pattern.stride = -pattern.stride;
	pattern.start = 300 + up_to(100);
	return pattern;
}

static void overlap_is_exact_to_the_byte(void **state)
{
	uint32_t found = 0;

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		struct byte_run list_a[LIST_MAX], list_b[LIST_MAX];
		const struct byte_pattern a = make_pattern(list_a), b = make_pattern(list_b);
		uint8_t map_a[MAP_BYTES] = {0}, map_b[MAP_BYTES] = {0};
		enum byte_overlap expected = BYTES_APART, result;
		int64_t at = -1, first = -1;

		paint(map_a, &a);
		paint(map_b, &b);
		for (int64_t i = 0; i < MAP_BYTES && first < 0; i++)
			if (map_a[i] && map_b[i])
				first = i, expected = BYTES_OVERLAP;
		result = byte_patterns_overlap(&a, &b, &at);
		assert_int_equal(result, expected);
		assert_int_equal(at, first);
		found += result == BYTES_OVERLAP;
	}
	assert_in_range(found, ROUNDS / 20, ROUNDS - ROUNDS / 20);
}

static void sorted_runs_are_what_was_added(void **state)
{
	(void)state;
	for (int round = 0; round < ROUNDS / 10; round++) {
		struct byte_run list[LIST_MAX];
		struct byte_runs runs = {0};
		uint8_t map[MAP_BYTES + 1] = {0};
		uint32_t at = 0;

		for (int i = 0; i < 3; i++) {
			const struct byte_pattern pattern = make_pattern(list);
			paint(map, &pattern);
			byte_runs_add_pattern(&runs, &pattern);
		}
		byte_runs_sort(&runs);
		for (int64_t i = 0, start = -1; i <= MAP_BYTES; i++) {
			if (map[i] && start < 0)
				start = i;
			if (!map[i] && start >= 0) {
				assert_in_range(at, 0, runs.count - 1);
				assert_int_equal(runs.run[at].offset, start);
				assert_int_equal(runs.run[at++].length, i - start);
				start = -1;
			}
		}
		assert_int_equal(at, runs.count);
		assert_false(runs.approximate);
		byte_runs_release(&runs);
	}
}

static void too_many_runs_become_their_hull(void **state)
{
	struct byte_runs runs = {0};

	(void)state;
	for (int64_t i = BYTE_RUNS_MAX + 5; i > 0; i--)
		byte_runs_add(&runs, 10 * i, 3);
	byte_runs_sort(&runs);
	assert_true(runs.approximate);
	assert_int_equal(runs.count, 1);
	assert_int_equal(runs.run[0].offset, 10);
	assert_int_equal(runs.run[0].length, 10 * (BYTE_RUNS_MAX + 4) + 3);
	byte_runs_release(&runs);
}

static void too_many_elements_are_not_compared(void **state)
{
	const struct byte_run gaps[] = {{0, 1}, {5, 1}}, one[] = {{0, 1}};
	const struct byte_pattern interleaved = {.run = gaps,
	                                         .count = 2,
	                                         .stride = 2,
	                                         .times = INT64_C(1) << 40},
				  byte = {.run = one, .count = 1, .start = 3, .times = 1};
	int64_t at;

	(void)state;
	assert_int_equal(byte_patterns_overlap(&interleaved, &byte, &at), BYTES_UNKNOWN);
}

static void columns_of_a_matrix_lie_apart(void **state)
{
	enum { ROWS = 100000, ROW = 4096 };
	const struct byte_run one[] = {{0, 8}};
	struct byte_pattern column = {.run = one, .count = 1, .stride = ROW, .times = ROWS}, next = column;
	int64_t at;

	(void)state;
	next.start = 8;
	assert_int_equal(byte_patterns_overlap(&column, &next, &at), BYTES_APART);
	next.start = (int64_t)ROW * (ROWS - 1) + 7;
	assert_int_equal(byte_patterns_overlap(&column, &next, &at), BYTES_OVERLAP);
	assert_int_equal(at, next.start);
	next.start = (int64_t)ROW * ROWS;
	assert_int_equal(byte_patterns_overlap(&column, &next, &at), BYTES_APART);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(overlap_is_exact_to_the_byte),
		cmocka_unit_test(sorted_runs_are_what_was_added),
		cmocka_unit_test(too_many_runs_become_their_hull),
		cmocka_unit_test(too_many_elements_are_not_compared),
		cmocka_unit_test(columns_of_a_matrix_lie_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
