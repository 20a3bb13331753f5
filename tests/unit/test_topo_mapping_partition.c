/* Partitions and placements: sizes are exact for any graph, cuts are those of known optima, and missing memory is reported. */
#include "random_numbers.h"
#include "sanitized.h"
#include "topo/mapping/anneal.h"
#include "topo/mapping/grid.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MANY = 600, MOST_EDGES = 16 * MANY, ROUNDS = SANITIZED ? 3 : 10 };

/* After allocation n has failed, n divided by this are passed over before the next one that fails. */
enum { SKIPPED = SANITIZED ? 2 : 8 };

static int calls_until_failure = -1;

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);

void *__wrap_malloc(size_t size)
{
	return calls_until_failure >= 0 && calls_until_failure-- == 0 ? NULL : __real_malloc(size);
}

void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);

void *__wrap_calloc(size_t count, size_t size)
{
	return calls_until_failure >= 0 && calls_until_failure-- == 0 ? NULL : __real_calloc(count, size);
}

/* A graph that is built from edges. */
struct edge_list {
	int32_t vertices;
	int count;
	struct {
		int32_t from, to;
		double weight;
	} edges[MOST_EDGES];
	int64_t offsets[MANY + 2];
	int32_t targets[2 * MOST_EDGES];
	double weights[2 * MOST_EDGES];
};

static struct edge_list list;

static void add_edge(int32_t from, int32_t to, double weight)
{
	assert_true(list.count < MOST_EDGES);
	list.edges[list.count].from = from;
	list.edges[list.count].to = to;
	list.edges[list.count++].weight = weight;
}

static struct weighted_graph finish_graph(void)
{
	memset(list.offsets, 0, sizeof list.offsets);
	for (int e = 0; e < list.count; e++) {
		list.offsets[list.edges[e].from + 2]++;
		list.offsets[list.edges[e].to + 2]++;
	}
	for (int32_t v = 0; v < list.vertices; v++)
		list.offsets[v + 2] += list.offsets[v + 1];
	for (int e = 0; e < list.count; e++)
		for (int turn = 0; turn < 2; turn++) {
			int32_t v = turn ? list.edges[e].to : list.edges[e].from;
			int64_t at = list.offsets[v + 1]++;

			list.targets[at] = turn ? list.edges[e].from : list.edges[e].to;
			list.weights[at] = list.edges[e].weight;
		}
	return (struct weighted_graph){list.vertices, list.offsets, list.targets, list.weights};
}

/* Neighbours on a grid, with vertices renamed so that their order says nothing. */
static struct weighted_graph grid(int rows, int columns)
{
	int32_t names[MANY];
	struct random_numbers numbers = {7};

	list.vertices = rows * columns;
	list.count = 0;
	for (int32_t v = 0; v < list.vertices; v++)
		names[v] = v;
	for (int32_t v = list.vertices - 1; v > 0; v--) {
		uint32_t other = random_below(&numbers, (uint32_t)v + 1);
		int32_t name = names[v];

		names[v] = names[other];
		names[other] = name;
	}
	for (int row = 0; row < rows; row++)
		for (int column = 0; column < columns; column++) {
			int v = row * columns + column;

			if (row + 1 < rows)
				add_edge(names[v], names[v + columns], 3);
			if (column + 1 < columns)
				add_edge(names[v], names[v + 1], 3);
		}
	return finish_graph();
}

static struct weighted_graph random_graph(struct random_numbers *numbers)
{
	int32_t vertices = 1 + (int32_t)random_below(numbers, 100);

	list.vertices = vertices;
	list.count = 0;
	/* From nothing at all to rather dense; each pair at most once. */
	for (int32_t from = 0, degree = (int32_t)random_below(numbers, 12); from < vertices; from++)
		for (int32_t to = 0; to < from; to++)
			if ((int32_t)random_below(numbers, (uint32_t)vertices) < degree)
				add_edge(from, to, random_below(numbers, 100));
	return finish_graph();
}

static void assert_sizes(const struct weighted_graph *graph, int32_t parts, const int32_t *sizes,
                         const int32_t *part_of)
{
	int32_t found[MANY] = {0};

	for (int32_t v = 0; v < graph->vertices; v++) {
		assert_in_range(part_of[v], 0, parts - 1);
		found[part_of[v]]++;
	}
	for (int32_t part = 0; part < parts; part++)
		assert_int_equal(found[part], sizes[part]);
}

/* Sizes from 0 on that add up to `total`. */
static int32_t random_sizes(struct random_numbers *numbers, int32_t total, int32_t *sizes)
{
	int32_t parts = 0;

	while (total) {
		sizes[parts] = (int32_t)random_below(numbers, (uint32_t)(total < 15 ? total + 1 : 15));
		total -= sizes[parts++];
		if (parts == MANY - 1) {
			sizes[parts++] = total;
			total = 0;
		}
	}
	return parts;
}

static void keeps_sizes_of_any_graph(void **state)
{
	struct random_numbers numbers = {18};
	int32_t sizes[MANY], part_of[MANY], again[MANY];

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		struct weighted_graph graph = random_graph(&numbers);
		int32_t parts = random_sizes(&numbers, graph.vertices, sizes);
		double cut;

		assert_true(partition_graph(&graph, parts, sizes, part_of));
		assert_sizes(&graph, parts, sizes, part_of);
		assert_true(partition_graph(&graph, parts, sizes, again));
		assert_memory_equal(part_of, again, (size_t)graph.vertices * sizeof *again);
		/* From any start refinement keeps sizes and makes nothing worse. */
		for (int32_t part = 0, v = 0; part < parts; part++)
			for (int32_t i = 0; i < sizes[part]; i++)
				part_of[v++] = part;
		cut = partition_cut(&graph, part_of);
		assert_true(partition_refine(&graph, parts, part_of));
		assert_sizes(&graph, parts, sizes, part_of);
		assert_true(partition_cut(&graph, part_of) <= cut);
	}
}

/* Squares are the optimum: each inner border is one edge for each vertex along it. */
static void finds_blocks_of_grids(void **state)
{
	static const int32_t quarters[] = {64, 64, 64, 64};
	int32_t sizes[64], part_of[MANY];
	struct weighted_graph graph = grid(16, 16);

	(void)state;
	assert_true(partition_graph(&graph, 4, quarters, part_of));
	assert_sizes(&graph, 4, quarters, part_of);
	assert_true(partition_cut(&graph, part_of) == 3 * 32);
	for (int i = 0; i < 64; i++)
		sizes[i] = 4;
	assert_true(partition_graph(&graph, 64, sizes, part_of));
	/* 2 × 2 squares cut 224 of 480 edges. */
	assert_true(partition_cut(&graph, part_of) <= 3 * 224 * 1.05);
}

/* Numbered along rows, as ranks of a halo exchange are, and with edges along diagonals that hide nothing. */
static struct weighted_graph ordered_grid(int rows, int columns)
{
	list.vertices = rows * columns;
	list.count = 0;
	for (int v = 0; v < rows * columns; v++) {
		if (v % columns + 1 < columns)
			add_edge(v, v + 1, 30);
		if (v + columns < rows * columns)
			add_edge(v, v + columns, 30);
		if (v + columns + 1 < rows * columns && v % columns + 1 < columns)
			add_edge(v, v + columns + 1, 1);
	}
	return finish_graph();
}

/* Three strips of three squares are not a bisection. */
static void finds_squares_of_ordered_grids(void **state)
{
	int32_t sizes[MANY], part_of[MANY];
	struct weighted_graph graph = ordered_grid(24, 24);
	struct grid_shape shape;
	bool found;

	(void)state;
	for (int i = 0; i < 9; i++)
		sizes[i] = 64;
	assert_true(grid_find(&graph, &shape, &found) && found);
	assert_int_equal(shape.lengths[0], 24);
	assert_int_equal(shape.lengths[1], 24);
	assert_int_equal(shape.lengths[2], 1);
	assert_true(partition_graph(&graph, 9, sizes, part_of));
	assert_sizes(&graph, 9, sizes, part_of);
	/* Four borders of 24 edges, and the diagonals over them: 23 each, those over a crossing once. */
	assert_true(partition_cut(&graph, part_of) <= 30 * 96 + 4 * 23 - 4);
}

static void halves_grids_exactly(void **state)
{
	struct random_numbers numbers = {7};
	int32_t sizes[MANY], part_of[MANY];
	struct weighted_graph graph = ordered_grid(20, 28);
	struct grid_shape shape;
	bool found;

	(void)state;
	assert_true(grid_find(&graph, &shape, &found) && found);
	for (int round = 0; round < 10; round++) {
		int32_t parts = random_sizes(&numbers, graph.vertices, sizes);

		assert_true(grid_halve(&graph, &shape, parts, sizes, part_of));
		assert_sizes(&graph, parts, sizes, part_of);
	}
	sizes[0] = 280;
	sizes[1] = 280;
	assert_true(grid_halve(&graph, &shape, 2, sizes, part_of));
	assert_true(partition_cut(&graph, part_of) == 30 * 20 + 19);
}

/* Random swaps keep sizes, make nothing worse, and leave what no single swap leaves. */
static void anneals_with_exact_sizes(void **state)
{
	struct random_numbers numbers = {5};
	int32_t sizes[MANY], part_of[MANY], again[MANY];

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		struct weighted_graph graph = random_graph(&numbers);
		int32_t parts = random_sizes(&numbers, graph.vertices, sizes);
		double cut;

		for (int32_t part = 0, v = 0; part < parts; part++)
			for (int32_t i = 0; i < sizes[part]; i++)
				part_of[v++] = part;
		memcpy(again, part_of, sizeof again);
		cut = partition_cut(&graph, part_of);
		assert_true(partition_anneal(&graph, parts, 20000, 0.2, 3, part_of));
		assert_sizes(&graph, parts, sizes, part_of);
		assert_true(partition_cut(&graph, part_of) <= cut);
		assert_true(partition_anneal(&graph, parts, 20000, 0.2, 3, again));
		assert_memory_equal(part_of, again, (size_t)graph.vertices * sizeof *again);
		for (calls_until_failure = 0; calls_until_failure >= 0; calls_until_failure = -1)
			assert_false(partition_anneal(&graph, parts, 100, 0.2, 3, again));
	}
}

/* Cliques of the sizes of the parts, joined by light edges. */
static void finds_groups_of_different_sizes(void **state)
{
	static const int32_t sizes[] = {4, 17, 9};
	int32_t part_of[MANY];
	struct weighted_graph graph;

	(void)state;
	list.vertices = list.count = 0;
	for (int part = 0; part < 3; part++) {
		for (int32_t a = 0; a < sizes[part]; a++)
			for (int32_t b = 0; b < a; b++)
				add_edge(list.vertices + a, list.vertices + b, 100);
		list.vertices += sizes[part];
	}
	for (int32_t v = 0; v < 4; v++)
		add_edge(v, v + 21, 1);
	graph = finish_graph();
	assert_true(partition_graph(&graph, 3, sizes, part_of));
	assert_sizes(&graph, 3, sizes, part_of);
	assert_true(partition_cut(&graph, part_of) == 4);
}

/* Rows and columns of a process grid whose members all exchange the same. */
static struct weighted_graph rows_and_columns(int ranks, int columns, int row_weight, int column_weight)
{
	list.vertices = ranks;
	list.count = 0;
	for (int a = 0; a < ranks; a++)
		for (int b = 0; b < a; b++)
			if (a / columns == b / columns)
				add_edge(a, b, row_weight);
			else if (a % columns == b % columns)
				add_edge(a, b, column_weight);
	return finish_graph();
}

/* Whole rows have to move, which no swap of two ranks does. METIS finds some of these cuts, SCOTCH others. */
static void finds_communicators(void **state)
{
	static const struct {
		int ranks, columns, row_weight, parts;
		double cut;
	} known[] = {{30, 3, 9, 3, 270}, {36, 2, 9, 3, 684}, {24, 5, 1, 4, 66}, {30, 2, 9, 3, 490}};
	int32_t sizes[8], part_of[MANY];

	(void)state;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		struct weighted_graph graph = rows_and_columns(known[i].ranks, known[i].columns,
		                                               known[i].row_weight, 4);

		for (int part = 0; part < known[i].parts; part++)
			sizes[part] = known[i].ranks / known[i].parts;
		assert_true(partition_graph(&graph, known[i].parts, sizes, part_of));
		assert_sizes(&graph, known[i].parts, sizes, part_of);
		assert_true(partition_cut(&graph, part_of) <= known[i].cut);
	}
}

/* Four switches of two nodes of eight slots. */
static int32_t switch_of[64], node_of[64], slot_itself[64];
static const int32_t *const groups[] = {switch_of, node_of, slot_itself};
static const double costs[] = {10, 3, 1};
static const struct slot_tree tree = {64, 3, groups, costs};

static void make_tree(void)
{
	for (int32_t slot = 0; slot < 64; slot++) {
		switch_of[slot] = slot / 16;
		node_of[slot] = slot / 8;
		slot_itself[slot] = slot;
	}
}

static void assert_placement(const int32_t *slot_of)
{
	bool taken[64] = {false};

	for (int v = 0; v < 64; v++) {
		assert_in_range(slot_of[v], 0, 63);
		assert_false(taken[slot_of[v]]);
		taken[slot_of[v]] = true;
	}
}

/* An 8 × 8 grid on them: 16 edges between switches, 16 between their nodes, 80 inside nodes. */
static void places_by_levels(void **state)
{
	struct weighted_graph graph = grid(8, 8);
	int32_t slot_of[64];
	double random_cost;

	(void)state;
	make_tree();
	assert_true(placement_make(&graph, &tree, slot_of));
	assert_placement(slot_of);
	assert_true(placement_cost(&graph, &tree, slot_of) == 3 * (16 * 10 + 16 * 3 + 80));
	/* Vertices are in no order: each at the slot of its number is a bad placement. */
	for (int32_t v = 0; v < 64; v++)
		slot_of[v] = v;
	random_cost = placement_cost(&graph, &tree, slot_of);
	assert_true(placement_refine(&graph, &tree, slot_of));
	assert_placement(slot_of);
	assert_true(placement_cost(&graph, &tree, slot_of) < 0.75 * random_cost);
}

static void says_when_there_is_no_memory(void **state)
{
	struct weighted_graph graph = grid(8, 8);
	int32_t slot_of[64];
	int failures = 0;

	(void)state;
	make_tree();
	for (;; failures += 1 + failures / SKIPPED) {
		calls_until_failure = failures;
		if (placement_make(&graph, &tree, slot_of))
			break;
	}
	assert_true(failures > 20);
	assert_true(calls_until_failure >= 0);
	calls_until_failure = -1;
	assert_placement(slot_of);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_sizes_of_any_graph),
		cmocka_unit_test(finds_blocks_of_grids),
		cmocka_unit_test(finds_groups_of_different_sizes),
		cmocka_unit_test(finds_communicators),
		cmocka_unit_test(places_by_levels),
		cmocka_unit_test(finds_squares_of_ordered_grids),
		cmocka_unit_test(halves_grids_exactly),
		cmocka_unit_test(anneals_with_exact_sizes),
		cmocka_unit_test(says_when_there_is_no_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
