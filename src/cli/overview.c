#include "cli/overview.h"

#include "cli/command.h"

enum { SUMMARY_COLUMN = 14, HELP_WIDTH = 80 };

bool version_wanted;

const struct option_spec overview_options[] = {
	{"version", 'V', NULL, "print the version", OPTION_FLAG, &version_wanted},
	OPTIONS_END,
};

void overview(struct text *out)
{
	text_add(out, "usage: tarry COMMAND [options] ...\n\n"
	              "Record MPI and UPC programs and find where they wait.\n\nCOMMANDS\n");
	for (const struct command *const *command = commands; *command; command++) {
		if ((*command)->hidden)
			continue;
		text_add(out, "  %-*s", SUMMARY_COLUMN - 2, (*command)->name);
		text_add_wrapped(out, (*command)->summary, SUMMARY_COLUMN, HELP_WIDTH);
	}
	text_add(out, "\nOPTIONS\n");
	options_help(overview_options, out);
	text_add(out, "\nEXAMPLE\n  tarry run -- mpirun -n 4 ./app\n  tarry help run\n");
}

int unknown_command(const char *name)
{
	struct nearest nearest = {.word = name};

	for (const struct command *const *command = commands; *command; command++)
		if (!(*command)->hidden)
			nearest_offer(&nearest, (*command)->name);
	if (nearest_found(&nearest))
		return misuse(NULL, "unknown command '%s', did you mean '%s'?", name,
		              nearest_found(&nearest));
	return misuse(NULL, "unknown command '%s'", name);
}
