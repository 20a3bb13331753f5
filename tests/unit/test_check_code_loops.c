/* Loops in the code of this test. */
#include "job/check/buffers/code_loops.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { TIMES = 3 };

static struct interrupted_stack stack;
static volatile int counted;

/* Keeps the addresses of its callers. */
static __attribute__((noinline)) void look(void)
{
	interrupted_stack_take(&stack, (uintptr_t)__builtin_return_address(0));
	counted++;
}

static __attribute__((noinline)) void once(void)
{
	counted = 0;
	look();
	counted++;
}

static __attribute__((noinline)) void after_a_loop(void)
{
	for (counted = 0; counted < TIMES;)
		counted++;
	look();
	if (counted < TIMES)
		look();
	counted++;
}

static __attribute__((noinline)) void in_a_loop(void)
{
	for (counted = 0; counted < TIMES;)
		look();
	counted++;
}

static __attribute__((noinline)) void called_in_a_loop(void)
{
	for (int i = 0; i < TIMES; i++)
		once();
	counted++;
}

/* The first `frames` callers of look(). */
static bool has_loop(void (*function)(void), uint32_t frames)
{
	function();
	assert_true(stack.is_whole);
	assert_in_range(stack.count, frames, INTERRUPTED_DEPTH);
	stack.count = frames;
	return stack_has_loop(&stack);
}

static void loops_are_found(void **state)
{
	(void)state;
	assert_false(has_loop(once, 1));
	assert_false(has_loop(after_a_loop, 1));
	assert_true(has_loop(in_a_loop, 1));
	assert_false(has_loop(once, 1));
}

static void loops_of_callers_count(void **state)
{
	(void)state;
	assert_false(has_loop(called_in_a_loop, 1));
	assert_true(has_loop(called_in_a_loop, 2));
}

static void what_is_not_known_may_be_a_loop(void **state)
{
	(void)state;
	once();
	stack.count = 0;
	assert_true(stack_has_loop(&stack));
	stack.count = 1;
	stack.is_whole = false;
	assert_true(stack_has_loop(&stack));
	stack.is_whole = true;
	stack.addresses[0] = (uintptr_t)&stack;
	assert_true(stack_has_loop(&stack));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loops_are_found),
		cmocka_unit_test(loops_of_callers_count),
		cmocka_unit_test(what_is_not_known_may_be_a_loop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
