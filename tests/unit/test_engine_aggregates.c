/* Aggregates over rows of columns, and those of members that compare with mine in some way, against looking at every member
 * for every group or asker. */
#include "analysis/engine/aggregate.h"
#include "base/sort_items.h"
#include "plain_aggregate.h"
#include "random_numbers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 300, MEMBER_WORDS = 2 };

static union word compared[ROWS], mine[ROWS], integers[ROWS], reals[ROWS], results[ROWS];
static uint32_t selection[ROWS], group_of[ROWS];

/* One in eight is absent. */
static union word random_value(struct random_numbers *numbers, bool is_real, int64_t range)
{
	double number = (double)random_between(numbers, -range, range) / 8;

	if (random_below(numbers, 8) == 0)
		return is_real ? (union word){.r = NAN} : (union word){.i = ABSENT};
	return is_real ? (union word){.r = random_below(numbers, 20) ? number : -0.0}
	               : (union word){.i = (int64_t)number};
}

static void invent(struct random_numbers *numbers, bool is_real_compared, int64_t range)
{
	for (uint32_t i = 0; i < ROWS; i++) {
		compared[i] = random_value(numbers, is_real_compared, range);
		mine[i] = random_value(numbers, is_real_compared, range);
		integers[i] = random_value(numbers, false, 200);
		reals[i] = random_value(numbers, true, 30);
		group_of[i] = i ? group_of[i - 1] + (random_below(numbers, 4) == 0) : 0;
		selection[i] = i ? selection[i - 1] + 1 + random_below(numbers, 2) : 0;
	}
}

/* In the first half: there a selection is of rows that there are. */
static struct rows random_rows(struct random_numbers *numbers)
{
	struct rows rows = {.selection = random_below(numbers, 3) ? selection : NULL};

	rows.from = random_below(numbers, ROWS / 2);
	rows.to = rows.from + random_below(numbers, ROWS / 2 + 1 - rows.from);
	return rows;
}

static uint32_t row_of(struct rows rows, uint32_t i)
{
	return rows.selection ? rows.selection[i] : i;
}

static bool holds(const struct compared_aggregate *test, union word x, union word y)
{
	double left = test->compares_real ? x.r : (double)x.i;
	double right = test->compares_real ? y.r : (double)y.i;

	switch (test->op) {
	case OP_LESS:
		return left < right;
	case OP_LESS_EQUAL:
		return left <= right;
	case OP_GREATER:
		return left > right;
	case OP_GREATER_EQUAL:
		return left >= right;
	case OP_EQUAL:
		return left == right;
	default:
		return left != right;
	}
}

struct members {
	int64_t tuples[ROWS][MEMBER_WORDS];
	uint32_t count;
};

static void add_member(struct members *members, const union word *values, uint32_t row)
{
	members->tuples[members->count][0] = values[row].i;
	members->tuples[members->count++][1] = row;
}

static int64_t plainly(enum aggregate aggregate, bool is_real, const struct members *members)
{
	return plain_aggregate(&(struct tuple_aggregate){.aggregate = aggregate,
	                                                 .is_real = is_real,
	                                                 .filter = NO_WORD,
	                                                 .result = 1,
	                                                 .absent = {.i = -1}},
	                       members->tuples[0], MEMBER_WORDS, members->count);
}

/* All not-a-numbers are one. */
static void assert_same(bool is_real, int64_t result, int64_t expected)
{
	if (!is_real || !isnan(real_of_word(expected)))
		assert_int_equal(result, expected);
	else
		assert_true(isnan(real_of_word(result)));
}

static void groups_of_rows_have_the_aggregates_of_their_members(void **state)
{
	struct random_numbers numbers = {1};

	(void)state;
	for (int round = 0; round < 1000; round++) {
		enum aggregate aggregate = random_below(&numbers, AGGREGATE_DISTINCT + 1);
		bool is_real = random_below(&numbers, 2), uses_list = random_below(&numbers, 2);
		struct rows rows = {.selection = uses_list ? selection : NULL,
		                    .to = random_below(&numbers, ROWS / 2)};
		const union word *values = is_real ? reals : integers;

		invent(&numbers, false, 10);
		for (uint32_t group = 0; group < ROWS; group++)
			results[group] = aggregate_of_none(aggregate, is_real);
		aggregate_block(&(struct aggregate_block){.aggregate = aggregate,
		                                          .is_real = is_real,
		                                          .values = values,
		                                          .rows = rows.selection,
		                                          .count = rows.to,
		                                          .group_of = group_of,
		                                          .out = results});
		for (uint32_t group = 0; group <= group_of[ROWS - 1]; group++) {
			struct members members = {.count = 0};
			for (uint32_t i = 0; i < rows.to; i++)
				if (group_of[row_of(rows, i)] == group)
					add_member(&members, values, row_of(rows, i));
			assert_same(aggregate_gives_real(aggregate, is_real), results[group].i,
			            plainly(aggregate, is_real, &members));
		}
	}
}

static void compared_members_have_the_aggregate_of_those_that_compare(void **state)
{
	struct random_numbers numbers = {2};
	struct scratch scratch = {0};

	(void)state;
	for (int round = 0; round < 400; round++) {
		struct compared_aggregate plan = {.aggregate = random_below(&numbers, AGGREGATE_DISTINCT + 1),
		                                  .op = OP_EQUAL + random_below(&numbers, 6)};
		struct rows members = random_rows(&numbers), askers = random_rows(&numbers);

		plan.is_real = random_below(&numbers, 2);
		plan.values = plan.is_real ? reals : integers;
		plan.compares_real = random_below(&numbers, 2);
		plan.theirs = compared;
		plan.mine = random_below(&numbers, 2) ? compared : mine;
		askers = random_below(&numbers, 3) ? askers : members;
		invent(&numbers, plan.compares_real, 1 + random_below(&numbers, 200));
		aggregate_compared(&plan, members, askers, &scratch, results);
		for (uint32_t i = askers.from; i < askers.to; i++) {
			struct members count_for = {.count = 0};
			for (uint32_t k = members.from; k < members.to; k++)
				if (holds(&plan, compared[row_of(members, k)], plan.mine[row_of(askers, i)]))
					add_member(&count_for, plan.values, row_of(members, k));
			assert_same(aggregate_gives_real(plan.aggregate, plan.is_real),
			            results[row_of(askers, i)].i,
			            plainly(plan.aggregate, plan.is_real, &count_for));
		}
	}
	scratch_release(&scratch);
}

/* What issue 14 found: 9 in a block, absent in a group that closes at the end. */
static void absent_values_are_skipped(void **state)
{
	const union word values[] = {{.i = 5}, {.i = ABSENT}, {.i = 9}}, none[] = {{.i = ABSENT}};
	const uint32_t one_group[] = {0, 0, 0};
	static const int64_t expected[] = {
		[AGGREGATE_MIN] = 5,   [AGGREGATE_MAX] = 9,    [AGGREGATE_SUM] = 14,
		[AGGREGATE_COUNT] = 3, [AGGREGATE_ARGMIN] = 0, [AGGREGATE_ARGMAX] = 2,
		[AGGREGATE_FIRST] = 0, [AGGREGATE_LAST] = 2,   [AGGREGATE_DISTINCT] = 2};
	static const int64_t of_none[] = {
		[AGGREGATE_MIN] = ABSENT, [AGGREGATE_MAX] = ABSENT, [AGGREGATE_SUM] = 0,
		[AGGREGATE_COUNT] = 1,    [AGGREGATE_ARGMIN] = -1,  [AGGREGATE_ARGMAX] = -1,
		[AGGREGATE_FIRST] = 0,    [AGGREGATE_LAST] = 0,     [AGGREGATE_DISTINCT] = 0};
	union word out;

	(void)state;
	for (enum aggregate aggregate = AGGREGATE_MIN; aggregate <= AGGREGATE_DISTINCT; aggregate++) {
		struct aggregate_block block = {.aggregate = aggregate, .values = values, .count = 3};

		block.group_of = one_group;
		block.out = &out;
		aggregate_block(&block);
		if (aggregate == AGGREGATE_MEAN)
			assert_true(out.r == 7);
		else
			assert_int_equal(out.i, expected[aggregate]);
		block.values = none;
		block.count = 1;
		aggregate_block(&block);
		if (aggregate == AGGREGATE_MEAN)
			assert_true(isnan(out.r));
		else
			assert_int_equal(out.i, of_none[aggregate]);
	}
}

static void sorting_keeps_the_order_of_equal_ones(void **state)
{
	enum { MANY = 5000 };
	static struct sort_item items[MANY], spare[MANY];
	struct random_numbers numbers = {3};

	(void)state;
	for (unsigned bits = 1; bits < 32; bits += 3) {
		uint32_t count = random_below(&numbers, MANY);

		for (uint32_t i = 0; i < count; i++) {
			uint64_t high = bits > 20 ? (uint64_t)random_below(&numbers, 9) << 60 : 0;
			items[i] = (struct sort_item){high + random_below(&numbers, 1u << bits), i};
		}
		sort_items(items, spare, count);
		for (uint32_t i = 1; i < count; i++)
			assert_true(items[i - 1].number < items[i].number ||
			            (items[i - 1].number == items[i].number &&
			             items[i - 1].what < items[i].what));
	}
}

static void numbers_sort_as_their_values(void **state)
{
	const double reals_in_order[] = {-INFINITY, -1e300, -2, -0.5, 0, 1e-300, 3, INFINITY, NAN};
	const int64_t integers_in_order[] = {INT64_MIN, -1, 0, 1, INT64_MAX};

	(void)state;
	for (size_t i = 1; i < sizeof reals_in_order / sizeof *reals_in_order; i++)
		assert_true(sort_number_of_real(word_of_real(reals_in_order[i - 1])) <
		            sort_number_of_real(word_of_real(reals_in_order[i])));
	for (size_t i = 1; i < sizeof integers_in_order / sizeof *integers_in_order; i++)
		assert_true(sort_number_of_integer(integers_in_order[i - 1]) <
		            sort_number_of_integer(integers_in_order[i]));
	assert_int_equal(sort_number_of_real(word_of_real(-0.0)), sort_number_of_real(word_of_real(0.0)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(groups_of_rows_have_the_aggregates_of_their_members),
		cmocka_unit_test(compared_members_have_the_aggregate_of_those_that_compare),
		cmocka_unit_test(absent_values_are_skipped),
		cmocka_unit_test(sorting_keeps_the_order_of_equal_ones),
		cmocka_unit_test(numbers_sort_as_their_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
