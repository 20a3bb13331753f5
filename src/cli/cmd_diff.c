#include "cli/command.h"
#include "cli/outputs.h"
#include "cli/terminal.h"
#include "cli/trace_analysis.h"
#include "output/diff/run_diff.h"

#include <stdio.h>
#include <string.h>

enum { FORM_JSON, FORM_HTML, FORMS_END };

static struct {
	struct rule_choice rules;
	const char *symbols;
	const char *outputs[FORMS_END];
	struct string_list limits;
	int64_t jobs;
} choice;

static const struct {
	const char *name;
	void (*write)(const struct run_diff *diff, struct text *out);
} forms[FORMS_END] = {[FORM_JSON] = {"json", run_diff_json}, [FORM_HTML] = {"html", run_diff_html}};

static const struct option_spec options[] = {
	{"json", 0, "FILE", "write the difference to FILE as JSON; '-': print that instead of text",
         OPTION_TEXT, &choice.outputs[FORM_JSON]},
	{"html", 0, "FILE", "write a page for browsers to FILE; '-': print that", OPTION_TEXT,
         &choice.outputs[FORM_HTML]},
	{"fail-on", 0, "LIMIT",
         "exit with code 3 if the second run is worse than LIMIT, such as 'slower>5%' or 'new>1%' (a new finding that would save more than that share of the run); with 5 if the traces cannot be trusted; may be repeated",
         OPTION_WORDS, &choice.limits},
	RULE_OPTIONS(choice.rules),
	SYMBOLS_OPTION(choice.symbols),
	JOBS_OPTION(choice.jobs),
	OPTIONS_END};

static enum status check_choice(void)
{
	struct output_option outputs[FORMS_END];
	struct diff_limit limit;

	for (size_t i = 0; i < choice.limits.count; i++)
		TRY_BECAUSE(diff_limit_parse(choice.limits.at[i], &limit), "option '--fail-on'");
	for (int i = 0; i < FORMS_END; i++)
		outputs[i] = (struct output_option){forms[i].name, choice.outputs[i], NULL};
	return outputs_check(outputs, FORMS_END, (char *[]){NULL});
}

/* Limits can be evaluated only for complete traces. */
static int exit_code_for(const struct run_diff *diff)
{
	struct text sentences = {0};
	bool is_crossed = false;

	for (size_t i = 0; i < choice.limits.count; i++) {
		struct diff_limit limit;
		if (diff_limit_parse(choice.limits.at[i], &limit) == OK)
			is_crossed = diff_limit_is_crossed(&limit, diff, &sentences) || is_crossed;
	}
	say_lines(text_get(&sentences));
	text_release(&sentences);
	if (is_crossed)
		return EXIT_GATE;
	for (int side = 0; side < DIFF_SIDES && choice.limits.count; side++) {
		const struct report_trust *trust = &diff->reports[side]->trust;
		if (!trust->can_judge && trust->reason_count) {
			say("option '--fail-on': '%s' cannot be evaluated: %s",
			    diff->reports[side]->analysis->reader->path, trust->reasons[0].text);
			return EXIT_UNTRUSTED;
		}
	}
	return EXIT_FINE;
}

static bool write_all(const struct run_diff *diff)
{
	bool is_written = true;
	struct text out = {0};

	for (int i = 0; i < FORMS_END; i++) {
		if (!choice.outputs[i])
			continue;
		text_clear(&out);
		forms[i].write(diff, &out);
		is_written = write_output(choice.outputs[i], &out) && is_written;
	}
	if (!any_is_stdout(choice.outputs, FORMS_END)) {
		text_clear(&out);
		run_diff_text(diff, &out);
		if (!speaks_utf8())
			fold_to_ascii(&out);
		fwrite(text_get(&out), 1, out.length, stdout);
		fflush(stdout);
	}
	text_release(&out);
	return is_written;
}

static int compare(const struct trace_analysis *analysed)
{
	struct run_diff *diff = run_diff_new(analysed[DIFF_BEFORE].report, analysed[DIFF_AFTER].report);
	int code = write_all(diff) ? exit_code_for(diff) : EXIT_FAILED;

	run_diff_free(diff);
	return code;
}

static int run_diff(const struct invocation *given)
{
	struct trace_analysis analysed[DIFF_SIDES] = {0};
	struct trace_analysis_options how = {.rules = choice.rules,
	                                     .symbols = choice.symbols,
	                                     .jobs = jobs_given(choice.jobs),
	                                     .report = {.profile = true},
	                                     .prints_text = true};
	int code = analyze_traces(given->argv, DIFF_SIDES, &how, analysed);

	if (code == EXIT_FINE)
		code = compare(analysed);
	for (int side = 0; side < DIFF_SIDES; side++) {
		if (analysed[side].reader)
			say_damage(analysed[side].reader);
		trace_analysis_release(&analysed[side]);
	}
	return code;
}

const struct command command_diff = {
	.name = "diff",
	.summary = "compare two runs",
	.usage = "[options] BEFORE AFTER",
	.example = "tarry diff before.tarry after.tarry\n"
		   "tarry diff --fail-on 'slower>5%' --html diff.html main.tarry branch.tarry",
	.options = options,
	.operands = {2, 2},
	.check = check_choice,
	.run = run_diff,
};
