/* Performance guidelines: certain violations are found, and only these. */
#include "bench/results/guidelines.h"
#include "bench/results/output.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { RUNS = 20, RANKS = 4 };

static struct results results;
static struct arena arena;

static int begin(void **state)
{
	(void)state;
	results_init(&results);
	results.is_complete = true;
	return 0;
}

static int end(void **state)
{
	(void)state;
	results_release(&results);
	arena_release(&arena);
	return 0;
}

/* Runs that differ by 2 % around this time, in microseconds. */
static struct result_point *add(const char *operation, uint64_t bytes, double time)
{
	double times[RUNS];
	bool reduces = strstr(operation, "educe") || strstr(operation, "can");
	bool is_rooted = strstr("MPI_Bcast MPI_Gather MPI_Scatter MPI_Reduce", operation);

	for (int i = 0; i < RUNS; i++)
		times[i] = 1e-6 * time * (0.99 + 0.001 * i);
	struct result_point point = {.operation = operation,
	                             .bytes = bytes,
	                             .ranks = RANKS,
	                             .root = is_rooted ? 0 : -1,
	                             .variant = "",
	                             .datatype = reduces ? "int" : "byte",
	                             .reduction = reduces ? "sum" : "",
	                             .communicator = "world",
	                             .cache = "cold",
	                             .times = times,
	                             .overlap = NAN,
	                             .rate = NAN,
	                             .summary = summarize_values(times, RUNS, 0.25, 0.95)};
	results_add(&results, &point);
	return &results.points[results.point_count - 1];
}

/* "2: MPI_Bcast 1024 with 64K; …", after the number of checked guidelines. */
static const char *found(void)
{
	struct guidelines guidelines;
	struct text text = {0};

	guidelines_check(&results, &arena, &guidelines);
	text_add(&text, "%zu:", guidelines.checked);
	for (size_t i = 0; i < guidelines.violation_count; i++) {
		const struct guideline_violation *violation = &guidelines.violations[i];
		text_add(&text, " %s %llu %s %s %.1f;", violation->point->operation,
		         (unsigned long long)violation->point->bytes, violation->rule, violation->alternative,
		         1e6 * violation->bound);
	}
	const char *copy = arena_text(&arena, text_get(&text));
	text_release(&text);
	return copy;
}

static void times_grow_with_the_size(void **state)
{
	(void)state;
	add("MPI_Bcast", 64, 10);
	add("MPI_Bcast", 100, 20);
	add("MPI_Bcast", 128, 12);
	add("MPI_Bcast", 200, 11.7); /* not certain */
	assert_string_equal(found(), "5: MPI_Bcast 100 size with 200 11.7;");
}

static void a_call_is_not_slower_than_its_parts(void **state)
{
	(void)state;
	add("Latency", 64, 10);
	add("Latency", 128, 19); /* as it should be */
	add("Latency", 192, 32);
	add("Latency", 200, 70); /* no multiple */
	assert_string_equal(found(), "5: Latency 192 split as 3 calls with 64 30.0;");
}

static void an_operation_is_not_slower_than_others_together(void **state)
{
	(void)state;
	add("MPI_Allreduce", 64, 30);
	add("MPI_Reduce", 64, 10);
	add("MPI_Bcast", 64, 10);
	assert_string_equal(found(), "2: MPI_Allreduce 64 composition as MPI_Reduce + MPI_Bcast 20.0;");
}

static void a_good_library_violates_nothing(void **state)
{
	(void)state;
	add("MPI_Allreduce", 64, 18);
	add("MPI_Reduce", 64, 10);
	add("MPI_Bcast", 64, 10);
	add("MPI_Scan", 64, 18);
	add("MPI_Exscan", 64, 18);
	add("MPI_Barrier", 0, 5);
	assert_string_equal(found(), "4:");
}

static void sizes_of_blocks_are_those_of_the_other_operation(void **state)
{
	(void)state;
	add("MPI_Allgather", 64, 50);
	add("MPI_Gather", 64, 10);
	add("MPI_Bcast", 64, 1); /* not this one */
	add("MPI_Bcast", 256, 20);
	add("MPI_Bcast", 1024, 300);
	add("MPI_Scatter", 256, 40);
	add("MPI_Allgather", 256, 200);
	assert_string_equal(found(),
	                    "10: MPI_Allgather 64 composition as MPI_Gather + MPI_Bcast of 256 30.0;"
	                    " MPI_Bcast 256 split as 4 calls with 64 4.0;"
	                    " MPI_Bcast 1024 composition as MPI_Scatter of 256 + MPI_Allgather of 256 239.9;"
	                    " MPI_Bcast 1024 split as 16 calls with 64 16.0;");
}

static void blocking_forms_are_not_slower(void **state)
{
	(void)state;
	add("MPI_Barrier", 0, 10);
	add("MPI_Ibarrier", 0, 5);
	add("MPI_Allreduce", 8, 7);
	add("MPI_Allreduce", 64, 9);
	assert_string_equal(found(), "4: MPI_Barrier 0 composition as MPI_Allreduce of 8 7.0;"
	                             " MPI_Barrier 0 nonblocking as MPI_Ibarrier with MPI_Wait 5.0;");
}

static void only_like_is_compared_with_like(void **state)
{
	(void)state;
	add("MPI_Allreduce", 64, 30);
	add("MPI_Reduce", 64, 1)->root = 3;
	add("MPI_Bcast", 64, 1);
	assert_string_equal(found(), "1:"); /* the reduction is not slower than the other */
	results.points[2].root = 3;
	assert_string_equal(found(), "2: MPI_Allreduce 64 composition as MPI_Reduce + MPI_Bcast 2.0;");
	results.points[2].cache = "warm";
	assert_string_equal(found(), "1:");
	results.points[2].cache = "cold";
	results.points[2].marks = MARK_OVERSUBSCRIBED;
	assert_string_equal(found(), "1:");
	results.points[2].marks = 0;
	results.points[2].datatype = "double";
	assert_string_equal(found(), "1:");
	results.points[2].datatype = "byte";
	results.is_complete = false;
	assert_string_equal(found(), "0:");
}

static void violations_are_told(void **state)
{
	struct text text = {0};

	(void)state;
	add("MPI_Allreduce", 1024, 12.3);
	add("MPI_Reduce", 1024, 4.3);
	add("MPI_Bcast", 1024, 4.3);
	table_end(&results, &text);
	assert_non_null(strstr(text_get(&text),
	                       "guidelines  1 of 2 performance guidelines violated\n"
	                       "  MPI_Allreduce, int, sum, cold cache, 1K, 4 ranks: 12.3 us, but 8.60 us as\n"
	                       "    MPI_Reduce + MPI_Bcast\n"));
	text_clear(&text);
	results_json(&results, &text);
	assert_non_null(strstr(text_get(&text), "\"guidelines\": {\n    \"checked\": 2,"));
	assert_non_null(strstr(text_get(&text), "\"point\": 0,\n        \"rule\": \"composition\",\n"
	                                        "        \"alternative\": \"as MPI_Reduce + MPI_Bcast\",\n"));
	text_release(&text);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(times_grow_with_the_size),
		TEST(a_call_is_not_slower_than_its_parts),
		TEST(an_operation_is_not_slower_than_others_together),
		TEST(a_good_library_violates_nothing),
		TEST(sizes_of_blocks_are_those_of_the_other_operation),
		TEST(blocking_forms_are_not_slower),
		TEST(only_like_is_compared_with_like),
		TEST(violations_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
