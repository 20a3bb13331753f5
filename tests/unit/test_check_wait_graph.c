/* Stuck nodes in an AND/OR wait-for graph, compared with a plain fixpoint; and the core that is shown. */
#include "check/execution/wait_graph.h"

#include "random_numbers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

static uint32_t add_wait(struct wait_graph *graph, uint32_t from, bool is_any, uint32_t count,
                         const uint32_t *to)
{
	uint32_t group = wait_graph_group(graph, from, is_any);

	for (uint32_t i = 0; i < count; i++)
		wait_graph_member(graph, group, to[i]);
	return group;
}

static void wait_for(struct wait_graph *graph, uint32_t from, uint32_t to)
{
	add_wait(graph, from, false, 1, &to);
}

static bool group_is_satisfied(const struct wait_graph *graph, uint32_t group, const bool *is_free)
{
	bool any = false, all = true;

	for (size_t i = 0; i < graph->members.count; i++)
		if (graph->members.items[i].group == group) {
			any |= is_free[graph->members.items[i].node];
			all &= is_free[graph->members.items[i].node];
		}
	return graph->groups.items[group].is_any ? any : all;
}

static bool node_is_satisfied(const struct wait_graph *graph, uint32_t node, const bool *is_free)
{
	for (uint32_t i = 0; i < graph->groups.count; i++)
		if (graph->groups.items[i].node == node && !group_is_satisfied(graph, i, is_free))
			return false;
	return true;
}

static void plain_fixpoint(const struct wait_graph *graph, bool *is_free)
{
	bool changed = true;

	for (size_t i = 0; i < graph->nodes.count; i++)
		is_free[i] = graph->nodes.items[i].is_free;
	while (changed) {
		changed = false;
		for (uint32_t i = 0; i < graph->nodes.count; i++)
			if (!is_free[i] && node_is_satisfied(graph, i, is_free))
				changed = is_free[i] = true;
	}
}

/* Each node of the knot needs another one of it: no node outside can help all of them. */
static void knot_is_closed(const struct wait_graph *graph, const uint32_t *knot, uint32_t count)
{
	bool *is_free = calloc(graph->nodes.count, sizeof *is_free);

	assert_non_null(is_free);
	for (size_t i = 0; i < graph->nodes.count; i++)
		is_free[i] = true;
	for (uint32_t i = 0; i < count; i++)
		is_free[knot[i]] = false;
	for (uint32_t i = 0; i < count; i++) {
		assert_true(wait_graph_is_stuck(graph, knot[i]));
		assert_false(node_is_satisfied(graph, knot[i], is_free));
	}
	free(is_free);
}

static void random_graph(struct random_numbers *numbers, struct wait_graph *graph)
{
	uint32_t count = 1 + random_below(numbers, 12), groups = random_below(numbers, 3 * count);

	for (uint32_t i = 0; i < count; i++)
		wait_graph_node(graph, random_below(numbers, 8) == 0);
	for (uint32_t i = 0; i < groups; i++) {
		uint32_t group = wait_graph_group(graph, random_below(numbers, count),
		                                  random_below(numbers, 2));
		for (uint32_t members = random_below(numbers, 4); members; members--)
			wait_graph_member(graph, group, random_below(numbers, count));
	}
}

static void agrees_with_a_plain_fixpoint(void **state)
{
	struct random_numbers numbers = {17};
	uint32_t stuck = 0;

	(void)state;
	for (int round = 0; round < 20000; round++) {
		struct wait_graph graph = {0};
		bool is_free[16];
		uint32_t knot[16];
		random_graph(&numbers, &graph);
		plain_fixpoint(&graph, is_free);
		wait_graph_solve(&graph);
		for (uint32_t i = 0; i < graph.nodes.count; i++) {
			uint32_t count = wait_graph_knot(&graph, i, knot, 16);
			assert_int_equal(wait_graph_is_stuck(&graph, i), !is_free[i]);
			assert_int_equal(count != 0, !is_free[i]);
			knot_is_closed(&graph, knot, count);
			stuck += !is_free[i];
		}
		wait_graph_release(&graph);
	}
	assert_in_range(stuck, 20000, 100000);
}

static void a_cycle_is_shown_in_its_order(void **state)
{
	struct wait_graph graph = {0};
	uint32_t knot[8], count;

	(void)state;
	for (int i = 0; i < 6; i++)
		wait_graph_node(&graph, false);
	/* 5 → 4 → 2 → 0 → 3 → 2, and 1 waits for 5 */
	wait_for(&graph, 5, 4);
	wait_for(&graph, 4, 2);
	wait_for(&graph, 2, 0);
	wait_for(&graph, 0, 3);
	wait_for(&graph, 3, 2);
	wait_for(&graph, 1, 5);
	wait_graph_solve(&graph);
	count = wait_graph_knot(&graph, 1, knot, 8);
	assert_int_equal(count, 3);
	for (uint32_t i = 0; i < count; i++) {
		static const uint32_t next[] = {[2] = 0, [0] = 3, [3] = 2};
		assert_int_equal(knot[(i + 1) % count], next[knot[i]]);
	}
	wait_graph_release(&graph);
}

/* Of several cycles the shortest is shown. */
static void the_shortest_cycle_is_shown(void **state)
{
	struct wait_graph graph = {0};
	uint32_t knot[64];

	(void)state;
	for (int i = 0; i < 50; i++)
		wait_graph_node(&graph, false);
	for (uint32_t i = 0; i < 50; i++)
		wait_for(&graph, i, (i + 1) % 50);
	wait_for(&graph, 7, 6);
	wait_graph_solve(&graph);
	assert_int_equal(wait_graph_knot(&graph, 7, knot, 64), 2);
	wait_graph_release(&graph);
}

static void one_of_several_is_enough(void **state)
{
	struct wait_graph graph = {0};
	uint32_t knot[4];

	(void)state;
	for (int i = 0; i < 4; i++)
		wait_graph_node(&graph, i == 3);
	add_wait(&graph, 0, true, 2, (uint32_t[]){1, 2});
	wait_for(&graph, 1, 0);
	wait_for(&graph, 2, 0);
	wait_graph_solve(&graph);
	assert_true(wait_graph_is_stuck(&graph, 0));
	assert_int_equal(wait_graph_knot(&graph, 0, knot, 4), 3);
	wait_graph_clear(&graph);
	for (int i = 0; i < 4; i++)
		wait_graph_node(&graph, i == 3);
	add_wait(&graph, 0, true, 3, (uint32_t[]){1, 2, 3});
	wait_for(&graph, 1, 0);
	add_wait(&graph, 2, false, 2, (uint32_t[]){0, 1});
	wait_graph_solve(&graph);
	for (uint32_t i = 0; i < 4; i++)
		assert_false(wait_graph_is_stuck(&graph, i));
	wait_graph_release(&graph);
}

/* A process that has ended: a wait for it is never satisfied. */
static void who_is_gone_is_never_free(void **state)
{
	struct wait_graph graph = {0};
	uint32_t knot[4];

	(void)state;
	for (int i = 0; i < 3; i++)
		wait_graph_node(&graph, i == 2);
	wait_graph_group(&graph, 0, true);
	wait_for(&graph, 1, 0);
	wait_for(&graph, 1, 2);
	wait_graph_solve(&graph);
	assert_int_equal(wait_graph_knot(&graph, 1, knot, 4), 1);
	assert_int_equal(knot[0], 0);
	wait_graph_release(&graph);
}

static uint64_t cpu_ms(void)
{
	return (uint64_t)clock() * 1000 / CLOCKS_PER_SEC;
}

/* A ring of 100,000, and the same with a node that all wait for: in linear time, and not deep. */
static void large_graphs_need_no_deep_stack(void **state)
{
	enum { NODES = 100000 };
	uint32_t *knot = calloc(NODES + 1, sizeof *knot);
	struct wait_graph graph = {0};
	uint64_t began = cpu_ms();
	uint32_t all;

	(void)state;
	assert_non_null(knot);
	for (int i = 0; i < NODES; i++)
		wait_graph_node(&graph, false);
	for (uint32_t i = 0; i < NODES; i++)
		wait_for(&graph, i, (i + 1) % NODES);
	wait_graph_solve(&graph);
	assert_int_equal(wait_graph_knot(&graph, 5, knot, NODES), NODES);
	all = wait_graph_node(&graph, false);
	for (uint32_t i = 0, group = wait_graph_group(&graph, all, true); i < NODES; i++) {
		wait_for(&graph, i, all);
		wait_graph_member(&graph, group, i);
	}
	wait_graph_solve(&graph);
	assert_in_range(wait_graph_knot(&graph, 5, knot, NODES), 1, NODES + 1);
	graph.nodes.items[77].is_free = true;
	wait_graph_solve(&graph);
	assert_false(wait_graph_is_stuck(&graph, 0));
	print_message("%d nodes, four times: %d ms\n", NODES, (int)(cpu_ms() - began));
	wait_graph_release(&graph);
	free(knot);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(agrees_with_a_plain_fixpoint),
		cmocka_unit_test(a_cycle_is_shown_in_its_order),
		cmocka_unit_test(the_shortest_cycle_is_shown),
		cmocka_unit_test(one_of_several_is_enough),
		cmocka_unit_test(who_is_gone_is_never_free),
		cmocka_unit_test(large_graphs_need_no_deep_stack),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
