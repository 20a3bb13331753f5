/* The certain limits of memory: blocks of the heap, variables, frames, and unknown memory. */
#include "job/check/buffers/heap_blocks.h"
#include "job/check/buffers/memory_extents.h"
#include "job/check/buffers/variable_extents.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

enum { VALUES = 500, HEADER = 33, MAPPED = 1 << 16 };

static int64_t table[VALUES];

static bool __attribute__((noinline)) exceeds(const void *data, size_t bytes)
{
	struct memory_extent extent;
	const uintptr_t first = (uintptr_t)data;

	return memory_is_exceeded(first, first + bytes, __builtin_return_address(0), &extent);
}

/* All data looks like headers of blocks. */
static int64_t *new_values(size_t count)
{
	int64_t *values = malloc(count * sizeof *values);

	for (size_t i = 0; i < count; i++)
		values[i] = HEADER;
	return values;
}

static void blocks(void **state)
{
	struct memory_extent extent;
	int64_t *values = new_values(VALUES), *behind = new_values(VALUES);

	(void)state;
	assert_true(heap_has((uintptr_t)values));
	for (size_t i = 0; i < VALUES; i++) {
		assert_false(exceeds(&values[i], (VALUES - i) * sizeof *values));
		assert_true(heap_block_find((uintptr_t)&values[i], &extent));
		assert_int_equal(extent.owner, OWNER_BLOCK);
		assert_int_equal(extent.first, (uintptr_t)values);
		assert_in_range(extent.end, (uintptr_t)&values[VALUES], (uintptr_t)&values[VALUES] + 15);
	}
	for (size_t i = 0; i < VALUES; i += 7)
		assert_true(exceeds(&values[i], (VALUES - i + 3) * sizeof *values));
	free(values);
	free(behind);
}

static void freed_blocks(void **state)
{
	struct memory_extent extent;
	int64_t *values = new_values(VALUES), *behind = new_values(VALUES);
	const uintptr_t middle = (uintptr_t)(values + VALUES / 2);

	(void)state;
	free(values);
	assert_true(heap_block_find(middle, &extent));
	assert_int_equal(extent.owner, OWNER_NOBODY);
	free(behind);
}

/* A broken chain proves nothing. */
static void broken_chains(void **state)
{
	struct memory_extent extent;
	int64_t *values = new_values(VALUES), kept;

	(void)state;
	kept = values[-1];
	values[-1] = 12345;
	assert_false(heap_block_find((uintptr_t)values, &extent));
	values[-1] = kept;
	assert_true(heap_block_find((uintptr_t)values, &extent));
	free(values);
}

static void variables(void **state)
{
	struct memory_extent extent;

	(void)state;
	assert_true(variable_extent_find((uintptr_t)&table[3], &extent));
	assert_int_equal(extent.first, (uintptr_t)table);
	assert_int_equal(extent.end, (uintptr_t)&table[VALUES]);
	assert_false(exceeds(table, sizeof table));
	assert_false(exceeds(&table[3], sizeof table - sizeof *table * 3));
	assert_true(exceeds(&table[3], sizeof table));
}

static void __attribute__((noinline)) look_from(const char *outer, size_t bytes)
{
	char own[100];

	memset(own, 1, sizeof own);
	assert_false(exceeds(own, sizeof own));
	assert_true(exceeds(own, sizeof own + 5000 + bytes));
	assert_false(exceeds(outer, bytes));
	assert_int_equal(own[99], 1);
}

static void frames(void **state)
{
	char room[5000];

	(void)state;
	memset(room, 0, sizeof room);
	look_from(room, sizeof room);
	assert_int_equal(room[0], 0);
}

static void unknown_memory(void **state)
{
	char *mapped = mmap(NULL, MAPPED, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	(void)state;
	assert_false(exceeds(mapped, MAPPED));
	assert_false(exceeds(mapped, 2 * MAPPED));
	assert_false(exceeds("text", 2));
	munmap(mapped, MAPPED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocks),    cmocka_unit_test(freed_blocks), cmocka_unit_test(broken_chains),
		cmocka_unit_test(variables), cmocka_unit_test(frames),       cmocka_unit_test(unknown_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
