/* Mappings for all levels of a machine, made by several workers: the same as by one alone, and cheap on every level. */
#include "random_numbers.h"
#include "sanitized.h"
#include "topo/mapping/mapping.h"
#include "topo/mapping/places.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Units weighted by the cost of the level that they cross. */
static double mapping_tree_cost(const struct mapping *mapping, const struct rank_tree *tree)
{
	int size = tree->layouts[0].size;
	double cost = 0;

	for (int distance = 1; distance < size; distance *= 2)
		for (int place = 0; place < size; place++) {
			int peer = graph_peer(mapping->graph, size, place, distance), level = 0;

			if (peer < 0)
				continue;
			while (level < tree->levels &&
			       layout_node(&tree->layouts[level], mapping_rank(mapping, place)) ==
			               layout_node(&tree->layouts[level], mapping_rank(mapping, peer)))
				level++;
			if (level < tree->levels)
				cost += tree->costs[level] * graph_units(mapping->graph, size, distance);
		}
	return cost;
}

enum { TREES = SANITIZED ? 4 : 12, RANKS_MOST = SANITIZED ? 60 : 120, WORKERS_MOST = 8 };

static const enum mapping_graph graphs[] = {GRAPH_RECURSIVE_DOUBLING, GRAPH_BRUCK};

/* Workers that are threads: each publishes its value, and reads those of others. */
struct common_board {
	pthread_barrier_t barrier;
	int count, fails; /* `fails`: this worker says that it failed at its first chance; -1: none */
	int64_t values[WORKERS_MOST], tasks[WORKERS_MOST];
	void *data[WORKERS_MOST];
};

struct board_place {
	struct common_board *board;
	int me;
};

static bool board_least(void *context, int64_t *value, int64_t *task)
{
	struct board_place *place = context;
	struct common_board *board = place->board;
	int64_t least = INT64_MAX, number = INT64_MAX;

	board->values[place->me] = board->fails == place->me ? -1 : *value;
	board->tasks[place->me] = *task;
	pthread_barrier_wait(&board->barrier);
	for (int i = 0; i < board->count; i++)
		least = board->values[i] < least ? board->values[i] : least;
	for (int i = 0; i < board->count; i++)
		if (board->values[i] == least && board->tasks[i] < number)
			number = board->tasks[i];
	pthread_barrier_wait(&board->barrier);
	*value = least;
	*task = number;
	return least >= 0;
}

static bool board_share(void *context, int worker, void *data, size_t bytes)
{
	struct board_place *place = context;
	struct common_board *board = place->board;

	board->data[place->me] = data;
	pthread_barrier_wait(&board->barrier);
	if (worker != place->me)
		memcpy(data, board->data[worker], bytes);
	pthread_barrier_wait(&board->barrier);
	return true;
}

static bool board_merge(void *context, int *numbers, int count)
{
	struct board_place *place = context;
	struct common_board *board = place->board;
	int *merged = malloc((size_t)count * sizeof *merged);

	assert_non_null(merged);
	board->data[place->me] = numbers;
	pthread_barrier_wait(&board->barrier);
	memcpy(merged, numbers, (size_t)count * sizeof *merged);
	for (int worker = 0; worker < board->count; worker++)
		for (int i = 0; i < count; i++) {
			int number = ((int *)board->data[worker])[i];

			merged[i] = number > merged[i] ? number : merged[i];
		}
	pthread_barrier_wait(&board->barrier);
	memcpy(numbers, merged, (size_t)count * sizeof *merged);
	free(merged);
	return true;
}

struct worker_thread {
	struct board_place place;
	const struct rank_tree *tree;
	enum mapping_graph graph;
	struct mapping mapping;
	bool is_made;
};

static void *work(void *context)
{
	struct worker_thread *thread = context;
	struct mapping_workers workers = {.me = thread->place.me,
	                                  .count = thread->place.board->count,
	                                  .context = &thread->place,
	                                  .min = board_least,
	                                  .share = board_share,
	                                  .merge = board_merge};

	thread->is_made = mapping_make_tree(&thread->mapping, thread->tree, thread->graph, &workers);
	return NULL;
}

static void make_together(struct worker_thread *threads, int count, int fails, const struct rank_tree *tree,
                          enum mapping_graph graph)
{
	struct common_board board = {.count = count, .fails = fails};
	pthread_t ids[WORKERS_MOST];

	pthread_barrier_init(&board.barrier, NULL, (unsigned)count);
	for (int i = 0; i < count; i++) {
		threads[i] = (struct worker_thread){.place = {&board, i}, .tree = tree, .graph = graph};
		assert_int_equal(pthread_create(&ids[i], NULL, work, &threads[i]), 0);
	}
	for (int i = 0; i < count; i++)
		pthread_join(ids[i], NULL);
	pthread_barrier_destroy(&board.barrier);
}

/* A tree and its tables: each level divides the groups of the one outside, evenly or not, with ranks in order or not. */
static struct rank_tree make_tree(struct random_numbers *random, int *size)
{
	struct rank_tree tree = {.levels = 1 + (int)random_below(random, 4)};
	bool even = random_below(random, 2), shuffled = random_below(random, 3) == 0;
	int keys[RANKS_MOST], order[RANKS_MOST];

	*size = 8 + (int)random_below(random, RANKS_MOST - 8);
	tree.node_level = (int)random_below(random, (uint32_t)tree.levels);
	for (int i = 0; i < *size; i++)
		order[i] = i;
	for (int i = *size - 1; shuffled && i > 0; i--) {
		int other = (int)random_below(random, (uint32_t)i + 1), rank = order[i];

		order[i] = order[other];
		order[other] = rank;
	}
	memset(keys, 0, sizeof keys);
	for (int level = 0; level < tree.levels; level++) {
		int key = 0, left = 0, length = 2 + *size / (2 << 2 * level), outer = keys[order[0]];

		for (int i = 0; i < *size; i++) {
			if (i && (left == 0 || keys[order[i]] != outer)) {
				key++;
				left = 0;
			}
			if (left == 0)
				left = even ? length : 1 + (int)random_below(random, (uint32_t)length);
			outer = keys[order[i]];
			keys[order[i]] = key;
			left--;
		}
		assert_true(layout_make(&tree.layouts[level], *size, keys));
		tree.costs[level] = 32 >> level;
	}
	return tree;
}

static void release_tree(struct rank_tree *tree)
{
	for (int level = 0; level < tree->levels; level++)
		layout_release(&tree->layouts[level]);
}

static void assert_permutation(const struct mapping *mapping, int size)
{
	for (int rank = 0; rank < size; rank++) {
		assert_in_range(mapping_place(mapping, rank), 0, size - 1);
		assert_int_equal(mapping_rank(mapping, mapping_place(mapping, rank)), rank);
	}
}

static void gives_the_same_as_one_alone(void **state)
{
	struct random_numbers random = {20};

	(void)state;
	for (int i = 0; i < TREES; i++) {
		int size, count = 2 + i % (WORKERS_MOST - 1);
		struct rank_tree tree = make_tree(&random, &size);
		struct worker_thread threads[WORKERS_MOST];
		struct mapping alone;

		assert_true(mapping_make_tree(&alone, &tree, graphs[i & 1], &mapping_alone));
		assert_permutation(&alone, size);
		make_together(threads, count, -1, &tree, graphs[i & 1]);
		for (int worker = 0; worker < count; worker++) {
			assert_true(threads[worker].is_made);
			for (int rank = 0; rank < size; rank++)
				assert_int_equal(mapping_place(&threads[worker].mapping, rank),
				                 mapping_place(&alone, rank));
			mapping_release(&threads[worker].mapping);
		}
		mapping_release(&alone);
		release_tree(&tree);
	}
}

static void fails_on_all_workers_if_one_fails(void **state)
{
	const int keys[] = {0, 0, 0, 1, 1, 2, 2, 2, 2, 2};
	struct worker_thread threads[3];
	struct layout layout;

	(void)state;
	assert_true(layout_make(&layout, 10, keys));
	struct rank_tree tree = rank_tree_of_nodes(&layout);
	make_together(threads, 3, 1, &tree, GRAPH_BRUCK);
	for (int worker = 0; worker < 3; worker++)
		assert_false(threads[worker].is_made);
	layout_release(&layout);
}

/* A mapping for nodes alone never costs less. */
static void costs_no_more_than_for_nodes_alone(void **state)
{
	struct random_numbers random = {7};

	(void)state;
	for (int i = 0; i < TREES; i++) {
		int size;
		struct rank_tree tree = make_tree(&random, &size);
		struct mapping all, nodes;

		assert_true(mapping_make_tree(&all, &tree, GRAPH_BRUCK, &mapping_alone));
		assert_true(mapping_make(&nodes, &tree.layouts[tree.node_level], GRAPH_BRUCK));
		assert_true(mapping_tree_cost(&all, &tree) <= mapping_tree_cost(&nodes, &tree));
		mapping_release(&all);
		mapping_release(&nodes);
		release_tree(&tree);
	}
}

/* Each group must get everything from outside once, on every level: switches, nodes and sockets in powers of two. */
static void is_optimal_for_powers_of_two_on_all_levels(void **state)
{
	static const int groups[][3] = {{2, 8, 16}, {4, 16, 32}, {2, 4, 8}, {8, 16, 64}};

	(void)state;
	for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
		for (int inner = 1; inner <= 6; inner++) {
			int size = groups[i][2] * inner;
			struct rank_tree tree = {.levels = 3, .node_level = 1, .costs = {24, 16, 4}};
			struct mapping mapping;
			double least = 0;

			for (int level = 0, outer = 1; level < 3; outer = groups[i][level++]) {
				layout_make_block(&tree.layouts[level], size, size / groups[i][level]);
				least += tree.costs[level] * size * (groups[i][level] - outer);
			}
			assert_true(mapping_make_closed(&mapping, &tree, GRAPH_BRUCK));
			assert_permutation(&mapping, size);
			assert_true(mapping_tree_cost(&mapping, &tree) == least);
			mapping_release(&mapping);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gives_the_same_as_one_alone),
		cmocka_unit_test(fails_on_all_workers_if_one_fails),
		cmocka_unit_test(costs_no_more_than_for_nodes_alone),
		cmocka_unit_test(is_optimal_for_powers_of_two_on_all_levels),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
