/* Results are the same after having been written and read; files without results are rejected with the reason. */
#include "bench/results/differences.h"
#include "bench/results/memory_use.h"
#include "bench/results/output.h"
#include "bench/results/point_text.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const double some_times[] = {4.25e-6, 4.5e-6, 0.1 + 0.2, 1.0 / 3, 5e-324, 0};
enum { TIMES = sizeof some_times / sizeof *some_times };

static struct result_point some_point(void)
{
	static const double own[2][TIMES] = {{1, 2, 3, 4, 5, 6}, {6, 5, 4, 3, 2, 1}};
	static const struct process_time processes[] = {{3.5, 1, 6, own[0]}, {3.5, 1, 6, own[1]}};

	return (struct result_point){
		.operation = "MPI_Reduce",
		.variant = "binomial \"tree\"",
		.bytes = (uint64_t)1 << 40,
		.ranks = 2,
		.root = 1,
		.datatype = "double",
		.reduction = "sum",
		.communicator = "halves",
		.cache = "warm",
		.in_place = true,
		.runs = 17,
		.stages = 3,
		.window = 1.5e-5,
		.times = some_times,
		.summary = summarize_values(some_times, TIMES, 0.25, 0.95),
		.processes = processes,
		.clock_error = 3e-7,
		.marks = MARK_FEW | MARK_CLOCK,
		.overlap = 0.5,
		.computing = NAN,
		.total = 2e-5,
		.rate = NAN,
	};
}

static void fill(struct results *results)
{
	struct result_point point = some_point();

	results_init(results);
	results_fact(results, "mpi", "library", "%s %d", "Some MPI", 3);
	results_fact(results, "machine", "hosts", "a, b");
	results_fact(results, "mpi", "library", "%s %d", "Some MPI", 4);
	results_fact(results, "mpi", "processes", "2");
	results_omit(results, "MPI_Ibarrier", "it is missing");
	results_add(results, &point);
	point.times = NULL;
	point.processes = NULL;
	point.root = -1;
	point.summary = summarize_values(NULL, 0, 0.25, 0.95);
	results_add(results, &point);
	results_add_memory(results, &(struct memory_use){"MPI_Init", 2, 4096, -8, 0, 0.5, 1e9});
	results->trouble = "somebody was tired";
}

/* Pages stay small, however much was measured; the shown values of a point stay exact. */
static void pages_of_very_many_runs_stay_small(void **state)
{
	enum { RUNS = 4000, RANKS = 1000, POINTS = 200, MOST = 5 << 20 };
	double *times = calloc(RUNS, sizeof *times);
	struct process_time *processes = calloc(RANKS, sizeof *processes);
	struct result_point point = some_point();
	struct results results;
	struct text page = {0};

	(void)state;
	for (int i = 0; i < RUNS; i++)
		times[i] = 1e-5 + 1e-9 / (i + 3);
	for (int i = 0; i < RANKS; i++)
		processes[i] = (struct process_time){times[i], times[i + 1], times[i], NULL};
	point.times = times;
	point.processes = processes;
	point.ranks = RANKS;
	point.summary = summarize_values(times, RUNS, 0.25, 0.95);
	results_init(&results);
	for (int i = 0; i < POINTS; i++)
		results_add(&results, &point);
	point = some_point();
	results_add(&results, &point);
	results_page(&results, &page);
	assert_in_range(page.length, MOST / 4, MOST);
	assert_non_null(strstr(text_get(&page), "\"right\": 4000"));
	assert_non_null(strstr(text_get(&page), "\"times_every\": 11"));
	assert_non_null(strstr(text_get(&page), "\"every\": 7"));
	/* Points with few values keep all. */
	assert_non_null(strstr(text_get(&page), "\"times_every\": 1,\"times_s\": [4.25e-06"));
	text_release(&page);
	results_release(&results);
	free(processes);
	free(times);
}

static void assert_same_number(double left, double right)
{
	assert_true(left == right || (isnan(left) && isnan(right)));
}

static void assert_same_point(const struct result_point *left, const struct result_point *right)
{
	assert_string_equal(left->operation, right->operation);
	assert_string_equal(left->variant, right->variant);
	assert_string_equal(left->communicator, right->communicator);
	assert_true(left->bytes == right->bytes && left->ranks == right->ranks && left->root == right->root);
	assert_true(left->in_place == right->in_place && left->marks == right->marks);
	assert_true(left->runs == right->runs && left->summary.count == right->summary.count &&
	            left->summary.kept == right->summary.kept);
	assert_same_number(left->summary.mean, right->summary.mean);
	assert_same_number(left->summary.half_width, right->summary.half_width);
	assert_same_number(left->summary.q95, right->summary.q95);
	assert_same_number(left->overlap, right->overlap);
	assert_same_number(left->computing, right->computing);
	assert_int_equal(!left->times, !right->times);
	if (left->times)
		assert_memory_equal(left->times, right->times, left->summary.count * sizeof *left->times);
	assert_int_equal(!left->processes, !right->processes);
	if (left->processes)
		assert_memory_equal(left->processes[1].times, right->processes[1].times,
		                    left->summary.count * sizeof(double));
}

static void are_the_same_after_reading(void **state)
{
	struct results written, read;
	struct text text = {0};

	(void)state;
	fill(&written);
	results_json(&written, &text);
	assert_int_equal(results_parse(text_get(&text), text.length, &read), OK);
	assert_int_equal(read.point_count, 2);
	for (size_t i = 0; i < 2; i++)
		assert_same_point(&written.points[i], &read.points[i]);
	assert_string_equal(results_find_fact(&read, "mpi", "library"), "Some MPI 4");
	assert_string_equal(results_find_fact(&read, "mpi", "processes"), "2");
	assert_null(results_find_fact(&read, "mpi", "hosts"));
	assert_string_equal(read.omissions->reason, "it is missing");
	assert_string_equal(read.trouble, "somebody was tired");
	assert_false(read.is_complete);
	assert_int_equal(read.memory_count, 1);
	assert_string_equal(read.memory[0].step, "MPI_Init");
	assert_true(read.memory[0].ranks == 2 && read.memory[0].shared_bytes == -8);
	text_release(&text);
	results_release(&written);
	results_release(&read);
}

/* Added data belongs to the results: the caller may release its own. */
static void keep_copies(void **state)
{
	char operation[] = "MPI_Bcast";
	double times[] = {1, 2, 3};
	struct result_point point = some_point();
	struct results results;

	(void)state;
	point.operation = operation;
	point.times = times;
	point.summary = summarize_values(times, 3, 0, 0.95);
	results_init(&results);
	for (int i = 0; i < 200; i++)
		results_add(&results, &point);
	memset(operation, 'x', sizeof operation - 1);
	memset(times, 0, sizeof times);
	assert_int_equal(results.point_count, 200);
	assert_string_equal(results.points[0].operation, "MPI_Bcast");
	assert_true(results.points[199].times[2] == 3);
	results_release(&results);
}

static void write_csv(void **state)
{
	struct results results;
	struct text text = {0};

	(void)state;
	fill(&results);
	results_csv(&results, &text);
	assert_true(text_begins(text_get(&text), "operation,variant,bytes,ranks,root,"));
	assert_non_null(
		strstr(text_get(&text), "\nMPI_Reduce,\"binomial \"\"tree\"\"\",1099511627776,2,1,double,"));
	assert_non_null(strstr(text_get(&text), ",0.5,,2e-05,,clock few\n"));
	text_release(&text);
	results_release(&results);
}

static void table_fits(void **state)
{
	struct results results;
	struct result_table table = {0};
	struct text text = {0};

	(void)state;
	fill(&results);
	table_head(&results, &text);
	table_row(&table, &results.points[0], &text);
	table_row(&table, &results.points[0], &text);
	results.points[0].marks = MARK_CLOCK | MARK_FEW | MARK_UNSTEADY | MARK_OVERSUBSCRIBED |
	                          MARK_RESOLUTION;
	table_row(&table, &results.points[0], &text);
	table_row(&table, &results.points[1], &text);
	table_end(&results, &text);
	for (const char *line = text_get(&text), *end; (end = strchr(line, '\n')); line = end + 1)
		assert_in_range(end - line, 0, 80);
	assert_non_null(strstr(text_get(&text), "clock,few,crowded,coarse\n"));
	assert_null(strstr(text_get(&text), "\033"));
	text_release(&text);
	results_release(&results);
}

static void write_files_whole(void **state)
{
	char folder[] = "/tmp/tarry-results-XXXXXX", path[64];
	struct results results, read;
	struct output_files files = {.json = path};
	struct stat about;

	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/r.json", folder);
	fill(&results);
	mode_t mask = umask(027);

	assert_int_equal(results_write(&results, &files), OK);
	assert_int_equal(results_write(&results, &files), OK);
	umask(mask);
	assert_int_equal(stat(path, &about), 0);
	assert_int_equal(about.st_mode & 0777, 0640);
	assert_int_equal(results_read(path, &read), OK);
	assert_int_equal(read.point_count, 2);
	results_release(&read);
	assert_int_equal(unlink(path), 0);
	/* Nothing else was left. */
	assert_int_equal(rmdir(folder), 0);
	assert_int_equal(results_write(&results, &files), FAILED);
	results_release(&results);
}

/* A sound file, in which `from` is replaced by `to`; the reason of the refusal. */
static const char *refusal_of(const char *from, const char *to)
{
	struct results results;
	struct text text = {0}, changed = {0};
	const char *at;

	fill(&results);
	results_json(&results, &text);
	results_release(&results);
	at = strstr(text_get(&text), from);
	assert_non_null(at);
	text_add_bytes(&changed, text_get(&text), (size_t)(at - text_get(&text)));
	text_add(&changed, "%s%s", to, at + strlen(from));
	assert_int_equal(results_parse(text_get(&changed), changed.length, &results), FAILED);
	text_release(&text);
	text_release(&changed);
	return trail_text();
}

static void refuse_what_is_wrong(void **state)
{
	static const struct {
		const char *from, *to, *reason;
	} wrong[] = {
		{"\"tarry-bench\"", "\"tarry\"",
	         "it contains no results of 'tarry bench', which writes them with '--json FILE'"},
		{"{", "[", "it is not JSON: line 2, column 11"},
		{"\"version\": 1", "\"version\": 2",
	         "it has version 2 of the format, but this Tarry supports only version 1: use a newer Tarry"},
		{"\"complete\"", "\"completed\"", "'complete' is missing"},
		{"\"facts\": {", "\"facts\": 3, \"others\": {", "'facts' is not an object"},
		{"\"Some MPI 4\"", "4", "facts: 'library' is not a string"},
		{"\"points\": [", "\"points\": 1, \"p\": [", "'points' is not a list"},
		{"\"MPI_Reduce\"", "\"\"", "point 1: 'operation' is empty"},
		{"\"MPI_Reduce\"", "null", "point 1: 'operation' is not a string"},
		{"\"bytes\": 1099511627776", "\"bytes\": -1", "point 1: 'bytes' is negative"},
		{"\"bytes\": 1099511627776", "\"bytes\": 0.5", "point 1: 'bytes' is not a whole number"},
		{"\"bytes\": 1099511627776", "\"bytes\": 9223372036854775807",
	         "point 1: 'bytes' is 9223372036854775807, which is impossible"},
		{"\"bytes\": 1099511627776", "\"bytes\": 1e999", "a number in line 19 is too large"},
		{"\"ranks\": 2", "\"ranks\": 0", "point 1: 'ranks' must be 1 or more"},
		{"\"ranks\": 2", "\"ranks\": 1", "point 1: 'root' is 1 of 1 ranks"},
		{"\"ranks\": 2", "\"ranks\": 3", "point 1: 'processes' has 2 entries, but 'ranks' is 3"},
		{"\"in_place\": true", "\"in_place\": 1", "point 1: 'in_place' is neither true nor false"},
		{"\"runs\": 17", "\"runs\": 3", "point 1: 'right' is 6, but 'runs' is 3"},
		{"\"right\": 6", "\"right\": 7", "point 1: 'times_s' has 6 values, but 'right' is 7"},
		{"\"right\": 6", "\"right\": 3", "point 1: 'kept' is 4, but 'right' is 3"},
		{"\"min_s\": 0", "\"min_s\": 9", "point 1: 'min_s' is above 'max_s'"},
		{"\"mean_s\": 0", "\"mean_s\": -0", "point 1: 'mean_s' is negative"},
		{"\"mean_s\": 0", "\"mean_s\": \"a\", \"x\": 0", "point 1: 'mean_s' is not a number"},
		{"\"mean_s\": 0", "\"mean_s\": NaN, \"x\": 0", "it is not JSON: line 31, column 19"},
		{"\"mean_s\"", "\"mean\"", "point 1: 'mean_s' is missing"},
		{"[4.25e-06", "[-4.25e-06", "point 1: 'times_s': value 1 is negative"},
		{"4.5e-06", "true", "point 1: 'times_s': value 2 is not a number"},
		{"[4.25e-06", "4, \"x\": [4.25e-06", "point 1: 'times_s' is not a list"},
		{"\"mean_s\": 3.5", "\"m\": 3.5", "point 1: process 0: 'mean_s' is missing"},
		{"\"marks\": [", "\"marks\": 1, \"x\": [", "point 1: 'marks' is not a list"},
		{"\"step\": \"MPI_Init\"", "\"s\": 1", "memory 1: 'step' is missing"},
		{"\"shared_bytes\": -8", "\"shared_bytes\": 1e30", "memory 1: 'shared_bytes' is too large"},
		{"\"operation\": \"MPI_Ibarrier\"", "\"o\": 1", "omission 1: 'operation' is missing"},
		{"\"bytes\": 1099511627776", "\"ranks\": 2", "line 20 repeats an earlier key"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		assert_string_equal(refusal_of(wrong[i].from, wrong[i].to), wrong[i].reason);
}

static void texts_move_no_cursor(void **state)
{
	static const char json[] =
		"{\"format\": \"tarry-bench\", \"version\": 1, \"complete\": true, \"trouble\": null,"
		"\"facts\": {\"a\\u001bb\": {\"c\\u0007\": \"d\\u001b[2Je\"}}, \"points\": [],"
		"\"omissions\": []}";
	struct results results;

	(void)state;
	assert_int_equal(results_parse(json, sizeof json - 1, &results), OK);
	assert_string_equal(results_find_fact(&results, "a?b", "c?"), "d?[2Je");
	results_release(&results);
}

/* Ten runs around a time. */
static void add_runs(struct results *results, uint64_t bytes, double factor)
{
	struct result_point point = some_point();
	double times[10];

	for (int i = 0; i < 10; i++)
		times[i] = factor * (100 + i);
	point.bytes = bytes;
	point.times = times;
	point.processes = NULL;
	point.summary = summarize_values(times, 10, 0.25, 0.95);
	results_add(results, &point);
}

static void differ_as_planted(void **state)
{
	static const enum verdict expected[] = {VERDICT_SAME, VERDICT_SLOWER, VERDICT_FASTER, VERDICT_UNSURE};
	struct comparing how = {.confidence = 0.95, .threshold = 0.05};
	struct results first, second;
	struct differences found;

	(void)state;
	results_init(&first);
	results_init(&second);
	for (uint64_t bytes = 1; bytes <= 4; bytes++)
		add_runs(&first, bytes, 1);
	add_runs(&first, 77, 1);
	results_fact(&first, "mpi", "library", "a");
	results_fact(&first, "self-tests", "Null", "1");
	results_fact(&second, "self-tests", "Null", "2");
	results_fact(&second, "mpi", "library", "b");
	/* In another order. */
	add_runs(&second, 88, 1);
	add_runs(&second, 4, 1.06);
	add_runs(&second, 3, 0.8);
	add_runs(&second, 2, 1.2);
	add_runs(&second, 1, 1.001);
	/* The fourth scatters too much. */
	*(double *)second.points[1].times = 1;
	for (int i = 1; i < 6; i++)
		((double *)second.points[1].times)[i] = i % 2 ? 300 : 30;
	differences_find(&first, &second, &how, &found);
	assert_int_equal(found.count, 4);
	for (size_t i = 0; i < found.count; i++) {
		assert_int_equal(found.at[i].first->bytes, i + 1);
		assert_int_equal(found.at[i].second->bytes, i + 1);
		assert_int_equal(found.at[i].verdict, expected[i]);
		assert_int_equal(found.verdicts[i], 1);
		assert_true(found.at[i].p >= found.at[i].comparison.p);
	}
	assert_int_equal(found.only_first_count, 1);
	assert_int_equal(found.only_first[0]->bytes, 77);
	assert_int_equal(found.only_second[0]->bytes, 88);
	assert_int_equal(found.fact_count, 1);
	assert_string_equal(found.facts[0].second, "b");
	differences_release(&found);
	results_release(&first);
	results_release(&second);
}

/* Two folders of five jobs. In each job all runs are shifted by as much as no run scatters: 10 % from job to job. */
static void write_jobs(const char *folder, double factor)
{
	for (int job = 0; job < 5; job++) {
		struct results results;
		char path[128];
		struct output_files files = {.json = path};

		snprintf(path, sizeof path, "%s/%d.json", folder, job);
		results_init(&results);
		results_fact(&results, "mpi", "library", "a");
		results_fact(&results, "machine", "load", "%d", job);
		results.is_complete = true;
		add_runs(&results, 8, 1 + 0.1 * job);
		add_runs(&results, 64, factor * (1 + 0.01 * job));
		assert_int_equal(results_write(&results, &files), OK);
		results_release(&results);
	}
}

static void remove_jobs(const char *folder)
{
	char path[128];

	for (int job = 0; job < 5; job++) {
		snprintf(path, sizeof path, "%s/%d.json", folder, job);
		assert_int_equal(unlink(path), 0);
	}
	assert_int_equal(rmdir(folder), 0);
}

static void jobs_count_once(void **state)
{
	char folders[2][32] = {"/tmp/tarry-jobs-XXXXXX", "/tmp/tarry-jobs-XXXXXX"};
	struct comparing how = {.confidence = 0.95, .threshold = 0.05};
	struct results first, second;
	struct differences found;

	(void)state;
	for (int i = 0; i < 2; i++) {
		assert_non_null(mkdtemp(folders[i]));
		assert_int_equal(results_read_jobs(folders[i], &first), FAILED);
		write_jobs(folders[i], i ? 1.5 : 1);
	}
	assert_int_equal(results_read_jobs(folders[0], &first), OK);
	assert_int_equal(results_read_jobs(folders[1], &second), OK);
	assert_int_equal(first.jobs, 5);
	assert_int_equal(first.point_count, 2);
	assert_int_equal(first.points[1].summary.count, 5);
	assert_true(fabs(first.points[1].times[4] - 104.5 * 1.04) < 1e-9);
	assert_string_equal(results_find_fact(&first, "mpi", "library"), "a");
	assert_string_equal(results_find_fact(&first, "machine", "load"), "not the same in all jobs");
	differences_find(&first, &second, &how, &found);
	assert_int_equal(found.at[0].verdict, VERDICT_UNSURE);
	assert_int_equal(found.at[1].verdict, VERDICT_SLOWER);
	assert_true(fabs(found.at[1].comparison.p - 2.0 / 252) < 1e-12);
	differences_release(&found);
	results_release(&first);
	results_release(&second);
	for (int i = 0; i < 2; i++)
		remove_jobs(folders[i]);
}

/* The clean twin: a result compared with itself has no differences. */
static void are_the_same_as_themselves(void **state)
{
	struct comparing how = {.confidence = 0.95, .threshold = 0.05};
	struct results results;
	struct differences found;

	(void)state;
	results_init(&results);
	for (uint64_t bytes = 1; bytes <= 40; bytes++)
		add_runs(&results, bytes % 7, 1);
	differences_find(&results, &results, &how, &found);
	assert_int_equal(found.count, 40);
	assert_int_equal(found.verdicts[VERDICT_SLOWER] + found.verdicts[VERDICT_FASTER], 0);
	assert_int_equal(found.only_first_count + found.only_second_count + found.fact_count, 0);
	for (size_t i = 0; i < found.count; i++)
		assert_ptr_equal(found.at[i].first, found.at[i].second);
	differences_release(&found);
	results_release(&results);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(pages_of_very_many_runs_stay_small),
		cmocka_unit_test(are_the_same_after_reading),
		cmocka_unit_test(keep_copies),
		cmocka_unit_test(write_csv),
		cmocka_unit_test(table_fits),
		cmocka_unit_test(write_files_whole),
		cmocka_unit_test(refuse_what_is_wrong),
		cmocka_unit_test(texts_move_no_cursor),
		cmocka_unit_test(differ_as_planted),
		cmocka_unit_test(jobs_count_once),
		cmocka_unit_test(are_the_same_as_themselves),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
