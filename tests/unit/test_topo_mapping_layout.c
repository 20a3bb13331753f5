/* Layouts against the node of each rank written down, with nodes in any order and of any size, and without memory. */
#include "random_numbers.h"
#include "topo/mapping/layout.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MANY = 200 };

static int calls_until_failure = -1;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);

void *__wrap_malloc(size_t size)
{
	return calls_until_failure >= 0 && calls_until_failure-- == 0 ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
	return calls_until_failure >= 0 && calls_until_failure-- == 0 ? NULL : __real_calloc(count, size);
}

/* Every answer, from `keys` alone. */
static void assert_layout(const struct layout *layout, int size, const int *keys)
{
	int nodes = 0;

	assert_int_equal(layout->size, size);
	for (int rank = 0; rank < size; rank++) {
		int node = layout_node(layout, rank), index = 0, of_node = 0, lowest = rank;

		for (int other = 0; other < size; other++) {
			assert_int_equal(layout_node(layout, other) == node, keys[other] == keys[rank]);
			if (keys[other] != keys[rank])
				continue;
			of_node++;
			index += other < rank;
			lowest = other < lowest ? other : lowest;
		}
		if (lowest == rank)
			assert_int_equal(node, nodes++);
		assert_int_equal(layout_node_size(layout, node), of_node);
		assert_int_equal(layout_index(layout, rank), index);
		assert_int_equal(layout_rank(layout, node, index), rank);
	}
	assert_int_equal(layout->nodes, nodes);
}

static void make(struct layout *layout, int size, const int *keys)
{
	assert_true(layout_make(layout, size, keys));
	assert_layout(layout, size, keys);
}

static void finds_block_and_cyclic_layouts(void **state)
{
	static const int block[] = {9, 9, 9, -4, -4, -4, 0, 0, 0, 1, 1, 1},
			 cyclic[] = {5, 3, -1, 5, 3, -1, 5, 3, -1};
	struct layout layout;

	(void)state;
	make(&layout, 12, block);
	assert_int_equal(layout.kind, LAYOUT_BLOCK);
	assert_int_equal(layout.per_node, 3);
	assert_true(layout_is_regular(&layout));
	assert_null(layout.node_of);
	make(&layout, 9, cyclic);
	assert_int_equal(layout.kind, LAYOUT_CYCLIC);
	assert_int_equal(layout.per_node, 3);
	assert_true(layout_is_regular(&layout));
	assert_null(layout.node_of);
	/* All on one node, one on each, and one alone. */
	make(&layout, 3, block);
	assert_int_equal(layout.kind, LAYOUT_BLOCK);
	make(&layout, 3, cyclic);
	assert_int_equal(layout.kind, LAYOUT_BLOCK);
	assert_int_equal(layout.per_node, 1);
	make(&layout, 1, cyclic);
	assert_int_equal(layout.nodes, 1);
}

static void makes_regular_layouts_without_keys(void **state)
{
	static const int block[] = {0, 0, 1, 1, 2, 2}, cyclic[] = {0, 1, 2, 0, 1, 2};
	struct layout layout;

	(void)state;
	layout_make_block(&layout, 6, 2);
	assert_layout(&layout, 6, block);
	layout_release(&layout);
	layout_make_cyclic(&layout, 6, 2);
	assert_layout(&layout, 6, cyclic);
	layout_release(&layout);
}

static void keeps_tables_of_others(void **state)
{
	/* Nodes of different sizes; equal sizes in no order; a cyclic order that ends early. */
	static const int different[] = {1, 1, 1, 2, 2, 3}, mixed[] = {1, 2, 2, 1, 3, 3},
			 short_turn[] = {1, 2, 3, 1, 2};
	struct layout layout;

	(void)state;
	make(&layout, 6, different);
	assert_int_equal(layout.kind, LAYOUT_TABLE);
	assert_false(layout_is_regular(&layout));
	layout_release(&layout);
	make(&layout, 6, mixed);
	assert_int_equal(layout.kind, LAYOUT_TABLE);
	layout_release(&layout);
	make(&layout, 5, short_turn);
	assert_int_equal(layout.kind, LAYOUT_TABLE);
	layout_release(&layout);
}

static void is_right_for_any_keys(void **state)
{
	struct random_numbers numbers = {18};
	int keys[MANY];

	(void)state;
	for (int round = 0; round < 60; round++) {
		int size = 1 + (int)random_below(&numbers, MANY), nodes = 1 + (int)random_below(&numbers, 12);
		struct layout layout;

		for (int rank = 0; rank < size; rank++)
			keys[rank] = (int)random_below(&numbers, (uint32_t)nodes) * 1000003 - 5;
		make(&layout, size, keys);
		layout_release(&layout);
	}
}

static void says_when_there_is_no_memory(void **state)
{
	static const int keys[] = {1, 2, 2, 1, 3, 3};
	struct layout layout = {.size = 77};
	int failures = 0;

	(void)state;
	for (;; failures++) {
		calls_until_failure = failures;
		if (layout_make(&layout, 6, keys))
			break;
		assert_int_equal(layout.size, 77);
	}
	calls_until_failure = -1;
	assert_int_equal(failures, 5);
	layout_release(&layout);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_block_and_cyclic_layouts),
		cmocka_unit_test(makes_regular_layouts_without_keys),
		cmocka_unit_test(keeps_tables_of_others),
		cmocka_unit_test(is_right_for_any_keys),
		cmocka_unit_test(says_when_there_is_no_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
