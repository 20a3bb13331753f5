#include "cli/trace_analysis.h"

static struct report_choice choice;

static const struct option_spec options[] = {
	REPORT_OPTIONS(choice),
	OPTIONS_END,
};

static int run_analyze(const struct invocation *given)
{
	return write_reports(&command_analyze, given->argv[0], &choice);
}

const struct command command_analyze = {
	.name = "analyze",
	.summary = "find wait states, their causes and remedies",
	.usage = "[options] TRACE",
	.example = "tarry analyze run.tarry\n"
		   "tarry analyze --rules mine.rules --set eps=10us --json findings.json run.tarry",
	.options = options,
	.operands = {1, 1},
	.run = run_analyze,
};
