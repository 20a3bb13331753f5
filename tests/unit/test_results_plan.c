#include "bench/results/plan.h"
#include "bench/results/plan_options.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct arena arena;

static int release(void **state)
{
	(void)state;
	arena_release(&arena);
	return 0;
}

/* "8 16 32", or why there are none. */
static const char *shown(enum status status, const struct uint_list *numbers)
{
	struct text text = {0};
	const char *copy;

	if (status != OK)
		return trail_text();
	for (size_t i = 0; i < numbers->count; i++)
		text_add(&text, "%s%llu", i ? " " : "", (unsigned long long)numbers->at[i]);
	copy = arena_text(&arena, text_get(&text));
	text_release(&text);
	return copy;
}

static const char *sizes(const char *list)
{
	struct uint_list numbers;

	return shown(plan_sizes(list, &arena, &numbers), &numbers);
}

static const char *ranks(const char *list, int world)
{
	struct uint_list numbers;

	return shown(plan_ranks(list, world, &arena, &numbers), &numbers);
}

static void sizes_as_written(void **state)
{
	(void)state;
	assert_string_equal(sizes("1,1K,64K"), "1 1024 65536");
	assert_string_equal(sizes("8-64"), "8 16 32 64");
	assert_string_equal(sizes("8-1K:4"), "8 32 128 512 1024");
	assert_string_equal(sizes("2-8:+3"), "2 5 8");
	assert_string_equal(sizes("7-7"), "7");
	assert_string_equal(sizes("0-4"), "0 1 2 4");
	assert_string_equal(sizes("64,8-64,8"), "64 8 16 32");
	assert_string_equal(sizes(NULL), "1 16 256 4096 65536 1048576");
}

static void sizes_that_overflow(void **state)
{
	(void)state;
	assert_string_equal(sizes("4P-16383P:1000"), "4503599627370496 4503599627370496000 "
	                                             "18445618173802708992");
	assert_string_equal(sizes("99999999999999999999"),
	                    "list '99999999999999999999', '99999999999999999999': "
	                    "'99999999999999999999' does not fit in 64 bits");
	assert_string_equal(sizes("1,16384P"), "list '1,16384P', '16384P': '16384P' does not fit in 64 bits");
}

static void lists_that_are_none(void **state)
{
	(void)state;
	assert_string_equal(sizes("1,,2"),
	                    "list '1,,2', '': '' is not a size; write it like 4096, 64K, 16M or 1G");
	assert_string_equal(sizes("8-"),
	                    "list '8-', '8-': '' is not a size; write it like 4096, 64K, 16M or 1G");
	assert_string_equal(sizes("64-8"), "list '64-8', '64-8': ends before it begins");
	assert_string_equal(
		sizes("1-8:1"),
		"list '1-8:1', '1-8:1': '1' is not a factor: it must be at least 2; for a step, write '+1'");
	assert_string_equal(sizes("1-8:+0"),
	                    "list '1-8:+0', '1-8:+0': '+0' is not a step: it must be at least 1");
	assert_string_equal(sizes("1-1G:+1"),
	                    "list '1-1G:+1', '1-1G:+1': has more than 4096 numbers: take larger steps");
}

static void ranks_as_written(void **state)
{
	(void)state;
	assert_string_equal(ranks("2,4,8", 8), "2 4 8");
	assert_string_equal(ranks("2-12", 12), "2 4 8 12");
	assert_string_equal(ranks("all", 7), "7");
	assert_string_equal(ranks(NULL, 7), "7");
	assert_string_equal(ranks("2,9", 8),
	                    "list '2,9': 9 processes are requested, but the job has 8: start it "
	                    "with more");
	assert_string_equal(ranks("0", 8), "list '0': the number of processes must be at least 1");
}

static void roots(void **state)
{
	int root;

	(void)state;
	assert_int_equal(plan_root(NULL, 5, &root), OK);
	assert_int_equal(root, 0);
	assert_int_equal(plan_root("last", 5, &root), OK);
	assert_int_equal(root, 4);
	assert_int_equal(plan_root("middle", 5, &root), OK);
	assert_int_equal(root, 2);
	assert_int_equal(plan_root("3", 4, &root), OK);
	assert_int_equal(root, 3);
	assert_int_equal(plan_root("4", 4, &root), FAILED);
	assert_string_equal(trail_text(), "root 4 is not among 4 processes: take a lower one");
	assert_int_equal(plan_root("2", 1, &root), FAILED);
	assert_string_equal(trail_text(), "root 2 is not among 1 process: take a lower one");
	assert_int_equal(plan_root("first", 4, &root), FAILED);
	assert_string_equal(trail_text(),
	                    "a root must be a rank, 'middle' or 'last': 'first' is not a whole number");
}

/* What plan_check() says of these options; "" if nothing. */
static const char *said_of(const char *line)
{
	static char copy[256], *words[17];
	struct operands operands;
	int count = 0;
	const char *said;

	plan = plan_defaults;
	strncpy(copy, line, sizeof copy - 1);
	copy[sizeof copy - 1] = 0;
	for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
		words[count++] = word;
	words[count] = NULL;
	if (options_parse(plan_options, OPTIONS_ANYWHERE, count, words, &operands) != OK)
		return trail_text();
	plan.operations = (struct string_list){(const char **)operands.at, (size_t)operands.count};
	said = plan_check(&plan) == OK ? "" : trail_text();
	return said;
}

static void plans_that_are_fine(void **state)
{
	(void)state;
	assert_string_equal(said_of(""), "");
	assert_string_equal(said_of("bcast --sizes 8-1M --ranks 2-8 --root last --trim 10% --confidence 0.9"),
	                    "");
	assert_true(plan.trim == 0.1);
	assert_true(plan.confidence == 0.9);
	assert_string_equal(
		said_of("--sync ring --method loop --cache warm -o a --csv b --html c --align 4K"), "");
	assert_string_equal(said_of("--memory --ranks 2,4"), "");
	assert_string_equal(said_of("--layouts 1x8,2x4 bcast"), "");
}

static void plans_that_cannot_be(void **state)
{
	static const struct {
		const char *line, *sentence;
	} cases[] = {
		{"--trim 50%",
	         "option '--trim': 0.5 is out of range: it is dropped at both ends, so take less than 50%"},
		{"--trim=-1",
	         "option '--trim': -1 is out of range: it is dropped at both ends, so take less than 50%"},
		{"--confidence 1",
	         "option '--confidence': 1 is out of range: take a share from 50% up to, not including, 100%"},
		{"--confidence nan",
	         "option '--confidence': 'nan' is not a number; write it like 0.25 or 25%"},
		{"--warm-up 0",
	         "option '--warm-up': 0 is out of range: the first run differs from the others, so "
	         "take 1 or more"},
		{"--stage 9000000000000000000",
	         "option '--stage': 9e+18 is out of range: take 1000000 or less"},
		{"--max-runs 100000000", "option '--max-runs': 1e+08 is out of range: take 1000000 or less"},
		{"--csv -", "an output is rewritten after each point, so it cannot be stdout: name a file"},
		{"--widening 1",
	         "option '--widening': 1 is out of range: a window must be longer than its run, "
	         "so take more than 1"},
		{"--min-right 1",
	         "option '--min-right': 1 is out of range: one run has no deviation, so take 2 or "
	         "more"},
		{"--min-right 40",
	         "option '--min-right': 40 is more than '--max-right' (30): no run could be the last"},
		{"--align 48", "option '--align': 48 is not an alignment: take a power of 2 up to 1G"},
		{"--sync star", "option '--sync': 'star' is not one of linear|ring|tree"},
		{"--root up",
	         "option '--root': a root must be a rank, 'middle' or 'last': 'up' is not a whole number"},
		{"--root=-1", "option '--root': '-1' is not a rank"},
		{"--sizes x",
	         "option '--sizes': list 'x', 'x': 'x' is not a size; write it like 4096, 64K, 16M or "
	         "1G"},
		{"--sizes 1 --sizes 2",
	         "option '--sizes': is given twice: put all names into one list, '1,2'"},
		{"--layouts 1x8,2",
	         "option '--layouts': '2' is not a layout: write nodes and processes on each, as in 2x4"},
		{"--layouts 2x4x", "option '--layouts': '2x4x' is not a layout: write nodes and processes on "
	                           "each, as in 2x4"},
		{"--layouts 99999x99999",
	         "option '--layouts': '99999x99999' is not a layout: write nodes and "
	         "processes on each, as in 2x4"},
		{"--ranks 2 --layouts 1x2",
	         "options '--ranks' and '--layouts' exclude each other: leave out one"},
		{"-o r --csv r", "'r' is given for two outputs: give each output its own name"},
		{"--memory bcast", "option '--memory' measures the whole library: leave out 'bcast'"},
		{"--size 3", "unknown option '--size', did you mean '--sizes'?"},
		{"--die-afte 3", "unknown option '--die-afte'"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(said_of(cases[i].line), cases[i].sentence);
}

/* Words are as good as the plan that they were made from. */
static void words_of_a_plan(void **state)
{
	struct text line = {0};

	(void)state;
	assert_string_equal(said_of("-s 8-64 --trim 10% --in-place bcast --json=r.json --seed 7 gather"), "");
	for (char **word = plan_argv(&plan, &arena); *word; word++)
		text_add(&line, "%s%s", line.length ? " " : "", *word);
	assert_string_equal(text_get(&line),
	                    "--sizes=8-64 --in-place --trim=0.1 --seed=7 --json=r.json bcast gather");
	assert_string_equal(said_of(text_get(&line)), "");
	assert_true(plan.trim == 0.1 && plan.seed == 7 && plan.in_place && plan.operations.count == 2);
	text_release(&line);
	plan = plan_defaults;
	assert_null(*plan_argv(&plan, &arena));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_as_written),
		cmocka_unit_test(sizes_that_overflow),
		cmocka_unit_test(lists_that_are_none),
		cmocka_unit_test(ranks_as_written),
		cmocka_unit_test(roots),
		cmocka_unit_test(plans_that_are_fine),
		cmocka_unit_test(plans_that_cannot_be),
		cmocka_unit_test(words_of_a_plan),
	};

	return cmocka_run_group_tests(tests, NULL, release);
}
