/* Mappings: each a permutation and its inverse, with the cut that theory says and in little memory where the layout is regular. */
#include "random_numbers.h"
#include "sanitized.h"
#include "topo/mapping/mapping.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

/* Units that cross nodes, counted directly. */
/* The node at a place: in a mapping, or in a layout with each process at the place of its rank. */
static int node_at_place(const struct layout *layout, const struct mapping *mapping, int place)
{
	return layout_node(layout, mapping ? mapping_rank(mapping, place) : place);
}

static int64_t cut(const struct layout *layout, enum mapping_graph graph, const struct mapping *mapping)
{
	int size = layout->size;
	int64_t units = 0;

	for (int place = 0; place < size; place++) {
		int node = node_at_place(layout, mapping, place);

		for (int64_t distance = 1; distance < size; distance *= 2) {
			int64_t sent = distance, peer = place ^ distance;

			if (graph == GRAPH_BRUCK) {
				sent = distance < size - distance ? distance : size - distance;
				peer = (place - distance + size) % size;
			}
			if (peer < size && node_at_place(layout, mapping, (int)peer) != node)
				units += sent;
		}
	}
	return units;
}

static int64_t mapping_cut(const struct mapping *mapping)
{
	return cut(&mapping->layout, mapping->graph, mapping);
}

static int64_t layout_cut(const struct layout *layout, enum mapping_graph graph)
{
	return cut(layout, graph, NULL);
}

enum { MANY = SANITIZED ? 200 : 700, LARGEST = SANITIZED ? 200 : 1048576, ROUNDS = SANITIZED ? 3 : 6 };

/* After allocation n has failed, n divided by this are passed over before the next one that fails. */
enum { SKIPPED = SANITIZED ? 2 : 8 };

static const enum mapping_graph graphs[] = {GRAPH_RECURSIVE_DOUBLING, GRAPH_BRUCK};

static int calls_until_failure = -1;
static size_t most_allocated; /* the largest block */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);

void *__wrap_malloc(size_t size)
{
	most_allocated = size > most_allocated ? size : most_allocated;
	return calls_until_failure >= 0 && calls_until_failure-- == 0 ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
	most_allocated = count * size > most_allocated ? count * size : most_allocated;
	return calls_until_failure >= 0 && calls_until_failure-- == 0 ? NULL : __real_calloc(count, size);
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

/* Bytes that a mapping keeps in addition to itself. */
static size_t kept_by(const struct mapping *mapping)
{
	assert_null(mapping->place_of);
	assert_null(mapping->rank_of);
	return mapping->class_places ? 2 * (size_t)mapping->class_size * sizeof *mapping->class_places : 0;
}

/* Few bytes whatever the number of processes, and no tables of all of them on the way. */
static void keeps_little_for_regular_layouts(void **state)
{
	static const int sizes[][2] = {{1048576, 8}, {1000000, 10}, {786432, 8}, {96, 8}, {7, 1}, {1, 1}};

	(void)state;
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		for (int kind = 0; kind < 4; kind++) {
			struct layout layout;
			struct mapping mapping;

			(kind & 1 ? layout_make_block : layout_make_cyclic)(&layout, sizes[i][0],
			                                                    sizes[i][1]);
			most_allocated = 0;
			assert_true(mapping_make(&mapping, &layout, graphs[kind / 2]));
			if (sizes[i][0] > 8192)
				assert_true(most_allocated < 16384);
			assert_true(kept_by(&mapping) <= 32768);
			for (int rank = 0; rank < sizes[i][0]; rank += 1 + sizes[i][0] / 1000)
				assert_int_equal(mapping_rank(&mapping, mapping_place(&mapping, rank)), rank);
			mapping_release(&mapping);
		}
}

/* Sizes that are not powers of two, against the cuts that METIS 5.1 and SCOTCH 7.0 find, the better of them, made exact. */
static void is_good_for_other_regular_layouts(void **state)
{
	static const struct {
		int size, per_node;
		int64_t cut;
	} known[] = {{48, 16, 336},       {63, 7, 1620},       {96, 8, 2592},      {100, 20, 2320},
	             {120, 8, 5930},      {360, 12, 47710},    {999, 27, 251955},  {1000, 8, 426511},
	             {2000, 16, 1224991}, {4000, 40, 3259966}, {4224, 128, 958145}};

	(void)state;
	for (size_t i = 0; i < sizeof known / sizeof *known && known[i].size <= LARGEST; i++) {
		struct layout layout;
		struct mapping mapping;

		layout_make_block(&layout, known[i].size, known[i].per_node);
		assert_true(mapping_make(&mapping, &layout, GRAPH_BRUCK));
		assert_true(kept_by(&mapping) <= 32768);
		assert_permutation(&mapping);
		assert_true((double)mapping_cut(&mapping) <= 1.02 * (double)known[i].cut);
		mapping_release(&mapping);
	}
}

/* Nodes of 5, 7 and 12 in turn; the same references. */
static void is_good_for_irregular_layouts(void **state)
{
	static const struct {
		int size;
		int64_t bruck, doubling;
	} known[] = {{64, 959, 942},
	             {100, 4106, 1640},
	             {256, 15016, 14878},
	             {1000, 414280, 209718},
	             {1024, 239683, 237392}};
	static const int turn[] = {5, 7, 12};
	static int keys[1024];

	(void)state;
	for (size_t i = 0; i < sizeof known / sizeof *known && known[i].size <= LARGEST; i++) {
		struct layout layout;

		for (int rank = 0, node = 0, left = turn[0]; rank < known[i].size; rank++, left--) {
			if (!left)
				left = turn[++node % 3];
			keys[rank] = node;
		}
		assert_true(layout_make(&layout, known[i].size, keys));
		for (int g = 0; g < 2; g++) {
			int64_t cut = graphs[g] == GRAPH_BRUCK ? known[i].bruck : known[i].doubling;
			struct mapping mapping;

			assert_true(mapping_make(&mapping, &layout, graphs[g]));
			assert_permutation(&mapping);
			assert_true((double)mapping_cut(&mapping) <= 1.02 * (double)cut);
			mapping_release(&mapping);
		}
		layout_release(&layout);
	}
}

/* A few nodes of very different sizes, recursive doubling; the same references. */
static void is_good_for_few_uneven_nodes(void **state)
{
	static const struct {
		int sizes[8];
		int64_t cut;
	} known[] = {{{7, 4, 4, 3}, 62}, {{1, 4, 6, 5}, 78}, {{3, 6, 2, 5, 7, 9}, 280}};
	int keys[64];

	(void)state;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		struct layout layout;
		struct mapping mapping;
		int ranks = 0;

		for (int node = 0; node < 8; node++)
			for (int left = known[i].sizes[node]; left; left--)
				keys[ranks++] = node;
		assert_true(layout_make(&layout, ranks, keys));
		assert_true(mapping_make(&mapping, &layout, GRAPH_RECURSIVE_DOUBLING));
		assert_permutation(&mapping);
		assert_true((double)mapping_cut(&mapping) <= 1.02 * (double)known[i].cut);
		mapping_release(&mapping);
		layout_release(&layout);
	}
}

static void says_when_there_is_no_memory(void **state)
{
	static const int keys[] = {1, 2, 2, 1, 3, 3, 3};
	struct layout layouts[2];

	(void)state;
	assert_true(layout_make(&layouts[0], 7, keys));
	layout_make_block(&layouts[1], 24, 8);
	for (int i = 0; i < 4; i++) {
		struct mapping mapping;
		int failures = 0;

		for (calls_until_failure = 0; !mapping_make(&mapping, &layouts[i / 2], graphs[i & 1]);
		     calls_until_failure = failures) {
			assert_null(mapping.place_of);
			failures += 1 + failures / SKIPPED;
		}
		calls_until_failure = -1;
		assert_true(failures > 5);
		assert_permutation(&mapping);
		mapping_release(&mapping);
	}
	layout_release(&layouts[0]);
}

static void is_a_permutation_for_any_layout(void **state)
{
	struct random_numbers numbers = {18};
	int keys[MANY];

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
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
		cmocka_unit_test(keeps_little_for_regular_layouts),
		cmocka_unit_test(is_good_for_other_regular_layouts),
		cmocka_unit_test(is_good_for_irregular_layouts),
		cmocka_unit_test(is_good_for_few_uneven_nodes),
		cmocka_unit_test(says_when_there_is_no_memory),
		cmocka_unit_test(is_a_permutation_for_any_layout),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
