#include "cli/command.h"

static const struct option_spec options[] = {OPTIONS_END};

static const struct command *const subcommands[] = {&command_history_add, &command_history_show, NULL};

static void add_help(struct text *out)
{
	text_add(out, "\nCommands:\n");
	for (const struct command *const *sub = subcommands; *sub; sub++)
		text_add(out, "  %-6s %s\n", command_word(*sub), (*sub)->summary);
}

static int run_history(const struct invocation *given)
{
	if (given->argc)
		return misuse(&command_history,
		              "unexpected argument '%s': use 'tarry history add' or 'tarry history show'",
		              given->argv[0]);
	return misuse(&command_history, "missing argument: use 'tarry history add' or 'tarry history show'");
}

const struct command command_history = {
	.name = "history",
	.summary = "keep runs by commit and machine, and show their trends",
	.usage = "add|show [options] FILE ...",
	.example = "tarry history add runs.db run.tarry\n"
		   "tarry history show runs.db",
	.options = options,
	.add_help = add_help,
	.operands = {0, OPERANDS_ANY},
	.subcommands = subcommands,
	.run = run_history,
};
