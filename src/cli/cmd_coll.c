#include "cli/command.h"

static const struct option_spec options[] = {OPTIONS_END};

static const struct command *const subcommands[] = {&command_coll_show, NULL};

static int run_coll(int argc, char **argv)
{
	if (argc)
		return misuse(&command_coll, "unknown command 'coll %s'", argv[0]);
	return misuse(&command_coll, "no command given");
}

const struct command command_coll = {
	.name = "coll",
	.summary = "collective operations that know the machine",
	.usage = "COMMAND [options] ...",
	.example = "tarry coll show run.tarry",
	.options = options,
	.operands_max = OPERANDS_ANY,
	.subcommands = subcommands,
	.run = run_coll,
};
