/* The file of the UPC benchmark: its meaning, and its validation. */
#include "bench/results/upc_times.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

static enum status read_text(const char *text, struct results *results)
{
	FILE *file = fmemopen((void *)text, strlen(text), "r");
	enum status status;

	assert_non_null(file);
	results_init(results);
	status = upc_times_read(file, &plan_defaults, results);
	fclose(file);
	return status;
}

static void points_and_facts(void **state)
{
	struct results results;

	(void)state;
	assert_int_equal(read_text("threads 3\nclock-error-ns 40\n"
	                           "point WaitPatternUp 0 8 1 9000\ntimes-ns 3000 3000\n"
	                           "point upc_memput 64 16 2 2000\ntimes-ns 100 300 200\n"
	                           "point upc_barrier 0 8 1 2000\ntimes-ns\n"
	                           "omitted upc_all_gather 8388608\nend\n",
	                           &results),
	                 OK);
	assert_true(results.is_complete);
	assert_int_equal(results.point_count, 2);
	assert_string_equal(results.points[0].operation, "upc_memput");
	assert_int_equal(results.points[0].bytes, 64);
	assert_int_equal(results.points[0].ranks, 3);
	assert_int_equal(results.points[0].runs, 16);
	assert_true(fabs(results.points[0].summary.median - 200e-9) < 1e-12);
	assert_int_equal(results.points[1].summary.count, 0);
	assert_true(results.points[1].marks & MARK_FEW);
	assert_string_equal(results_find_fact(&results, "self-tests", "WaitPatternUp"),
	                    "3.000 us (expected: 3 us)");
	assert_string_equal(results.omissions->operation, "upc_all_gather 8388608");
	results_release(&results);
}

static void a_cut_file_is_not_complete(void **state)
{
	struct results results;

	(void)state;
	assert_int_equal(read_text("threads 2\npoint upc_barrier 0 8 1 2000\ntimes-ns 7\n", &results), OK);
	assert_false(results.is_complete);
	assert_int_equal(results.point_count, 1);
	results_release(&results);
}

static void what_is_wrong_is_refused(void **state)
{
	static const char *const wrong[] = {
		"threads 0\n",
		"threads x\n",
		"times-ns 1\n",
		"point upc_barrier 0 1 1 1\n", /* before the threads */
		"threads 2\npoint upc_barrier -1 1 1 1\n",
		"threads 2\npoint upc_barrier 0 1 1\n",
		"threads 2\npoint upc_barrier 0 1 1 1\ntimes-ns 5 x\n",
		"threads 2\npoint upc_barrier 0 1 1 1\ntimes-ns -5\n",
		"clock-error-ns -1\n",
		"nonsense\n",
		"unknown bcast\nknown upc_barrier\n",
	};
	struct results results;

	(void)state;
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		assert_int_not_equal(read_text(wrong[i], &results), OK);
		results_release(&results);
	}
	assert_string_equal(trail_text(), "unknown UPC operation 'bcast': choose among upc_barrier");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(points_and_facts),
		cmocka_unit_test(a_cut_file_is_not_complete),
		cmocka_unit_test(what_is_wrong_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
