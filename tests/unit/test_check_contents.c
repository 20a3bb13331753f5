/* Hashes of buffers: every byte that belongs to one counts, and no other. */
#include "job/check/buffer_contents.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void each_byte_counts_and_no_gap(void **state)
{
	static uint8_t memory[600], belongs[600];
	const struct byte_run list[] = {{0, 3}, {5, 8}, {20, 1}, {0, 500}};
	const struct byte_pattern patterns[] = {
		{.run = list, .count = 3, .stride = 40, .times = 9},
		{.run = list, .count = 1, .stride = 3, .times = 150}, /* without gaps */
		{.run = list, .count = 3, .stride = 30, .times = 1},
		{.run = list + 3, .count = 1, .stride = 500, .times = 1},
	};

	if (*state)
		buffer_contents_init(); /* from now on by the best way that this processor has */
	for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++) {
		struct byte_pattern pattern = patterns[p];
		uint64_t before;

		pattern.start = (int64_t)(uintptr_t)memory + 10;
		memset(belongs, 0, sizeof belongs);
		for (int64_t i = 0; i < pattern.times; i++)
			for (uint32_t j = 0; j < pattern.count; j++)
				memset(belongs + 10 + i * pattern.stride + pattern.run[j].offset, 1,
				       (size_t)pattern.run[j].length);
		before = byte_pattern_hash(&pattern);
		for (size_t i = 0; i < sizeof memory; i++) {
			memory[i] ^= 1;
			assert_int_equal(byte_pattern_hash(&pattern) != before, belongs[i]);
			memory[i] ^= 1;
		}
		assert_true(byte_pattern_hash(&pattern) == before);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_byte_counts_and_no_gap),
		cmocka_unit_test_prestate(each_byte_counts_and_no_gap, (void *)1),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
