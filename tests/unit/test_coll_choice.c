/* Which algorithms are tried: the cost model and its correction, and the texts that carry settings and outcomes. */
#include "coll/choice/correction.h"
#include "coll/choice/levels.h"
#include "coll/choice/model.h"
#include "coll/choice/outcome.h"
#include "coll/choice/override.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static double cost(const char *operation, const char *algorithm, int nodes, int per_node, size_t bytes)
{
	static const struct coll_levels levels = {{1e-6, 1e10}, {1e-3, 1e7}};
	const struct coll_shape shape = {nodes * per_node, nodes, per_node};

	return coll_model_predict(&levels, &shape, operation, algorithm, bytes).seconds;
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
	assert_true(cost("allreduce", "lanes_halving", 16, 4, 1 << 20) <
	            cost("allreduce", "leaders", 16, 4, 1 << 20));
	assert_true(cost("alltoall", "nodes", 8, 8, 8) < cost("alltoall", "pairwise", 8, 8, 8));
	/* Two steps instead of one from each node to the next. */
	assert_true(cost("bcast", "relays", 8, 8, 1 << 16) < cost("bcast", "pipeline", 8, 8, 1 << 16));
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

/* What an algorithm is expected to take once the times of others are known. */
static double expected(const struct coll_correction *correction, int number, const char *algorithm,
                       size_t bytes, bool *is_observed)
{
	static const struct coll_levels levels = {{1e-6, 1e10}, {1e-3, 1e7}};
	const struct coll_shape shape = {8, 4, 2};
	const struct coll_prediction prediction = coll_model_predict(&levels, &shape, "allgather", algorithm,
	                                                             bytes);

	return exp(correction_predict(correction, number, &prediction, is_observed));
}

static void observe(struct coll_correction *correction, int number, const char *algorithm, size_t bytes,
                    double factor)
{
	static const struct coll_levels levels = {{1e-6, 1e10}, {1e-3, 1e7}};
	const struct coll_shape shape = {8, 4, 2};
	const struct coll_prediction prediction = coll_model_predict(&levels, &shape, "allgather", algorithm,
	                                                             bytes);

	correction_learn(correction, number, &prediction, log(factor * prediction.seconds));
}

static void test_observations_correct_the_model(void **state)
{
	struct coll_correction correction = {0};
	bool is_observed;

	(void)state;
	assert_float_equal(expected(&correction, 1, "direct", 8, &is_observed),
	                   cost("allgather", "direct", 4, 2, 8), 1e-9);
	assert_false(is_observed);
	/* For short blocks, which wait for latency, one takes three times as long as expected, the other as long. */
	for (int i = 0; i < 10; i++) {
		observe(&correction, 1, "direct", 8, 3);
		observe(&correction, 2, "ring", 8, 1);
	}
	assert_float_equal(expected(&correction, 1, "direct", 16, &is_observed),
	                   3 * cost("allgather", "direct", 4, 2, 16), 1e-6);
	assert_true(is_observed);
	assert_float_equal(expected(&correction, 2, "ring", 16, &is_observed),
	                   cost("allgather", "ring", 4, 2, 16), 1e-6);
	/* An unobserved algorithm gets the mean of the others, between 1 and 3. */
	assert_in_range(1000 * expected(&correction, 3, "leaders", 16, &is_observed) /
	                        cost("allgather", "leaders", 4, 2, 16),
	                1001, 2999);
	assert_false(is_observed);
	/* Long blocks, which wait for bandwidth, have a factor of their own. */
	observe(&correction, 1, "direct", 1 << 20, 0.5);
	assert_float_equal(expected(&correction, 1, "direct", 1 << 20, &is_observed),
	                   0.5 * cost("allgather", "direct", 4, 2, 1 << 20), 1e-6);
	assert_float_equal(expected(&correction, 1, "direct", 16, &is_observed),
	                   3 * cost("allgather", "direct", 4, 2, 16), 1e-6);
}

/* Failures and algorithms beyond the table are not observations; a machine that changes is learned again. */
static void test_observations_are_kept_apart(void **state)
{
	struct coll_correction correction = {0}, before;
	bool is_observed;

	(void)state;
	observe(&correction, 1, "direct", 8, 2);
	before = correction;
	observe(&correction, 1, "direct", 8, 1e30);
	observe(&correction, CORRECTED_ALGORITHMS, "direct", 8, 7);
	observe(&correction, -1, "direct", 8, 7);
	assert_memory_equal(&before, &correction, sizeof before);
	for (int i = 0; i < 30; i++)
		observe(&correction, 1, "direct", 8, 5);
	assert_float_equal(expected(&correction, 1, "direct", 8, &is_observed),
	                   5 * cost("allgather", "direct", 4, 2, 8), 1e-5);
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

static void test_overrides(void **state)
{
	const char *text = "allgather=ring,reduce_scatter=lanes_2";
	struct coll_override override;

	(void)state;
	assert_true(coll_overrides_are_valid(text));
	assert_true(coll_override_next(&text, &override));
	assert_string_equal(override.operation, "allgather");
	assert_string_equal(override.algorithm, "ring");
	assert_true(coll_override_next(&text, &override));
	assert_string_equal(override.operation, "reduce_scatter");
	assert_string_equal(override.algorithm, "lanes_2");
	assert_false(coll_override_next(&text, &override));
	for (const char *const *wrong = (const char *const[]){"ring", "allgather=", "=ring", "a=b,",
	                                                      "a=b c=d", "a=b,,c=d", "A=b", NULL};
	     *wrong; wrong++)
		assert_false(coll_overrides_are_valid(*wrong));
}

static void test_outcomes_as_lines(void **state)
{
	const struct coll_outcome outcome = {.comm = 3,
	                                     .processes = 8,
	                                     .nodes = 4,
	                                     .levels = 2,
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
	assert_int_equal(read.levels, outcome.levels);
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
		cmocka_unit_test(test_model_counts_steps_and_bytes),
		cmocka_unit_test(test_model_has_a_cost_for_all),
		cmocka_unit_test(test_observations_correct_the_model),
		cmocka_unit_test(test_observations_are_kept_apart),
		cmocka_unit_test(test_levels_as_text),
		cmocka_unit_test(test_levels_in_a_file),
		cmocka_unit_test(test_overrides),
		cmocka_unit_test(test_outcomes_as_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
