/* The as-of join against one that looks at all pairs when everything is known. */
#include "analysis/engine/operator.h"
#include "random_numbers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 300, WIDTH = 3 };

/* A tuple: key, time, identity. Its number is its place here. */
struct told {
	enum join_side side;
	int64_t key, time, identity;
	uint32_t order; /* of arrival */
};

static struct told told[MOST];
static uint32_t count;
static struct asof_plan plan;
/* The right partner of each left one, or none; by index. */
enum { NONE = -1 };
static int partner[MOST], expected[MOST];

static void note_pair(void *context, const int64_t *left, const int64_t *right)
{
	int *number = &partner[left[3]];

	assert_ptr_equal(context, &plan);
	assert_int_equal(left[0], right[0]);
	assert_int_equal(*number, NONE);
	*number = (int)right[3];
}

static void invent(struct random_numbers *numbers, int64_t keys, int64_t times)
{
	count = random_below(numbers, MOST);
	for (uint32_t i = 0; i < count; i++) {
		told[i] = (struct told){.side = random_below(numbers, 2) ? LEFT : RIGHT,
		                        .key = random_between(numbers, 0, keys),
		                        .time = random_between(numbers, -times, times),
		                        .order = i};
		/* Only an event that takes no time can end before it starts. */
		told[i].identity = told[i].time * 2 + random_below(numbers, 2);
	}
	plan = (struct asof_plan){.widths = {WIDTH + 1, WIDTH + 1}, .keys = 1, .times = {1, 1}};
	plan.kind = random_below(numbers, 2) ? ASOF_LAST_BEFORE : ASOF_FIRST_AFTER;
	plan.is_shared = random_below(numbers, 2);
	plan.identity[LEFT] = plan.identity[RIGHT] = random_below(numbers, 2) ? 2 : NO_WORD;
	plan.context = &plan;
	plan.put = note_pair;
}

static void tell(struct asof *asof, uint32_t i)
{
	int64_t words[WIDTH + 1] = {told[i].key, told[i].time, told[i].identity, i};

	asof_add(asof, told[i].side, words, 1);
}

/* Whether right one x is to be preferred to y, both allowed. */
static bool is_preferred(int x, int y)
{
	if (plan.kind == ASOF_LAST_BEFORE)
		return told[x].time > told[y].time || (told[x].time == told[y].time && x > y);
	return told[x].time < told[y].time || (told[x].time == told[y].time && x < y);
}

static bool is_allowed(uint32_t left, uint32_t right)
{
	if (told[right].side != RIGHT || told[right].key != told[left].key)
		return false;
	if (plan.identity[LEFT] != NO_WORD && told[right].identity == told[left].identity)
		return false;
	return plan.kind == ASOF_LAST_BEFORE ? told[right].time <= told[left].time
	                                     : told[right].time >= told[left].time;
}

static bool is_nearer(uint32_t x, uint32_t y)
{
	if (plan.kind == ASOF_LAST_BEFORE)
		return told[x].time < told[y].time || (told[x].time == told[y].time && x < y);
	return told[x].time > told[y].time || (told[x].time == told[y].time && x > y);
}

static bool has_nearer_rival(uint32_t left, const int *chosen)
{
	for (uint32_t i = 0; i < count; i++)
		if (i != left && chosen[i] == chosen[left] && is_nearer(i, left))
			return true;
	return false;
}

static void look_at_all_pairs(void)
{
	int chosen[MOST];

	for (uint32_t left = 0; left < count; left++) {
		chosen[left] = NONE;
		for (uint32_t right = 0; right < count && told[left].side == LEFT; right++)
			if (is_allowed(left, right) &&
			    (chosen[left] == NONE || is_preferred((int)right, chosen[left])))
				chosen[left] = (int)right;
	}
	for (uint32_t left = 0; left < count; left++) {
		bool is_served = chosen[left] != NONE && (plan.is_shared || !has_nearer_rival(left, chosen));
		expected[left] = is_served ? chosen[left] : NONE;
		partner[left] = NONE;
	}
}

static void assert_as_expected(struct asof *asof)
{
	asof_finish(asof);
	assert_memory_equal(partner, expected, count * sizeof *partner);
	assert_int_equal(asof_counts(asof).waiting, 0);
	asof_free(asof);
}

static void any_order_of_time(void **state)
{
	struct random_numbers numbers = {1};

	(void)state;
	for (int round = 0; round < 300; round++) {
		struct asof *asof;

		invent(&numbers, random_below(&numbers, 5), 1 + random_below(&numbers, 500));
		look_at_all_pairs();
		asof = asof_new(&plan);
		for (uint32_t i = 0; i < count; i++)
			tell(asof, i);
		assert_as_expected(asof);
	}
}

static int by_time(const void *one, const void *other)
{
	const struct told *x = one, *y = other;

	return x->time < y->time ? -1 : x->time > y->time ? 1 : x->order < y->order ? -1 : 1;
}

/* Puts each in another place, not more than `most` away. */
static void disturb(struct random_numbers *numbers, uint32_t most)
{
	for (uint32_t i = 0; most && i + most < count; i += most + 1) {
		uint32_t other = i + random_below(numbers, most + 1);
		struct told swap = told[i];
		told[i] = told[other];
		told[other] = swap;
	}
}

static void a_promised_order_changes_nothing_but_memory(void **state)
{
	struct random_numbers numbers = {3};

	(void)state;
	for (int round = 0; round < 200; round++) {
		struct asof *asof;

		invent(&numbers, random_below(&numbers, 3), 1 + random_below(&numbers, 500));
		plan.lateness = 1 + random_below(&numbers, 6);
		qsort(told, count, sizeof *told, by_time);
		disturb(&numbers, plan.lateness - 1);
		look_at_all_pairs();
		asof = asof_new(&plan);
		for (uint32_t i = 0; i < count; i++)
			tell(asof, i);
		assert_as_expected(asof);
	}
}

/* As long as none is late, bounds and broken promises do no harm. */
static void what_comes_late_is_counted(void **state)
{
	struct random_numbers numbers = {4};
	uint32_t fine = 0, wrong = 0;

	(void)state;
	for (int round = 0; round < 600; round++) {
		struct asof *asof;

		invent(&numbers, random_below(&numbers, 2), 1000);
		plan.per_key = 16 + random_below(&numbers, 64);
		plan.lateness = random_below(&numbers, 4);
		qsort(told, count, sizeof *told, by_time);
		disturb(&numbers, random_below(&numbers, 20));
		look_at_all_pairs();
		asof = asof_new(&plan);
		for (uint32_t i = 0; i < count; i++) {
			tell(asof, i);
			assert_true(asof_counts(asof).waiting <= 2 * (plan.per_key + 1));
		}
		if (asof_counts(asof).early) {
			asof_free(asof);
			wrong++;
			continue;
		}
		fine += count > 100;
		assert_as_expected(asof);
	}
	assert_true(fine > 50);
	assert_true(wrong > 50);
}

/* With almost no room, the output is still correct for the input. */
static void a_bound_of_all_is_kept(void **state)
{
	struct random_numbers numbers = {5};

	(void)state;
	for (int round = 0; round < 300; round++) {
		struct asof *asof;

		invent(&numbers, 50, 1000);
		plan.words_in_all = 200;
		look_at_all_pairs();
		asof = asof_new(&plan);
		for (uint32_t i = 0; i < count; i++) {
			tell(asof, i);
			assert_true(asof_counts(asof).waiting <= 200 / (WIDTH + 1));
		}
		asof_finish(asof);
		for (uint32_t i = 0; i < count; i++)
			assert_true(partner[i] == NONE || is_allowed(i, (uint32_t)partner[i]));
		asof_free(asof);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_order_of_time),
		cmocka_unit_test(a_promised_order_changes_nothing_but_memory),
		cmocka_unit_test(what_comes_late_is_counted),
		cmocka_unit_test(a_bound_of_all_is_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
