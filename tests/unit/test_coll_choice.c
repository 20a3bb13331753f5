/* Which algorithm is chosen: with planted times the same ones always are. */
#include "coll/choice/levels.h"
#include "coll/choice/model.h"
#include "coll/choice/outcome.h"
#include "coll/choice/trial.h"
#include "coll/choice/wish.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Runs a trial in which each candidate always takes the time that is planted, the first time four times as long; returns how many calls it took. */
static int run_trial(struct coll_trial *trial, int candidates, const double *seconds)
{
	bool seen[TRIAL_CANDIDATES] = {false};
	int calls = 0;

	trial_begin(trial, candidates);
	while (trial->phase != TRIAL_DECIDED) {
		const int candidate = trial_next(trial);

		assert_in_range(candidate, 0, candidates - 1);
		if (trial_add(trial, seconds[candidate] * (seen[candidate] ? 1 : 4))) {
			assert_in_range(trial_count(trial), 1, TRIAL_TIMES);
			trial_judge(trial);
		}
		seen[candidate] = true;
		assert_true(++calls < 100);
	}
	return calls;
}

static void test_the_fastest_wins(void **state)
{
	struct coll_trial trial;

	(void)state;
	run_trial(&trial, 4, (const double[]){1e-3, 9e-4, 5e-4, 2e-3});
	assert_int_equal(trial.chosen, 2);
	assert_float_equal(trial.library_s, 1e-3, 1e-6);
	assert_float_equal(trial.rival_s, 5e-4, 1e-6);
	assert_int_equal(trial_next(&trial), 2);
}

static void test_the_library_wins_unless_beaten_clearly(void **state)
{
	struct coll_trial trial;

	(void)state;
	run_trial(&trial, 3, (const double[]){1e-3, 1.1e-3, 1.2e-3});
	assert_int_equal(trial.chosen, TRIAL_LIBRARY);
	run_trial(&trial, 2, (const double[]){1e-3, 1e-3});
	assert_int_equal(trial.chosen, TRIAL_LIBRARY);
	run_trial(&trial, 2, (const double[]){1e-3, 0.96e-3});
	assert_int_equal(trial.chosen, TRIAL_LIBRARY);
	run_trial(&trial, 2, (const double[]){1e-3, 0.94e-3});
	assert_int_equal(trial.chosen, 1);
}

static void test_the_library_alone_needs_no_trial(void **state)
{
	struct coll_trial trial;

	(void)state;
	assert_int_equal(run_trial(&trial, 1, (const double[]){1}), 0);
	assert_int_equal(trial.chosen, TRIAL_LIBRARY);
}

static void test_a_trial_is_short(void **state)
{
	struct coll_trial trial;

	(void)state;
	assert_int_equal(run_trial(&trial, 4, (const double[]){1e-3, 2e-3, 2e-3, 2e-3}), 12);
	assert_int_equal(run_trial(&trial, 4, (const double[]){4e-3, 2e-3, 2e-3, 2e-3}), 20);
	assert_int_equal(run_trial(&trial, 2, (const double[]){4e-3, 2e-3}), 14);
}

/* Whoever could not do it at all is never chosen, also if all others are slow. */
static void test_who_fails_is_not_chosen(void **state)
{
	struct coll_trial trial;

	(void)state;
	run_trial(&trial, 3, (const double[]){1e3, (double)TRIAL_FAILED, (double)TRIAL_FAILED});
	assert_int_equal(trial.chosen, TRIAL_LIBRARY);
}

/* One disturbed call of the library does not make an algorithm the winner, nor one lucky call of the algorithm. */
static void test_single_times_decide_nothing(void **state)
{
	struct coll_trial trial;

	(void)state;
	for (int lucky = 0; lucky < 2; lucky++) {
		int finals = 0;

		trial_begin(&trial, 2);
		while (trial.phase != TRIAL_DECIDED) {
			const int candidate = trial_next(&trial);
			double seconds = candidate == TRIAL_LIBRARY ? 1.00e-3 : 0.99e-3;

			if (trial.phase == TRIAL_FINAL && candidate == (lucky ? 1 : TRIAL_LIBRARY) &&
			    finals++ == 0)
				seconds *= lucky ? 0.1 : 10;
			if (trial_add(&trial, seconds))
				trial_judge(&trial);
		}
		assert_int_equal(trial.chosen, TRIAL_LIBRARY);
	}
}

/* Processes that agree on their times come to the same judgement, whatever each has measured itself. */
static void test_agreed_times_are_judged_alike(void **state)
{
	struct coll_trial one, other;
	uint32_t random = 1;

	(void)state;
	trial_begin(&one, 4);
	trial_begin(&other, 4);
	while (one.phase != TRIAL_DECIDED) {
		bool is_over[2];

		assert_int_equal(trial_next(&one), trial_next(&other));
		random = random * 1664525 + 1013904223;
		is_over[0] = trial_add(&one, 1e-9 * (random >> 8));
		random = random * 1664525 + 1013904223;
		is_over[1] = trial_add(&other, 1e-9 * (random >> 8));
		assert_int_equal(is_over[0], is_over[1]);
		if (!is_over[0])
			continue;
		for (int i = 0; i < trial_count(&one); i++) {
			if (one.seconds[i] < other.seconds[i])
				one.seconds[i] = other.seconds[i];
			other.seconds[i] = one.seconds[i];
		}
		trial_judge(&one);
		trial_judge(&other);
	}
	assert_int_equal(other.phase, TRIAL_DECIDED);
	assert_int_equal(one.chosen, other.chosen);
}

static void test_size_classes(void **state)
{
	(void)state;
	assert_int_equal(size_class(0), 0);
	assert_int_equal(size_class(1), 1);
	assert_int_equal(size_class(8), 1);
	assert_int_equal(size_class(9), 2);
	assert_int_equal(size_class(64), 2);
	assert_int_equal(size_class(65), 3);
	assert_int_equal(size_class(128), 3);
	assert_int_equal(size_class(129), 4);
	assert_int_equal(size_class(1 << 20), 16);
	assert_int_equal(size_class(UINT64_MAX), SIZE_CLASSES - 1);
	for (uint64_t bytes = 1; bytes; bytes <<= 1)
		assert_true(size_class(bytes) <= size_class(bytes + 1));
}

static double cost(const char *operation, const char *algorithm, int nodes, int per_node, size_t bytes)
{
	static const struct coll_levels levels = {{1e-6, 1e10}, {1e-3, 1e7}};
	const struct coll_shape shape = {nodes * per_node, nodes, per_node};

	return coll_model_seconds(&levels, &shape, operation, algorithm, bytes);
}

static void test_model_counts_steps_and_bytes(void **state)
{
	(void)state;
	/* Seven steps over the network, each with a block. */
	assert_float_equal(cost("allgather", "ring", 4, 2, 10000), 7 * 1e-3 + 70000 / 1e7 + 70000 / 1e10,
	                   1e-9);
	/* Two steps between leaders, three nodes' blocks. */
	assert_float_equal(cost("allgather", "leaders", 4, 2, 10000),
	                   2 * 1e-3 + 60000 / 1e7 + 2e-6 + 90000 / 1e10, 1e-9);
	/* Short blocks: few steps win. Many processes on a node: crossing once wins. */
	assert_true(cost("allgather", "leaders", 8, 8, 8) < cost("allgather", "ring", 8, 8, 8));
	assert_true(cost("allgather", "locality", 8, 8, 8) < cost("allgather", "leaders", 8, 8, 8));
	assert_true(cost("allreduce", "leaders_halving", 16, 4, 1 << 20) <
	            cost("allreduce", "leaders", 16, 4, 1 << 20));
	assert_true(cost("alltoall", "nodes", 8, 8, 8) < cost("alltoall", "pairwise", 8, 8, 8));
}

static void test_model_has_a_cost_for_all(void **state)
{
	static const char *const operations[] = {"allgather",
	                                         "allgatherv",
	                                         "allreduce",
	                                         "bcast",
	                                         "reduce",
	                                         "alltoall",
	                                         "gather",
	                                         "scatter",
	                                         "barrier",
	                                         "reduce_scatter",
	                                         "reduce_scatter_block"};

	(void)state;
	for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
		for (int nodes = 1; nodes < 4; nodes++)
			for (int per_node = 1; per_node < 4; per_node++) {
				const double seconds = cost(operations[i], "something", nodes, per_node,
				                            1000);

				assert_true(seconds >= 0 && seconds < 10);
			}
}

static void test_levels_as_text(void **state)
{
	struct coll_levels levels = {{3.5e-7, 9e9}, {2e-3, 1.25e7}}, read = COLL_LEVELS_DEFAULT;
	char text[COLL_LEVELS_TEXT];

	(void)state;
	coll_levels_print(&levels, text);
	assert_true(coll_levels_parse(text, &read));
	assert_memory_equal(&levels, &read, sizeof levels);
	assert_true(coll_levels_parse("", &read));
	assert_true(coll_levels_parse("node=1e-6,2e9", &read));
	assert_float_equal(read.node.latency_s, 1e-6, 1e-12);
	assert_float_equal(read.network.latency_s, 2e-3, 1e-12);
	for (const char *const *wrong = (const char *const[]){"node", "node=", "node=1", "node=1,",
	                                                      "moon=1e-6,1e9", "node=-1,1e9", "node=nan,1e9",
	                                                      "node=1e-6,inf", "node=1e-6,1e9;", NULL};
	     *wrong; wrong++)
		assert_false(coll_levels_parse(*wrong, &read));
	assert_float_equal(read.node.latency_s, 1e-6, 1e-12);
}

static void test_levels_in_a_file(void **state)
{
	const struct coll_levels levels = {{3.5e-7, 9e9}, {2e-3, 1.25e7}};
	struct coll_levels read = {{0, 0}, {0, 0}};
	FILE *file = tmpfile();

	(void)state;
	assert_non_null(file);
	fputs("# a comment\nLink=a,b Latency=1\nLevelName=socket Latency=1e-8 Bandwidth=1e10\n", file);
	coll_levels_write(&levels.node, NULL, file);
	rewind(file);
	assert_int_equal(coll_levels_read(file, &read), 1);
	assert_float_equal(read.node.bandwidth, 9e9, 1);
	assert_float_equal(read.network.bandwidth, 0, 0);
	fseek(file, 0, SEEK_END);
	coll_levels_write(NULL, &levels.network, file);
	rewind(file);
	assert_int_equal(coll_levels_read(file, &read), 2);
	assert_memory_equal(&levels, &read, sizeof levels);
	fclose(file);
}

static void test_wishes(void **state)
{
	const char *text = "allgather=ring,reduce_scatter=lanes_2";
	struct coll_wish wish;

	(void)state;
	assert_true(coll_wish_is_sound(text));
	assert_true(coll_wish_next(&text, &wish));
	assert_string_equal(wish.operation, "allgather");
	assert_string_equal(wish.algorithm, "ring");
	assert_true(coll_wish_next(&text, &wish));
	assert_string_equal(wish.operation, "reduce_scatter");
	assert_string_equal(wish.algorithm, "lanes_2");
	assert_false(coll_wish_next(&text, &wish));
	for (const char *const *wrong = (const char *const[]){"ring", "allgather=", "=ring", "a=b,",
	                                                      "a=b c=d", "a=b,,c=d", "A=b", NULL};
	     *wrong; wrong++)
		assert_false(coll_wish_is_sound(*wrong));
}

static void test_outcomes_as_lines(void **state)
{
	const struct coll_outcome outcome = {.comm = 3,
	                                     .processes = 8,
	                                     .nodes = 4,
	                                     .operation = "reduce_scatter_block",
	                                     .size_class = 9,
	                                     .bytes_min = 5000,
	                                     .bytes_max = UINT64_MAX,
	                                     .calls = 100,
	                                     .is_decided = true,
	                                     .is_library = false,
	                                     .chosen = "lanes_halving",
	                                     .library_s = 0.25,
	                                     .rival_s = 0.125};
	struct coll_outcome read;
	char line[OUTCOME_LINE];
	int length;

	(void)state;
	length = coll_outcome_print(&outcome, line);
	assert_int_equal(length, strlen(line));
	assert_true(coll_outcome_parse(line, &read));
	assert_string_equal(read.operation, outcome.operation);
	assert_string_equal(read.chosen, outcome.chosen);
	assert_int_equal(read.bytes_max, outcome.bytes_max);
	assert_int_equal(read.calls, 100);
	assert_true(read.is_decided && !read.is_library && !read.is_forced);
	assert_float_equal(read.rival_s, 0.125, 1e-9);
	for (length = 0; length + 5 < (int)strlen(line); length++) {
		char cut[OUTCOME_LINE];

		snprintf(cut, sizeof cut, "%.*s", length, line);
		assert_false(coll_outcome_parse(cut, &read) && read.rival_s == outcome.rival_s);
	}
	assert_false(coll_outcome_parse("outcome comm=1 processes=0", &read));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_fastest_wins),
		cmocka_unit_test(test_the_library_wins_unless_beaten_clearly),
		cmocka_unit_test(test_the_library_alone_needs_no_trial),
		cmocka_unit_test(test_a_trial_is_short),
		cmocka_unit_test(test_who_fails_is_not_chosen),
		cmocka_unit_test(test_single_times_decide_nothing),
		cmocka_unit_test(test_agreed_times_are_judged_alike),
		cmocka_unit_test(test_size_classes),
		cmocka_unit_test(test_model_counts_steps_and_bytes),
		cmocka_unit_test(test_model_has_a_cost_for_all),
		cmocka_unit_test(test_levels_as_text),
		cmocka_unit_test(test_levels_in_a_file),
		cmocka_unit_test(test_wishes),
		cmocka_unit_test(test_outcomes_as_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
