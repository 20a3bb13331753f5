/* Aggregates over columns, and those of members that compare with mine in some way, against looking at every member
 * for every asker. */
#include "analysis/engine/op_sort.h"
#include "analysis/engine/operator.h"
#include "plain_figure.h"
#include "random_numbers.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 300, MEMBER_WORDS = 2 };

static int64_t compared[ROWS], mine[ROWS], integers[ROWS], reals[ROWS], given[ROWS], results[ROWS];
static uint32_t selection[ROWS];

static int64_t word_of(double real)
{
	int64_t word;

	memcpy(&word, &real, sizeof word);
	return word;
}

static double real_of(int64_t word)
{
	double real;

	memcpy(&real, &word, sizeof real);
	return real;
}

static void invent(struct random_numbers *numbers, bool is_real_compared, int64_t range)
{
	for (uint32_t i = 0; i < ROWS; i++) {
		int64_t x = random_between(numbers, -range, range),
			y = random_between(numbers, -range, range);

		compared[i] = is_real_compared ? word_of((double)x / 8) : x;
		mine[i] = is_real_compared ? word_of((double)y / 8) : y;
		integers[i] = random_between(numbers, -30, 30);
		reals[i] = word_of((double)random_between(numbers, -30, 30) / 4);
		given[i] = 1000 + i;
		selection[i] = random_below(numbers, ROWS);
	}
}

static struct rows random_rows(struct random_numbers *numbers)
{
	struct rows rows = {.selection = random_below(numbers, 3) ? selection : NULL};

	rows.from = random_below(numbers, ROWS);
	rows.to = rows.from + random_below(numbers, ROWS + 1 - rows.from);
	return rows;
}

static uint32_t row_of(struct rows rows, uint32_t i)
{
	return rows.selection ? rows.selection[i] : i;
}

static bool holds(const struct mine_test *test, int64_t x, int64_t y)
{
	double left = test->is_real ? real_of(x) : (double)x;
	double right = test->is_real ? real_of(y) : (double)y;

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

/* Of the members that count for this asker; of all, if there is no test. */
static int64_t plainly(const struct fold *fold, const struct mine_test *test, struct rows members,
                       uint32_t asker)
{
	struct figure figure = {
		.aggregate = fold->aggregate, .is_real = fold->is_real, .filter = NO_WORD, .result = 1};
	int64_t rows[ROWS][MEMBER_WORDS], result;
	uint32_t count = 0;

	for (uint32_t i = members.from; i < members.to; i++) {
		uint32_t row = row_of(members, i);

		if (test && !holds(test, test->members[row], test->mine[asker]))
			continue;
		rows[count][0] = fold->values[row];
		rows[count++][1] = fold->results ? fold->results[row] : row;
	}
	plain_figure(&figure, rows[0], MEMBER_WORDS, count, &result);
	return result;
}

static struct fold random_fold(struct random_numbers *numbers)
{
	struct fold fold = {.aggregate = random_below(numbers, AGGREGATE_DISTINCT + 1)};

	fold.is_real = random_below(numbers, 2);
	fold.values = fold.is_real ? reals : integers;
	fold.results = random_below(numbers, 2) ? given : NULL;
	return fold;
}

static void a_fold_is_the_figure_of_its_rows(void **state)
{
	struct random_numbers numbers = {1};
	struct fold_room room = {0};

	(void)state;
	for (int round = 0; round < 600; round++) {
		struct fold fold = random_fold(&numbers);
		struct rows rows = random_rows(&numbers);

		invent(&numbers, false, 10);
		assert_int_equal(fold_rows(&fold, rows, &room), plainly(&fold, NULL, rows, 0));
	}
	fold_room_release(&room);
}

static void a_prefix_is_the_figure_of_those_that_compare(void **state)
{
	struct random_numbers numbers = {2};
	struct fold_room room = {0};

	(void)state;
	for (int round = 0; round < 400; round++) {
		struct fold fold = random_fold(&numbers);
		struct rows members = random_rows(&numbers), askers = random_rows(&numbers);
		struct mine_test test = {.op = OP_EQUAL + random_below(&numbers, 6)};

		test.is_real = random_below(&numbers, 2);
		test.members = compared;
		test.mine = random_below(&numbers, 2) ? compared : mine;
		askers = random_below(&numbers, 3) ? askers : members;
		invent(&numbers, test.is_real, 1 + random_below(&numbers, 200));
		fold_prefix(&fold, &test, members, askers, &room, results);
		for (uint32_t i = askers.from; i < askers.to; i++)
			assert_int_equal(results[i - askers.from],
			                 plainly(&fold, &test, members, row_of(askers, i)));
	}
	fold_room_release(&room);
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
		assert_true(sort_number_of_real(word_of(reals_in_order[i - 1])) <
		            sort_number_of_real(word_of(reals_in_order[i])));
	for (size_t i = 1; i < sizeof integers_in_order / sizeof *integers_in_order; i++)
		assert_true(sort_number_of_integer(integers_in_order[i - 1]) <
		            sort_number_of_integer(integers_in_order[i]));
	assert_int_equal(sort_number_of_real(word_of(-0.0)), sort_number_of_real(word_of(0.0)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_fold_is_the_figure_of_its_rows),
		cmocka_unit_test(a_prefix_is_the_figure_of_those_that_compare),
		cmocka_unit_test(sorting_keeps_the_order_of_equal_ones),
		cmocka_unit_test(numbers_sort_as_their_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
