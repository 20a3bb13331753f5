#include "trace/site_list.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { LISTS = 40, LENGTH = 400 };

/* Program p does what others do up to a place of its own. */
static struct site site_of(uint32_t program, uint32_t number)
{
	return (struct site){number < 3 * program ? number : 1000 * program + number, number % 2};
}

static void assert_is(const struct site_list *list, uint32_t program, uint32_t count)
{
	assert_int_equal(list->count, count);
	for (uint32_t i = 0; i < count; i++) {
		assert_int_equal(list->items[i].offset, site_of(program, i).offset);
		assert_int_equal(list->items[i].module, i % 2);
	}
}

static void test_lists_stay_as_they_are(void **state)
{
	struct site_list lists[LISTS] = {{0}};
	struct known_sites known = {0};
	struct arena arena = {0};

	(void)state;
	for (uint32_t round = 0; round < 2; round++) {
		for (uint32_t number = 0; number < LENGTH; number++)
			for (uint32_t i = 0; i < LISTS; i++)
				site_list_add(&arena, &known, &lists[i], site_of(i / 2, number));
		for (uint32_t i = 0; i < LISTS; i++) {
			assert_is(&lists[i], i / 2, LENGTH);
			site_list_clear(&lists[i]);
			assert_is(&lists[i], i / 2, 0);
		}
	}
	for (uint32_t i = 0; i < LISTS; i++)
		site_list_release(&lists[i]);
	arena_release(&arena);
}

static void test_the_same_exists_once(void **state)
{
	struct site_list first = {0}, second = {0}, other = {0};
	struct known_sites known = {0};
	struct arena arena = {0};

	(void)state;
	for (uint32_t number = 0; number < 100; number++) {
		site_list_add(&arena, &known, &first, site_of(5, number));
		site_list_add(&arena, &known, &other, site_of(6, number));
	}
	for (uint32_t number = 0; number < 100; number++)
		site_list_add(&arena, &known, &second, site_of(5, number));
	assert_ptr_equal(second.items, first.items);
	assert_ptr_not_equal(other.items, first.items);
	assert_is(&other, 6, 100);
	assert_null(second.own);
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lists_stay_as_they_are),
		cmocka_unit_test(test_the_same_exists_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
