/* Intervals of bytes against a plain list, with random additions, removals and questions. */
#include "check/execution/byte_intervals.h"
#include "random_numbers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { ROOM = 400, RANGE = 1000, ROUNDS = 20000 };

struct plain_interval {
	int64_t first, end;
	bool is_used;
};

static struct plain_interval plain[ROOM];

struct visited_intervals {
	struct interval *found[ROOM];
	size_t count, stop_after;
};

static bool visit(struct interval *interval, void *owner)
{
	struct visited_intervals *visited = owner;

	visited->found[visited->count++] = interval;
	return visited->count != visited->stop_after;
}

static void check_question(const struct byte_intervals *set, int64_t first, int64_t end)
{
	struct visited_intervals visited = {0};
	size_t expected = 0;

	assert_true(interval_tree_visit(&set->tree, first, end, visit, &visited));
	for (size_t i = 0; i < ROOM; i++)
		expected += plain[i].is_used && plain[i].first < end && plain[i].end > first;
	assert_int_equal(visited.count, expected);
	for (size_t i = 0; i < visited.count; i++) {
		const struct plain_interval *one = visited.found[i]->value;

		assert_true(one->is_used && one->first < end && one->end > first);
		assert_int_equal(one->first, visited.found[i]->first);
		assert_true(i == 0 || visited.found[i - 1]->first <= visited.found[i]->first);
	}
}

static void remove_plain(struct byte_intervals *set, struct plain_interval *one)
{
	struct visited_intervals visited = {0};

	interval_tree_visit(&set->tree, one->first, one->end, visit, &visited);
	for (size_t i = 0; i < visited.count; i++)
		if (visited.found[i]->value == one) {
			byte_intervals_remove(set, visited.found[i]);
			one->is_used = false;
			return;
		}
	fail();
}

static void count_released(void *owner, void *value)
{
	(void)value;
	++*(size_t *)owner;
}

static void like_a_list(void **state)
{
	struct byte_intervals set = {0};
	struct random_numbers seed = {17};
	size_t released = 0, used = 0;

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		struct plain_interval *one = &plain[random_below(&seed, ROOM)];
		const int64_t first = (int64_t)random_below(&seed, RANGE);

		if (one->is_used) {
			remove_plain(&set, one);
			continue;
		}
		*one = (struct plain_interval){
			.first = first, .end = first + 1 + (int64_t)random_below(&seed, 30), .is_used = true};
		byte_intervals_add(&set, one->first, one->end, one);
		check_question(&set, first, first + (int64_t)random_below(&seed, 50));
	}
	for (size_t i = 0; i < ROOM; i++)
		used += plain[i].is_used;
	assert_int_equal(set.count, used);
	byte_intervals_clear(&set, count_released, &released);
	assert_int_equal(released, used);
	assert_null(set.tree.root);
}

/* Ten times as many, in ascending order, as programs do it. */
static void ascending(void **state)
{
	struct byte_intervals set = {0};
	struct visited_intervals visited = {.stop_after = 1};
	size_t released = 0;

	(void)state;
	for (int64_t i = 0; i < 100000; i++)
		byte_intervals_add(&set, 8 * i, 8 * i + 8, &set);
	assert_true(interval_tree_visit(&set.tree, 800000, 800008, visit, &visited));
	assert_false(interval_tree_visit(&set.tree, 4, 12, visit, &visited));
	assert_int_equal(visited.found[0]->first, 0);
	byte_intervals_clear(&set, count_released, &released);
	assert_int_equal(released, 100000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(like_a_list), cmocka_unit_test(ascending)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
