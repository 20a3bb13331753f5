#include "base/arena.h"
#include "base/memory.h"

#include <setjmp.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void memory_is_zeroed_and_aligned(void **state)
{
	struct arena arena = {0};

	(void)state;
	for (size_t size = 1; size < 5000; size += 37) {
		unsigned char *bytes = arena_array(&arena, unsigned char, size);
		assert_int_equal((uintptr_t)bytes % alignof(uint64_t), 0);
		for (size_t i = 0; i < size; i++)
			assert_int_equal(bytes[i], 0);
		for (size_t i = 0; i < size; i++)
			bytes[i] = 0xff;
	}
	arena_release(&arena);
	assert_null(arena.newest);
}

static void large_blocks_fit(void **state)
{
	struct arena arena = {0};
	char *large = arena_array(&arena, char, 10 << 20);
	char *small = arena_text(&arena, "behind");

	(void)state;
	large[(10 << 20) - 1] = 1;
	assert_string_equal(small, "behind");
	assert_string_equal(arena_format(&arena, "%d-%s", 3, "x"), "3-x");
	assert_string_equal(arena_bytes_as_text(&arena, "abcdef", 3), "abc");
	arena_release(&arena);
}

/* Of many tables that grow by turns, the last of each is left. */
static void what_was_lent_comes_back(void **state)
{
	struct arena arena = {0};
	unsigned char *tables[5] = {NULL};

	(void)state;
	arena_give_back(&arena, NULL);
	for (size_t size = 1; size < 200; size++) {
		unsigned char *larger = arena_lend(&arena, size, 1);
		assert_int_equal(larger[size - 1], 0);
		larger[size - 1] = (unsigned char)size;
		assert_string_equal(arena_text(&arena, "between"), "between");
		arena_give_back(&arena, tables[size % 5]);
		tables[size % 5] = larger;
	}
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(tables[i][194 + i], 195 + i);
	arena_release(&arena);
}

/* AddressSanitizer would rather stop than refuse. */
const char *__asan_default_options(void);
__attribute__((visibility("default"))) const char *__asan_default_options(void)
{
	return "allocator_may_return_null=1";
}

static jmp_buf refused;

static void leave(size_t wanted)
{
	(void)wanted;
	longjmp(refused, 1);
}

static void impossible_sizes_reach_the_handler(void **state)
{
	struct arena arena = {0};
	volatile bool handled = false;

	(void)state;
	memory_on_exhaustion(leave);
	if (setjmp(refused) == 0)
		(void)arena_alloc(&arena, SIZE_MAX / 2, 16);
	else
		handled = true;
	assert_true(handled);
	memory_on_exhaustion(NULL);
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_is_zeroed_and_aligned),
		cmocka_unit_test(large_blocks_fit),
		cmocka_unit_test(what_was_lent_comes_back),
		cmocka_unit_test(impossible_sizes_reach_the_handler),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
