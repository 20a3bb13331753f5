#include "trace/process.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { CALLS = 1000, OWN = 2 };

/* Calls with the same outline differ in their own values. */
static const struct call *put(struct call_table *table, struct arena *arena, uint32_t number)
{
	static struct outline outlines[3];
	uint64_t room[(sizeof(struct call) + OWN * sizeof(int32_t)) / sizeof(uint64_t) + 1];
	struct call *draft = (struct call *)room;

	draft->outline = &outlines[number % 3];
	draft->own[0] = (int32_t)(number / 2);
	draft->own[1] = (int32_t)(number % 2);
	return call_table_put(table, arena, draft,
	                      sizeof draft->outline + (number % 5 ? OWN : OWN - 1) * sizeof *draft->own);
}

/* With few and many calls: each is found again, also by its id. */
static void test_equal_calls_are_one(void **state)
{
	struct call_table table = {0};
	struct arena arena = {0};
	const struct call *calls[CALLS];

	(void)state;
	for (uint32_t i = 0; i < CALLS; i++) {
		calls[i] = put(&table, &arena, i);
		assert_int_equal(calls[i]->id, i);
		assert_int_equal(table.count, i + 1);
		assert_ptr_equal(put(&table, &arena, i / 2), calls[i / 2]);
	}
	for (uint32_t i = 0; i < CALLS; i++) {
		assert_ptr_equal(put(&table, &arena, i), calls[i]);
		assert_ptr_equal(table.items[i], calls[i]);
	}
	assert_int_equal(table.count, CALLS);
	call_table_release(&table);
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_equal_calls_are_one)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
