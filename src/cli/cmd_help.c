#include "cli/command.h"

static const struct option_spec options[] = {OPTIONS_END};

static int run_help(int argc, char **argv)
{
	const struct command *command = argc ? command_find(argv[0]) : NULL;

	if (argc && !command)
		return unknown_command(argv[0]);
	if (argc == 2)
		command = subcommand_find(command, argv[1]);
	if (argc && !command)
		return misuse(&command_help, "'%s' is no command of 'tarry %s'", argv[1], argv[0]);
	return explain(command);
}

const struct command command_help = {
	.name = "help",
	.summary = "explain a command",
	.usage = "[COMMAND [COMMAND]]",
	.example = "tarry help run",
	.options = options,
	.operands_max = 2,
	.run = run_help,
};
