#include "base/array.h"
#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

struct flow {
	int from, to;
	uint64_t bytes;
};

static jmp_buf before;

static void on_exhaustion(size_t wanted)
{
	(void)wanted;
	longjmp(before, 1);
}

static void items_are_added(void **state)
{
	ARRAY(struct flow) flows = {0};

	(void)state;
	for (int i = 0; i < 1000; i++)
		array_add(&flows, (struct flow){.from = i, .to = i + 1});
	assert_int_equal(flows.count, 1000);
	assert_true(flows.room >= 1000 && flows.room <= 2000);
	for (int i = 0; i < 1000; i++)
		assert_true(flows.items[i].from == i && flows.items[i].to == i + 1);
	flows.count--;
	array_new_item(&flows)->from = 5;
	assert_true(flows.items[999].from == 5 && flows.items[999].to == 0);
	array_release(&flows);
	assert_true(!flows.items && !flows.count && !flows.room);
}

/* The item is read before the array grows. */
static void an_item_of_its_own_is_added(void **state)
{
	ARRAY(int) list = {0};

	(void)state;
	array_add(&list, 7);
	for (int i = 0; i < 100; i++)
		array_add(&list, list.items[0]);
	assert_int_equal(list.items[100], 7);
	array_release(&list);
}

static void numbers_are_places(void **state)
{
	ARRAY(uint64_t) counts = {0};

	(void)state;
	array_extend(&counts, 1)->items[0] = UINT64_MAX;
	array_extend(&counts, 500)->items[499]++;
	assert_int_equal(counts.count, 500);
	for (size_t i = 1; i < 499; i++)
		assert_int_equal(counts.items[i], 0);
	array_extend(&counts, 3);
	assert_int_equal(counts.count, 500);
	assert_int_equal(counts.items[499], 1);
	array_release(&counts);
}

static void room_is_reserved(void **state)
{
	ARRAY(int) list = {0};
	const int *items;

	(void)state;
	items = array_reserve(&list, 100)->items;
	for (int i = 0; i < 100; i++)
		array_add(&list, i);
	assert_ptr_equal(items, list.items);
	assert_int_equal(list.room, 100);
	array_release(&list);
}

struct small_list {
	int *items;
	uint8_t count, room;
};

static void a_small_count_bounds_it(void **state)
{
	struct small_list list = {0};

	(void)state;
	for (int i = 0; i < UINT8_MAX; i++)
		array_add(&list, i);
	assert_int_equal(list.room, UINT8_MAX);
	assert_int_equal(list.count, UINT8_MAX);
	assert_int_equal(list.items[254], 254);
	memory_on_exhaustion(on_exhaustion);
	if (setjmp(before) == 0) {
		array_add(&list, 0);
		fail();
	}
	array_release(&list);
}

static void an_arena_has_some(void **state)
{
	struct arena arena = {0};
	ARRAY(const char *) names = {0};

	(void)state;
	for (int i = 0; i < 100; i++)
		array_add_in(&arena, &names, arena_format(&arena, "%d", i));
	assert_int_equal(names.count, 100);
	assert_string_equal(names.items[0], "0");
	assert_string_equal(names.items[99], "99");
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(items_are_added),         cmocka_unit_test(an_item_of_its_own_is_added),
		cmocka_unit_test(numbers_are_places),      cmocka_unit_test(room_is_reserved),
		cmocka_unit_test(a_small_count_bounds_it), cmocka_unit_test(an_arena_has_some),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
