#include "analysis/engine/graph.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { ROWS = 100 };

static struct graph *graph;
static struct space *space;
static struct node *numbers;
static union word column[ROWS];

static int set_up(void **state)
{
	(void)state;
	graph = graph_new();
	space = space_new(graph, "rows");
	numbers = node_column(space, 0, false);
	for (int i = 0; i < ROWS; i++)
		column[i].i = i;
	numbers->column = column;
	space_begin(space, ROWS);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	graph_free(graph);
	return 0;
}

static struct node *two(enum vector vector, struct node *a, struct node *b)
{
	return node_vector(graph, vector, (struct node *[]){a, b});
}

static void equal_nodes_are_one(void **state)
{
	struct node *five = node_whole(graph, 5);

	(void)state;
	assert_ptr_equal(two(VECTOR_ADD, numbers, five), two(VECTOR_ADD, numbers, node_whole(graph, 5)));
	assert_ptr_not_equal(two(VECTOR_ADD, numbers, five), two(VECTOR_ADD, five, numbers));
}

static void constants_are_folded(void **state)
{
	struct node *sum = two(VECTOR_ADD, node_whole(graph, 2), node_whole(graph, 3));
	struct node *partition = two(VECTOR_REAL_DIVIDE, sum, node_whole(graph, 2));

	(void)state;
	assert_true(is_constant(sum));
	assert_int_equal(sum->value.i, 5);
	assert_true(partition->is_real);
	assert_true(partition->value.r == 2.5);
}

/* Few rows are calculated alone; when others are asked for in the same block, they are right too. */
static void any_rows_are_right(void **state)
{
	struct node *squares = two(VECTOR_MULTIPLY, numbers, numbers);
	struct row_selection few = {0}, more = {0};

	(void)state;
	selection_begin(&few, &space->all);
	selection_filter(&few, two(VECTOR_LESS, numbers, node_whole(graph, 3)));
	assert_int_equal(few.count, 3);
	assert_int_equal(node_values(squares, &few)[2].i, 4);
	selection_begin(&more, &space->all);
	selection_filter(&more, two(VECTOR_LESS, node_whole(graph, 90), numbers));
	assert_int_equal(more.count, 9);
	for (uint32_t k = 0; k < more.count; k++) {
		uint32_t row = selection_row(&more, k);
		assert_int_equal(node_values(squares, &more)[row].i, row * row);
	}
	assert_int_equal(node_values(squares, &space->all)[50].i, 2500);
	selection_release(&few);
	selection_release(&more);
}

/* One row after the other in the same block. */
static uint32_t chosen_by(struct node *condition)
{
	struct row_selection chosen = {0};
	uint32_t count;

	selection_begin(&chosen, &space->all);
	selection_filter(&chosen, condition);
	count = chosen.count;
	selection_release(&chosen);
	return count;
}

/* However a condition is asked, and whether all rows meet it, some or none. */
static void rows_are_chosen(void **state)
{
	struct node *never = two(VECTOR_LESS, numbers, node_whole(graph, 0));
	struct node *always = two(VECTOR_LESS_EQUAL, node_whole(graph, 0), numbers);
	struct node *small = two(VECTOR_LESS, numbers, node_whole(graph, 30));
	struct node *odd = two(VECTOR_BIT, numbers, node_whole(graph, 0));

	(void)state;
	assert_int_equal(chosen_by(two(VECTOR_OR, never, small)), 30);
	assert_int_equal(chosen_by(two(VECTOR_OR, always, small)), ROWS);
	assert_int_equal(chosen_by(two(VECTOR_OR, small, odd)), 65);
	assert_int_equal(chosen_by(two(VECTOR_AND, small, odd)), 15);
	assert_int_equal(chosen_by(two(VECTOR_AND, never, odd)), 0);
	assert_int_equal(chosen_by(odd), ROWS / 2);
	assert_int_equal(chosen_by(two(VECTOR_BIT, numbers, node_whole(graph, 20))), 0);
	assert_int_equal(chosen_by(two(VECTOR_EQUAL, numbers, node_whole(graph, 200))), 0);
	assert_int_equal(chosen_by(two(VECTOR_UNEQUAL, numbers, node_whole(graph, 200))), ROWS);
}

static void rows_are_chosen_by_bits(void **state)
{
	struct row_selection few = {0}, all = {0}, none = {0};

	(void)state;
	selection_begin(&few, &space->all);
	selection_filter_bits(&few, numbers, 3);
	assert_int_equal(few.count, ROWS / 4);
	selection_begin(&none, &space->all);
	selection_filter_bits(&none, numbers, 256);
	assert_int_equal(none.count, 0);
	assert_non_null(none.rows);
	selection_begin(&all, &space->all);
	selection_filter_bits(&all, numbers, 0);
	assert_int_equal(all.count, ROWS);
	assert_null(all.rows);
	selection_release(&few);
	selection_release(&none);
}

static void a_new_block_is_calculated_anew(void **state)
{
	struct node *doubled = two(VECTOR_ADD, numbers, numbers);

	(void)state;
	assert_int_equal(node_values(doubled, &space->all)[7].i, 14);
	column[7].i = 70;
	space_begin(space, ROWS);
	assert_int_equal(node_values(doubled, &space->all)[7].i, 140);
}

static void expect_all(struct node *node, const struct row_selection *rows, int64_t value)
{
	const union word *values = node_values(node, rows);

	for (uint32_t k = 0; k < rows->count; k++)
		assert_int_equal(values[selection_row(rows, k)].i, value);
}

/* All numbers are less than 128, and from 64 on all have that bit: what that decides is right, and never calculated. */
static void what_is_the_same_everywhere_decides(void **state)
{
	struct node *small = two(VECTOR_LESS, numbers, node_whole(graph, 10));
	struct node *huge = two(VECTOR_BIT, numbers, node_whole(graph, 7));
	struct node *large = two(VECTOR_BIT, two(VECTOR_ADD, numbers, node_whole(graph, 0)),
	                         node_whole(graph, 6));
	struct node *not_huge = node_vector(graph, VECTOR_NOT, &huge);
	struct node *either = two(VECTOR_OR, two(VECTOR_AND, small, huge), large);
	struct node *choice = node_vector(graph, VECTOR_CHOOSE, (struct node *[]){either, not_huge, numbers});
	struct row_selection ends = {0};

	(void)state;
	selection_begin(&ends, &space->all);
	selection_filter(&ends, two(VECTOR_LESS, node_whole(graph, 70), numbers));
	expect_all(huge, &space->all, 0);
	expect_all(not_huge, &space->all, 1);
	expect_all(choice, &ends, 1);
	assert_int_not_equal(small->stamp, space->stamp);
	assert_int_not_equal(choice->stamp, space->stamp);
	assert_int_equal(node_values(choice, &space->all)[63].i, 63);
	assert_int_equal(node_values(choice, &space->all)[64].i, 1);
	selection_release(&ends);
}

/* In the next block it may be different; and a 2 is neither true nor false. */
static void what_decides_is_asked_of_each_block(void **state)
{
	struct node *huge = two(VECTOR_BIT, numbers, node_whole(graph, 7));
	struct node *small = two(VECTOR_LESS, numbers, node_whole(graph, 10));
	struct node *no_truth = two(VECTOR_OR, two(VECTOR_BIT, numbers, node_whole(graph, 0)), numbers);

	(void)state;
	assert_int_equal(chosen_by(two(VECTOR_OR, huge, small)), 10);
	column[50].i = 129;
	space_begin(space, ROWS);
	assert_int_equal(chosen_by(two(VECTOR_OR, huge, small)), 11);
	assert_int_equal(node_values(no_truth, &space->all)[2].i, 2);
	for (int i = 0; i < ROWS; i++)
		column[i].i = 3;
	space_begin(space, ROWS);
	assert_int_equal(node_values(no_truth, &space->all)[2].i, 3);
}

/* Values of a group are broadcast to its members where both are used. */
static void groups_meet_their_members(void **state)
{
	struct space *groups = space_new(graph, "groups");
	struct node *of_group = node_column(groups, 0, false), *sum;
	union word group_lane[10];
	uint32_t group_of[ROWS];

	(void)state;
	groups->members = space;
	groups->group_of = group_of;
	for (uint32_t i = 0; i < ROWS; i++)
		group_of[i] = i / 10;
	for (int i = 0; i < 10; i++)
		group_lane[i].i = 1000 * i;
	of_group->column = group_lane;
	space_begin(groups, 10);
	sum = two(VECTOR_ADD, of_group, numbers);
	assert_ptr_equal(sum->space, space);
	assert_int_equal(node_values(sum, &space->all)[42].i, 4042);
}

static void rows_gather_what_they_need(void **state)
{
	static const int64_t orders[][4] = {{3, 7, 7, 90}, {90, 7, -1, 3}};
	struct space *takers = space_new(graph, "takers");
	struct node *index = node_column(takers, 0, false);
	struct node *taken = node_gather(index, two(VECTOR_ADD, numbers, numbers), &space->all,
	                                 (union word){.i = -5});
	static const uint32_t rows[] = {2, 5, 11, 60};
	union word indexes[ROWS];
	struct row_selection few = {.within = &takers->all, .rows = rows, .count = 4};

	(void)state;
	index->column = indexes;
	for (int order = 0; order < 2; order++) {
		space_begin(takers, ROWS);
		space_begin(space, ROWS);
		for (int i = 0; i < 4; i++)
			indexes[rows[i]].i = orders[order][i];
		for (int i = 0; i < 4; i++) {
			int64_t at = orders[order][i];
			assert_int_equal(node_values(taken, &few)[rows[i]].i, at < 0 ? -5 : 2 * at);
		}
	}
}

/* As a comparison of groups does whose other side asks for it by rows. */
static void a_constant_stays_where_it_is(void **state)
{
	struct node *five = node_whole(graph, 5);
	struct space *groups = space_new(graph, "groups");
	const union word *of_groups, *of_rows;

	(void)state;
	space_begin(groups, 3);
	of_groups = node_values(five, &groups->all);
	of_rows = node_values(five, &space->all);
	assert_int_equal(of_groups[2].i, 5);
	assert_int_equal(of_rows[ROWS - 1].i, 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(equal_nodes_are_one, set_up, tear_down),
		cmocka_unit_test_setup_teardown(constants_are_folded, set_up, tear_down),
		cmocka_unit_test_setup_teardown(any_rows_are_right, set_up, tear_down),
		cmocka_unit_test_setup_teardown(rows_are_chosen, set_up, tear_down),
		cmocka_unit_test_setup_teardown(rows_are_chosen_by_bits, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_new_block_is_calculated_anew, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_is_the_same_everywhere_decides, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_decides_is_asked_of_each_block, set_up, tear_down),
		cmocka_unit_test_setup_teardown(groups_meet_their_members, set_up, tear_down),
		cmocka_unit_test_setup_teardown(rows_gather_what_they_need, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_constant_stays_where_it_is, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
