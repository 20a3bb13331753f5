#include "cli/command.h"
#include "cli/outputs.h"
#include "cli/scaling_input.h"
#include "cli/terminal.h"
#include "cli/trace_analysis.h"
#include "output/scaling/scaling.h"

static struct {
	const char *json, *svg;
	bool is_weak, is_strong;
	int64_t jobs;
} choice;

static const struct option_spec options[] = {
	{"strong", 0, NULL, "all runs do the same work; default: detected from the computing time",
         OPTION_FLAG, &choice.is_strong},
	{"weak", 0, NULL, "the work grows with the number of ranks", OPTION_FLAG, &choice.is_weak},
	{"json", 0, "FILE", "write the efficiencies to FILE as JSON; '-': print that instead of text",
         OPTION_TEXT, &choice.json},
	{"svg", 0, "FILE", "write a plot of the efficiencies to FILE; '-': print that", OPTION_TEXT,
         &choice.svg},
	JOBS_OPTION(choice.jobs),
	OPTIONS_END,
};

static void add_json(const void *scaling, struct text *out)
{
	scaling_json(scaling, out);
}

static void add_svg(const void *scaling, struct text *out)
{
	scaling_svg(scaling, out);
}

static void add_text(const void *scaling, struct text *out)
{
	scaling_text(scaling, out);
}

enum { OUTPUTS = 2 };

static void list_outputs(struct output_option outputs[OUTPUTS])
{
	outputs[0] = (struct output_option){"json", choice.json, add_json};
	outputs[1] = (struct output_option){"svg", choice.svg, add_svg};
}

static enum status check_choice(void)
{
	struct output_option outputs[OUTPUTS];

	if (choice.is_strong && choice.is_weak)
		return fail("options '--strong' and '--weak' cannot be combined");
	list_outputs(outputs);
	return outputs_check(outputs, OUTPUTS, (char *[]){NULL});
}

/* One trace after the other: each may need much memory. */
static int add_runs(struct scaling *scaling, const struct invocation *given)
{
	struct trace_analysis_options how = {
		.jobs = jobs_given(choice.jobs), .no_causes = true, .report = {.profile = true}};

	for (int i = 0; i < given->argc; i++) {
		struct trace_analysis analysed;
		struct scaling_run run;
		enum status status;
		int code = analyze_trace(given->argv[i], &how, &analysed);

		if (code != EXIT_FINE)
			return code;
		run = scaling_run_of_trace(&analysed, &how, given->arena);
		status = scaling_add(scaling, &run);
		say_damage(analysed.reader);
		trace_analysis_release(&analysed);
		if (status != OK)
			return report_failure();
	}
	return EXIT_FINE;
}

static int run_scaling(const struct invocation *given)
{
	struct output_option outputs[OUTPUTS];
	struct scaling scaling = {0};
	int code = add_runs(&scaling, given);

	list_outputs(outputs);
	if (code == EXIT_FINE && (scaling_finish(&scaling, choice.is_weak     ? SCALING_WEAK
	                                                   : choice.is_strong ? SCALING_STRONG
	                                                                      : SCALING_DETECT) != OK ||
	                          outputs_write(outputs, OUTPUTS, add_text, &scaling) != OK))
		code = report_failure();
	scaling_release(&scaling);
	return code;
}

const struct command command_scaling = {
	.name = "scaling",
	.summary = "show how a program scales, from runs with different numbers of ranks",
	.usage = "[options] TRACE TRACE...",
	.example = "tarry scaling n2.tarry n4.tarry n8.tarry\n"
		   "tarry scaling --weak --svg scaling.svg n*.tarry",
	.options = options,
	.operands = {1, OPERANDS_ANY},
	.check = check_choice,
	.run = run_scaling,
};
