#include "bench/results/first_call.h"
#include "bench/results/memory_use.h"
#include "bench/results/output.h"
#include "cli/command.h"
#include "cli/outputs.h"
#include "cli/terminal.h"

#include <stdio.h>

static void add_csv(const void *shown, struct text *out)
{
	results_csv(shown, out);
}

static void add_page(const void *shown, struct text *out)
{
	results_page(shown, out);
}

static void add_table(const void *shown, struct text *out)
{
	const struct results *results = shown;

	if (results->memory_count)
		memory_table(results, out);
	else if (has_first_calls(results))
		first_call_table(results, out);
	else
		results_table(results, *colour_code(COLOUR_STRONG, stdout) != '\0', out);
}

enum { CSV, PAGE, OUTPUTS_END };

static struct output_option outputs[OUTPUTS_END] = {
	[CSV] = {.name = "csv", .form = add_csv}, [PAGE] = {.name = "html", .form = add_page}};

static const struct option_spec options[] = {
	{"csv", 0, "FILE", "write the table to FILE as CSV; '-': print that and no table", OPTION_TEXT,
         &outputs[CSV].path},
	{"html", 0, "FILE", "write a page with plots to FILE; '-': print that", OPTION_TEXT,
         &outputs[PAGE].path},
	OPTIONS_END,
};

static int run_bench_show(const struct invocation *given)
{
	struct results results;
	enum status status;

	if (outputs_check(outputs, OUTPUTS_END, given->argv) != OK)
		return misuse(&command_bench_show, "%s", trail_text());
	if (results_read(given->argv[0], &results) != OK)
		return report_failure();
	status = outputs_write(outputs, OUTPUTS_END, add_table, &results);
	results_release(&results);
	return status == OK ? EXIT_FINE : report_failure();
}

const struct command command_bench_show = {
	.name = "bench show",
	.summary = "show the results of a benchmark",
	.usage = "[options] FILE",
	.example = "tarry bench show bcast.json\n"
		   "tarry bench show --html bcast.html bcast.json",
	.options = options,
	.operands = {1, 1},
	.run = run_bench_show,
};
