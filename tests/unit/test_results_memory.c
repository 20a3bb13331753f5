#include "bench/results/fields.h"
#include "bench/results/memory_use.h"
#include "bench/results/output.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A library that takes 1000 bytes and 100 more for each process; communicators cost the same whatever their size. */
static void fill(struct results *results)
{
	results_init(results);
	for (int ranks = 2; ranks <= 64; ranks *= 2) {
		struct memory_use init = {"MPI_Init", ranks, 600 + 50 * ranks, 400 + 50 * ranks, 7, 8, 9};
		struct memory_use copy = {"a \"copy\", of all", ranks, 300, 0, -4096, 0, 300};

		results_add_memory(results, &init);
		results_add_memory(results, &copy);
	}
}

static void growth_is_the_slope(void **state)
{
	struct results results;
	struct memory_of_steps steps;
	struct arena arena = {0};
	struct fitted_line growth;

	(void)state;
	fill(&results);
	steps = memory_by_step(&results, &arena);
	assert_int_equal(steps.count, 2);
	assert_string_equal(steps.at[0].name, "MPI_Init");
	assert_int_equal(steps.at[0].count, 6);
	assert_int_equal(steps.at[0].uses[5]->ranks, 64);
	assert_true(memory_growth(&steps.at[0], &growth));
	assert_true(growth.slope > 99.999 && growth.slope < 100.001);
	assert_true(growth.offset > 999.9 && growth.offset < 1000.1);
	assert_true(memory_growth(&steps.at[1], &growth));
	assert_true(growth.slope > -0.001 && growth.slope < 0.001);
	steps.at[0].count = 1;
	assert_false(memory_growth(&steps.at[0], &growth));
	arena_release(&arena);
	results_release(&results);
}

/* A file may have as many steps as it likes: with a search among all for each, this would take minutes. */
static void many_steps_are_shown(void **state)
{
	enum { STEPS = 40000 };
	struct text name = {0}, table = {0}, page = {0};
	struct results results;

	(void)state;
	results_init(&results);
	for (int i = 0; i < STEPS; i++) {
		text_clear(&name);
		text_add(&name, "a step of which there are many, number %d", STEPS - i);
		results_add_memory(&results, &(struct memory_use){.step = text_get(&name), .ranks = 2});
	}
	memory_table(&results, &table);
	assert_non_null(strstr(text_get(&table), "\na step of which there are many, number 40000\n"));
	assert_non_null(strstr(text_get(&table), "\na step of which there are many, number 1\n"));
	results_page(&results, &page);
	assert_non_null(strstr(text_get(&page), "there are many, number 1\""));
	text_release(&name);
	text_release(&table);
	text_release(&page);
	results_release(&results);
}

static void is_the_same_after_reading(void **state)
{
	struct results written, read;
	struct text text = {0};

	(void)state;
	fill(&written);
	results_json(&written, &text);
	assert_int_equal(results_parse(text_get(&text), text.length, &read), OK);
	assert_int_equal(read.memory_count, written.memory_count);
	for (size_t i = 0; i < read.memory_count; i++) {
		const struct memory_use *a = &written.memory[i], *b = &read.memory[i];

		assert_string_equal(a->step, b->step);
		assert_int_equal(a->ranks, b->ranks);
		for (const struct memory_field *field = memory_fields; field->name; field++)
			assert_true(*memory_value(field, a) == *memory_value(field, b));
	}
	text_release(&text);
	results_release(&read);
	results_release(&written);
}

static void refuses_what_is_wrong(void **state)
{
	static const char head[] = "{\"format\": \"" RESULTS_FORMAT "\", \"version\": 1, \"complete\": true, "
				   "\"trouble\": null, \"facts\": {}, \"points\": [], \"omissions\": [], ";
	static const struct {
		const char *memory, *sentence;
	} cases[] = {
		{"\"memory\": 3}", "'memory' is not a list"},
		{"\"memory\": [{}]}", "memory 1: 'step' is missing"},
		{"\"memory\": [{\"step\": \"x\", \"ranks\": -1}]}", "memory 1: 'ranks' is negative"},
		{"\"memory\": [{\"step\": \"x\", \"ranks\": 1, \"private_bytes\": \"y\"}]}",
	         "memory 1: 'private_bytes' is not a number"},
	};
	struct results results;

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct text text = {0};

		text_add(&text, "%s%s", head, cases[i].memory);
		assert_int_equal(results_parse(text_get(&text), text.length, &results), FAILED);
		assert_string_equal(trail_text(), cases[i].sentence);
		text_release(&text);
	}
}

static void is_shown(void **state)
{
	struct results results;
	struct text table = {0}, csv = {0};

	(void)state;
	fill(&results);
	memory_table(&results, &table);
	assert_non_null(
		strstr(text_get(&table), "      4  800 bytes  600 bytes    8 bytes    9 bytes    5.5 KiB\n"));
	assert_non_null(strstr(text_get(&table), "  each further process adds 100 bytes to every process\n"));
	assert_non_null(strstr(text_get(&table), "  it does not grow with the number of processes\n"));
	results_csv(&results, &csv);
	assert_non_null(strstr(text_get(&csv), "\nMPI_Init,2,700,500,7,8,9\n"));
	assert_non_null(strstr(text_get(&csv), "\n\"a \"\"copy\"\", of all\",2,300,0,-4096,0,300\n"));
	text_release(&table);
	text_release(&csv);
	results_release(&results);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(growth_is_the_slope),
		cmocka_unit_test(many_steps_are_shown),
		cmocka_unit_test(is_the_same_after_reading),
		cmocka_unit_test(refuses_what_is_wrong),
		cmocka_unit_test(is_shown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
