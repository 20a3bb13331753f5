/* Groups and runs against their members kept in lists. */
#include "analysis/engine/operator.h"
#include "plain_aggregate.h"
#include "random_numbers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* A tuple: up to two key words, a filter, an integer, a double, the number. */
enum {
	MOST = 250,
	AGGREGATES = 24,
	WIDTH = 6,
	FILTER = 2,
	INTEGER = 3,
	REAL = 4,
	NUMBER = 5,
	RESULT_WORDS = 64
};

static int64_t rows[MOST][WIDTH];
static uint32_t count, keys;
static struct tuple_aggregate aggregates[AGGREGATES];
static uint32_t aggregate_count;

static int64_t results[MOST][RESULT_WORDS], expected[MOST][RESULT_WORDS];
static uint32_t result_count, expected_count;

static uint32_t result_words(void)
{
	return keys + aggregate_count;
}

static void note_result(void *context, const int64_t *result)
{
	assert_ptr_equal(context, results);
	memcpy(results[result_count++], result, result_words() * sizeof *result);
}

static struct tuple_aggregate random_aggregate(struct random_numbers *numbers)
{
	struct tuple_aggregate aggregate = {.aggregate = random_below(numbers, AGGREGATE_DISTINCT + 1)};

	aggregate.is_real = random_below(numbers, 2);
	aggregate.value = aggregate.is_real ? REAL : INTEGER;
	aggregate.filter = random_below(numbers, 2) ? FILTER : NO_WORD;
	aggregate.result = random_below(numbers, WIDTH);
	aggregate.absent.i = random_between(numbers, -2, 0);
	return aggregate;
}

static void invent(struct random_numbers *numbers)
{
	count = random_below(numbers, MOST);
	keys = random_below(numbers, 3);
	for (uint32_t i = 0; i < count; i++) {
		double real = random_below(numbers, 4) ? (double)random_between(numbers, -40, 40) / 4 : NAN;
		bool is_absent = random_below(numbers, 4) == 0;

		rows[i][0] = random_below(numbers, 4);
		rows[i][1] = random_below(numbers, 3);
		rows[i][FILTER] = random_below(numbers, 3) == 0;
		rows[i][INTEGER] = is_absent ? ABSENT : random_between(numbers, -20, 20);
		memcpy(&rows[i][REAL], &real, sizeof real);
		rows[i][NUMBER] = i;
	}
	aggregate_count = random_below(numbers, 8);
	for (uint32_t i = 0; i < aggregate_count; i++)
		aggregates[i] = random_aggregate(numbers);
	result_count = expected_count = 0;
}

static bool has_same_key(uint32_t x, uint32_t y)
{
	return memcmp(rows[x], rows[y], keys * sizeof rows[x][0]) == 0;
}

static void expect(const int64_t *members, uint32_t member_count)
{
	int64_t *result = expected[expected_count++];

	memcpy(result, members, keys * sizeof *result);
	result += keys;
	for (uint32_t i = 0; i < aggregate_count; i++)
		*result++ = plain_aggregate(&aggregates[i], members, WIDTH, member_count);
}

static void assert_as_expected(void)
{
	assert_int_equal(result_count, expected_count);
	for (uint32_t i = 0; i < result_count; i++)
		assert_memory_equal(results[i], expected[i], result_words() * sizeof results[i][0]);
}

static void expect_groups(void)
{
	for (uint32_t first = 0; first < count; first++) {
		int64_t members[MOST][WIDTH];
		uint32_t member_count = 0;
		bool is_first = true;

		for (uint32_t i = 0; i < first; i++)
			is_first &= !has_same_key(i, first);
		for (uint32_t i = first; i < count && is_first; i++)
			if (has_same_key(first, i))
				memcpy(members[member_count++], rows[i], sizeof rows[i]);
		if (is_first)
			expect(members[0], member_count);
	}
}

/* Values of `distinct` do not fit into a state. Sums of these doubles are exact in any order. */
static void invent_without_distinct(struct random_numbers *numbers)
{
	invent(numbers);
	for (uint32_t i = 0; i < aggregate_count; i++)
		if (aggregates[i].aggregate == AGGREGATE_DISTINCT)
			aggregates[i].aggregate = AGGREGATE_COUNT;
}

static void groups_of_parts_of_the_rows_are_combined_in_their_order(void **state)
{
	enum { PARTS = 3 };
	struct random_numbers numbers = {2};

	(void)state;
	for (int round = 0; round < 500; round++) {
		struct groups_plan plan = {.width = WIDTH, .context = results, .put = note_result};
		struct text states[PARTS] = {0};
		struct groups *groups;

		invent_without_distinct(&numbers);
		plan.keys = keys;
		plan.aggregates = aggregates;
		plan.aggregate_count = aggregate_count;
		groups = groups_new(&plan);
		for (uint32_t i = 0; i < PARTS; i++) {
			uint32_t from = count * i / PARTS, to = count * (i + 1) / PARTS;
			groups_add(groups, rows[from], to - from);
			groups_pack(groups, &states[i]);
			assert_int_equal(groups_counts(groups).waiting, 0);
		}
		for (uint32_t i = 0; i < PARTS; i++) {
			struct cursor in = unpack_begin(&states[i]);
			groups_unpack(groups, &in);
			text_release(&states[i]);
		}
		groups_finish(groups);
		expect_groups();
		assert_as_expected();
		assert_int_equal(groups_counts(groups).dropped, 0);
		groups_free(groups);
	}
}

static void groups_have_the_aggregates_of_their_members(void **state)
{
	struct random_numbers numbers = {1};

	(void)state;
	for (int round = 0; round < 500; round++) {
		struct groups_plan plan = {.width = WIDTH, .context = results, .put = note_result};
		struct groups *groups;

		invent(&numbers);
		plan.keys = keys;
		plan.aggregates = aggregates;
		plan.aggregate_count = aggregate_count;
		groups = groups_new(&plan);
		groups_add(groups, rows[0], count / 2);
		groups_add(groups, rows[count / 2], count - count / 2);
		groups_finish(groups);
		expect_groups();
		assert_as_expected();
		assert_int_equal(groups_counts(groups).results, expected_count);
		assert_int_equal(groups_counts(groups).dropped, 0);
		groups_free(groups);
	}
}

static bool goes_on(void *context, const int64_t *previous, const int64_t *current)
{
	(void)context;
	return current[NUMBER] % 7 || current[FILTER] != previous[FILTER];
}

/* The run that begins with row `first`; returns how many it has, and the row after its last one. */
static uint32_t collect_run(uint32_t first, int64_t members[][WIDTH], uint32_t *end)
{
	uint32_t member_count = 0, last = first;

	*end = count;
	for (uint32_t i = first; i < count; i++) {
		if (!has_same_key(first, i))
			continue;
		if (i != first && !goes_on(NULL, rows[last], rows[i])) {
			*end = i;
			break;
		}
		memcpy(members[member_count++], rows[i], sizeof rows[i]);
		last = i;
	}
	return member_count;
}

static bool begins_run(uint32_t row)
{
	for (uint32_t before = row; before-- > 0;)
		if (has_same_key(before, row))
			return !goes_on(NULL, rows[before], rows[row]);
	return true;
}

static bool is_key_of_earlier(uint32_t row)
{
	for (uint32_t before = 0; before < row; before++)
		if (has_same_key(before, row))
			return true;
	return false;
}

/* Runs that end at row `end`; at the end of all, keys in the order of being met. */
static void expect_runs_that_end_at(uint32_t end)
{
	for (uint32_t key = 0; key < count; key++) {
		if (is_key_of_earlier(key))
			continue;
		for (uint32_t first = key; first < count; first++) {
			int64_t members[MOST][WIDTH];
			uint32_t member_count, run_end;

			if (!has_same_key(key, first) || !begins_run(first))
				continue;
			member_count = collect_run(first, members, &run_end);
			if (run_end == end)
				expect(members[0], member_count);
		}
	}
}

static void runs_have_the_aggregates_of_their_members(void **state)
{
	struct random_numbers numbers = {2};

	(void)state;
	for (int round = 0; round < 60; round++) {
		struct groups_plan plan = {
			.width = WIDTH, .context = results, .put = note_result, .continues = goes_on};
		struct groups *runs;

		invent(&numbers);
		count /= 3;
		plan.keys = keys;
		plan.aggregates = aggregates;
		plan.aggregate_count = aggregate_count;
		runs = groups_new(&plan);
		groups_add(runs, rows[0], count);
		groups_finish(runs);
		for (uint32_t end = 1; end <= count; end++)
			expect_runs_that_end_at(end);
		assert_as_expected();
		assert_int_equal(groups_counts(runs).waiting, 0);
		groups_free(runs);
	}
}

static void sums_end_at_the_greatest_integer(void **state)
{
	const struct tuple_aggregate sum = {.aggregate = AGGREGATE_SUM, .filter = NO_WORD};
	struct groups_plan plan = {.width = 1, .aggregates = &sum, .aggregate_count = 1, .context = results};
	const int64_t back[] = {INT64_MAX, INT64_MAX, -INT64_MAX, -5}, beyond[] = {INT64_MAX, 7},
		      below[] = {-INT64_MAX, -7};
	struct groups *groups;

	(void)state;
	plan.put = note_result;
	keys = result_count = 0;
	aggregates[0] = sum;
	aggregate_count = 1;
	groups = groups_new(&plan);
	groups_add(groups, back, 4);
	groups_finish(groups);
	groups_add(groups, beyond, 2);
	groups_finish(groups);
	groups_add(groups, below, 2);
	groups_finish(groups);
	assert_int_equal(results[0][0], INT64_MAX - 5);
	assert_int_equal(results[1][0], INT64_MAX);
	assert_int_equal(results[2][0], -INT64_MAX);
	groups_free(groups);
}

static void bounds_are_kept_and_counted(void **state)
{
	const struct tuple_aggregate distinct = {
		.aggregate = AGGREGATE_DISTINCT, .value = 1, .filter = NO_WORD};
	struct groups_plan plan = {.width = 2, .keys = 1, .aggregates = &distinct, .aggregate_count = 1};
	struct groups *groups;

	(void)state;
	plan.context = results;
	plan.put = note_result;
	plan.words_in_all = 100;
	keys = 1;
	result_count = 0;
	aggregates[0] = distinct;
	aggregate_count = 1;
	groups = groups_new(&plan);
	for (int64_t i = 0; i < 1000; i++)
		groups_add(groups, (const int64_t[]){i < 500 ? 7 : i, i}, 1);
	groups_finish(groups);
	/* A record has four words; a table for 33 values and more would need more than all the room. */
	assert_int_equal(groups_counts(groups).results, 25);
	assert_int_equal(results[0][1], 32);
	assert_int_equal(groups_counts(groups).dropped, (500 - 32) + (500 - 24));
	groups_free(groups);
}

/* Tuples arrive clustered by the second key. */
static void groups_close_when_what_brings_tuples_together_changes(void **state)
{
	static const int64_t given[][3] = {{5, 1, 10}, {6, 1, 20}, {5, 1, 1}, {5, 2, 7},
	                                   {6, 2, 3},  {5, 2, 2},  {6, 3, 9}};
	static const int64_t wanted[][3] = {{5, 1, 11}, {6, 1, 20}, {5, 2, 9}, {6, 2, 3}, {6, 3, 9}};
	static const size_t done[] = {0, 0, 0, 2, 2, 2, 4};
	const struct tuple_aggregate sum = {.aggregate = AGGREGATE_SUM, .value = 2, .filter = NO_WORD};
	struct groups_plan plan = {
		.width = 3, .keys = 2, .aggregates = &sum, .aggregate_count = 1, .together = 2};
	struct groups *groups;

	(void)state;
	plan.context = results;
	plan.put = note_result;
	keys = 2;
	result_count = 0;
	aggregates[0] = sum;
	aggregate_count = 1;
	groups = groups_new(&plan);
	for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
		groups_add(groups, given[i], 1);
		assert_int_equal(result_count, done[i]);
	}
	assert_int_equal(groups_counts(groups).waiting, 1);
	groups_finish(groups);
	assert_int_equal(result_count, 5);
	for (size_t i = 0; i < 5; i++)
		assert_memory_equal(results[i], wanted[i], sizeof wanted[i]);
	groups_free(groups);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(groups_close_when_what_brings_tuples_together_changes),
		cmocka_unit_test(groups_have_the_aggregates_of_their_members),
		cmocka_unit_test(groups_of_parts_of_the_rows_are_combined_in_their_order),
		cmocka_unit_test(runs_have_the_aggregates_of_their_members),
		cmocka_unit_test(sums_end_at_the_greatest_integer),
		cmocka_unit_test(bounds_are_kept_and_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
