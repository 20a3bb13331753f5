#include "bench/results/first_call.h"
#include "bench/results/memory_use.h"
#include "bench/results/output.h"
#include "cli/bench_output.h"
#include "cli/command.h"
#include "cli/terminal.h"

#include <stdio.h>

enum { CSV, PAGE, OUTPUTS_END };

static struct bench_output outputs[OUTPUTS_END] = {
	[CSV] = {.option = "--csv"}, [PAGE] = {.option = "--html"}};

static const struct option_spec options[] = {
	{"csv", 0, "FILE", "write the table to FILE as CSV; '-': print that and no table", OPTION_TEXT,
         &outputs[CSV].path},
	{"html", 0, "FILE", "write a page with plots to FILE; '-': print that", OPTION_TEXT,
         &outputs[PAGE].path},
	OPTIONS_END,
};

typedef void form(const struct results *results, struct text *out);

static form *const forms[OUTPUTS_END] = {[CSV] = results_csv, [PAGE] = results_page};

static void add_table(const struct results *results, struct text *out)
{
	if (results->memory_count)
		memory_table(results, out);
	else if (has_first_calls(results))
		first_call_table(results, out);
	else
		results_table(results, *colour_code(COLOUR_STRONG, stdout) != '\0', out);
}

static enum status show(const struct results *results, form *add, const struct bench_output *output)
{
	struct text text = {0};
	enum status status;

	add(results, &text);
	status = bench_output_write(output, &text);
	text_release(&text);
	return status;
}

static enum status show_all(const struct results *results)
{
	bool is_printed = false;

	for (int i = 0; i < OUTPUTS_END; i++) {
		if (outputs[i].path)
			TRY(show(results, forms[i], &outputs[i]));
		is_printed = is_printed || is_to_stdout(&outputs[i]);
	}
	return is_printed ? OK : show(results, add_table, &(struct bench_output){.path = "-"});
}

static int run_bench_show(int argc, char **argv)
{
	struct results results;
	enum status status;

	(void)argc;
	if (bench_outputs_check(outputs, OUTPUTS_END, argv) != OK)
		return misuse(&command_bench_show, "%s", trail_text());
	if (results_read(argv[0], &results) != OK)
		return report_failure();
	status = show_all(&results);
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
	.operands_min = 1,
	.operands_max = 1,
	.run = run_bench_show,
};
