/* tarry: finds the command, parses its options, runs it. */
#include "base/memory.h"
#include "base/unfinished.h"
#include "cli/command.h"
#include "cli/version.h"

#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void out_of_memory(size_t wanted)
{
	say("out of memory: cannot allocate %zu bytes", wanted);
	exit(exit_code_when_exhausted);
}

/* Remove unfinished files, and let the caller see the signal that ended the process. */
static void end_by(int number)
{
	/* It uses nothing but calls of the system. NOLINTNEXTLINE(bugprone-signal-handler) */
	unfinished_remove();
	signal(number, SIG_DFL);
	raise(number);
}

/* So a write beyond the limit of file sizes fails and is reported. Started jobs keep the default action,
 * because exec resets handlers. */
static void go_on(int number)
{
	(void)number;
}

/* The name of the nth argument that the usage does not have in brackets, such as TRACE. */
static const char *argument_name(const char *usage, int number, size_t *length)
{
	for (;; usage += *length) {
		usage += strspn(usage, " ");
		*length = *usage == '[' ? strcspn(usage, "]") + 1 : strcspn(usage, " .");
		if (*usage != '[' && !number--)
			return usage;
	}
}

static enum status check_operands(const struct command *command, const struct operands *operands)
{
	if (operands->count < command->operands.min) {
		size_t length;
		const char *name = argument_name(command->usage, operands->count, &length);

		if (islower((unsigned char)*name))
			return fail("missing argument: tarry %s %s", command->name, command->usage);
		return fail("missing argument %.*s: tarry %s %s", (int)length, name, command->name,
		            command->usage);
	}
	if (operands->count > command->operands.max)
		return fail("unexpected argument '%s': tarry %s %s", operands->at[command->operands.max],
		            command->name, command->usage);
	return OK;
}

static int run_command(const struct command *command, int argc, char **argv)
{
	struct operands operands;
	struct arena arena = {0};
	int code;

	if (options_parse(command->options, command->order, argc, argv, &operands) != OK)
		return misuse(command, "%s", trail_text());
	if (operands.help)
		return explain(command);
	if (check_operands(command, &operands) != OK || (command->check && command->check() != OK))
		return misuse(command, "%s", trail_text());
	code = command->run(&(struct invocation){operands.count, operands.at, &arena});
	arena_release(&arena);
	return code;
}

static int run(int argc, char **argv)
{
	struct operands operands;
	const struct command *command, *sub;

	if (options_parse(overview_options, OPTIONS_FIRST, argc - 1, argv + 1, &operands) != OK)
		return misuse(NULL, "%s", trail_text());
	if (version_wanted) {
		version_print();
		return EXIT_FINE;
	}
	if (operands.help)
		return explain(NULL);
	if (!operands.count)
		return misuse(NULL, "no command given");
	command = command_find(operands.at[0]);
	if (!command)
		return unknown_command(operands.at[0]);
	/* `tarry bench compare` is a different command from `tarry bench`. */
	sub = operands.count > 1 ? subcommand_find(command, operands.at[1]) : NULL;
	return sub ? run_command(sub, operands.count - 2, operands.at + 2)
	           : run_command(command, operands.count - 1, operands.at + 1);
}

int main(int argc, char **argv)
{
	int code;
	static const int ending[] = {SIGINT, SIGTERM, SIGHUP};

	memory_on_exhaustion(out_of_memory);
	/* Except signals that nohup and similar commands have set to be ignored. */
	for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
		if (signal(ending[i], end_by) == SIG_IGN)
			signal(ending[i], SIG_IGN);
	if (signal(SIGXFSZ, go_on) == SIG_IGN)
		signal(SIGXFSZ, SIG_IGN);
	/* Output that did not reach its file is a failure, even if the command succeeded. */
	code = run(argc, argv);
	if (fflush(stdout) == 0 && !ferror(stdout))
		return code;
	say("cannot write all output to stdout");
	return code ? code : EXIT_FAILED;
}
