/* Mappings: each a permutation and its inverse, with the cut that theory says, without a byte where the layout is regular. */
#include "random_numbers.h"
#include "topo/mapping/mapping.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MANY = 700 };

static const enum mapping_graph graphs[] = {GRAPH_RECURSIVE_DOUBLING, GRAPH_BRUCK};

static int allocations;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);

void *__wrap_malloc(size_t size)
{
	allocations++;
	return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
	allocations++;
	return __real_calloc(count, size);
}

static void assert_permutation(const struct mapping *mapping)
{
	for (int rank = 0; rank < mapping->layout.size; rank++) {
		int place = mapping_place(mapping, rank);

		assert_in_range(place, 0, mapping->layout.size - 1);
		assert_int_equal(mapping_rank(mapping, place), rank);
	}
}

static double share(int64_t units, int size)
{
	return (double)units / ((double)size * (size - 1));
}

/* 64 ranks on 8 nodes: the figures of the method. */
static void keeps_most_bytes_inside_nodes(void **state)
{
	struct layout layout;
	struct mapping mapping;

	(void)state;
	layout_make_block(&layout, 64, 8);
	assert_int_equal(layout_cut(&layout, GRAPH_BRUCK), 3752);
	assert_true(share(3752, 64) > 0.930 && share(3752, 64) < 0.931);
	for (int g = 0; g < 2; g++) {
		assert_true(mapping_make(&mapping, &layout, graphs[g]));
		assert_permutation(&mapping);
		assert_int_equal(mapping_cut(&mapping), 448);
		assert_true(share(448, 64) > 0.111 && share(448, 64) < 0.112);
		mapping_release(&mapping);
	}
}

/* With a power of two of nodes, only steps below the number of nodes leave a node, whatever the size of a node. */
static void is_optimal_for_powers_of_two_of_nodes(void **state)
{
	(void)state;
	for (int nodes = 1; nodes <= 16; nodes *= 2)
		for (int per_node = 1; per_node <= 20; per_node++) {
			int size = nodes * per_node;
			struct layout layout;
			struct mapping mapping;

			layout_make_block(&layout, size, per_node);
			assert_true(mapping_make(&mapping, &layout, GRAPH_BRUCK));
			if (per_node > 1)
				assert_int_equal(mapping_cut(&mapping), (int64_t)size * (nodes - 1));
			assert_permutation(&mapping);
			mapping_release(&mapping);
			/* Already in this order: nothing moves. */
			layout_make_cyclic(&layout, size, per_node);
			assert_true(mapping_make(&mapping, &layout, GRAPH_BRUCK));
			for (int rank = 0; rank < size; rank++)
				assert_int_equal(mapping_place(&mapping, rank), rank);
			mapping_release(&mapping);
		}
}

static void needs_no_memory_for_regular_layouts(void **state)
{
	static const int sizes[][2] = {{1048576, 8}, {1000000, 10}, {999, 27}, {96, 8}, {7, 1}, {1, 1}};

	(void)state;
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		for (int kind = 0; kind < 4; kind++) {
			int before = allocations;
			struct layout layout;
			struct mapping mapping;

			(kind & 1 ? layout_make_block : layout_make_cyclic)(&layout, sizes[i][0],
			                                                    sizes[i][1]);
			assert_true(mapping_make(&mapping, &layout, graphs[kind / 2]));
			assert_int_equal(allocations, before);
			if (sizes[i][0] < 1000)
				assert_permutation(&mapping);
			mapping_release(&mapping);
		}
}

static void is_a_permutation_for_any_layout(void **state)
{
	struct random_numbers numbers = {18};
	int keys[MANY];

	(void)state;
	for (int round = 0; round < 100; round++) {
		int size = 1 + (int)random_below(&numbers, MANY), nodes = 1 + (int)random_below(&numbers, 30);
		struct layout layout;

		for (int rank = 0; rank < size; rank++)
			keys[rank] = (int)random_below(&numbers, (uint32_t)nodes);
		assert_true(layout_make(&layout, size, keys));
		for (int g = 0; g < 2; g++) {
			struct mapping mapping;

			assert_true(mapping_make(&mapping, &layout, graphs[g]));
			assert_permutation(&mapping);
			mapping_release(&mapping);
		}
		layout_release(&layout);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_most_bytes_inside_nodes),
		cmocka_unit_test(is_optimal_for_powers_of_two_of_nodes),
		cmocka_unit_test(needs_no_memory_for_regular_layouts),
		cmocka_unit_test(is_a_permutation_for_any_layout),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
