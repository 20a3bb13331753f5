/* Hashes of buffers: every byte that belongs to one counts, and no other. */
#include "job/check/buffers/buffer_contents.h"
#include "job/check/buffers/content_hash.h"

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

/* Sender and receiver may divide the same bytes in other ways. */
static void the_same_bytes_have_the_same_hash(void **state)
{
	static uint8_t spread[4000], solid[1000];
	const struct byte_run pieces[] = {{0, 3}, {5, 1}, {9, 4}}, whole[] = {{0, 8}};
	const struct byte_pattern gaps = {.run = pieces,
	                                  .count = 3,
	                                  .start = (int64_t)(uintptr_t)spread,
	                                  .stride = 20,
	                                  .times = 100},
				  none = {.run = whole,
	                                  .count = 1,
	                                  .start = (int64_t)(uintptr_t)solid,
	                                  .stride = 8,
	                                  .times = 100};
	size_t at = 0;

	(void)state;
	for (int i = 0; i < 100; i++)
		for (int j = 0; j < 3; j++)
			for (int k = 0; k < pieces[j].length; k++, at++)
				spread[20 * i + pieces[j].offset + k] = solid[at] = (uint8_t)(at * 7 +
				                                                              at / 256);
	assert_int_equal(at, 800);
	assert_true(byte_pattern_hash(&gaps) == byte_pattern_hash(&none));
	for (int64_t limit = 0; limit <= 800; limit++)
		assert_true(byte_pattern_hash_first(&gaps, limit) == byte_pattern_hash_first(&none, limit));
	assert_true(byte_pattern_hash_first(&gaps, 700) != byte_pattern_hash(&none));
}

/* Short and long runs, of more bytes than are collected at a time. */
static void long_runs_have_the_same_hash(void **state)
{
	enum { BYTES = 8 + 3 + 5000 + 8, ELEMENTS = 5 };
	static uint8_t spread[ELEMENTS][6000], solid[ELEMENTS][BYTES];
	const struct byte_run pieces[] = {{0, 8}, {10, 3}, {20, 5000}, {5100, 8}}, whole[] = {{0, BYTES}};
	const struct byte_pattern gaps = {.run = pieces,
	                                  .count = 4,
	                                  .start = (int64_t)(uintptr_t)spread,
	                                  .stride = sizeof *spread,
	                                  .times = ELEMENTS},
				  none = {.run = whole,
	                                  .count = 1,
	                                  .start = (int64_t)(uintptr_t)solid,
	                                  .stride = BYTES,
	                                  .times = ELEMENTS};

	(void)state;
	for (int i = 0; i < ELEMENTS; i++)
		for (int j = 0, at = 0; j < 4; j++)
			for (int k = 0; k < pieces[j].length; k++, at++)
				spread[i][pieces[j].offset + k] = solid[i][at] = (uint8_t)(at * 7 + i);
	for (int64_t limit = 1; limit <= ELEMENTS * BYTES; limit += 97)
		assert_true(byte_pattern_hash_first(&gaps, limit) == byte_pattern_hash_first(&none, limit));
	assert_true(byte_pattern_hash(&gaps) == byte_pattern_hash(&none));
}

#ifdef __x86_64__
/* Whether the upper halves of vector registers are in use, as far as the processor tells. */
static bool upper_halves_are_used(void)
{
	uint32_t in_use, high;

	__asm__ volatile("xgetbv" : "=a"(in_use), "=d"(high) : "c"(1));
	return in_use & 4;
}

/* The answer exists, and is "no" where they were just cleared; emulators always answer "yes". */
static bool tells_what_is_used(void)
{
	uint32_t a, b, c, d;

	__asm__ volatile("cpuid" : "=a"(a), "=b"(b), "=c"(c), "=d"(d) : "a"(13), "c"(1));
	if (!(a & 4) || !__builtin_cpu_supports("avx"))
		return false;
	__asm__ volatile("vzeroupper");
	return !upper_halves_are_used();
}
#endif

/* Registers that are left half used make the program's own instructions take several times as long. */
static void a_hash_leaves_registers_clean(void **state)
{
	static char data[65536];
	content_hash *hash = content_hash_find();

	(void)state;
	if (!hash)
		skip();
	for (size_t bytes = 1; bytes <= sizeof data; bytes *= 2)
		hash(data, bytes, 7);
#ifdef __x86_64__
	if (!tells_what_is_used())
		skip();
	hash(data, sizeof data, 7);
	assert_false(upper_halves_are_used());
#endif
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_hash_leaves_registers_clean),
		cmocka_unit_test(each_byte_counts_and_no_gap),
		cmocka_unit_test_prestate(each_byte_counts_and_no_gap, (void *)1),
		cmocka_unit_test(the_same_bytes_have_the_same_hash),
		cmocka_unit_test(long_runs_have_the_same_hash),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
