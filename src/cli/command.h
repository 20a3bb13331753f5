/* The commands of `tarry`. Each is one file, cmd_NAME.c, that defines
 *
 *	const struct command command_NAME = {
 *		.name = "NAME",
 *		.summary = "what it does, in a few words",
 *		.usage = "[options] TRACE",
 *		.example = "tarry NAME run.tarry",
 *		.options = options,
 *		.operands = {1, 1},
 *		.run = run_NAME,
 *	};
 *
 * and one line in COMMANDS below, or in the table of the command that it belongs to: `tarry bench compare` is
 * cmd_bench_compare.c with `command_bench_compare`, whose name is "bench compare". main.c parses the options,
 * answers --help and wrong usage, and calls `run`. If something fails, `run` ends with `return
 * report_failure();`. */
#ifndef TARRY_CLI_COMMAND_H
#define TARRY_CLI_COMMAND_H

#include "base/arena.h"
#include "base/options.h"

#include <limits.h>
#include <stdbool.h>

/* The same for every command. `run` and `exec` also pass on the exit code of the program. */
enum exit_code {
	EXIT_FINE = 0,
	EXIT_FAILED = 1,
	EXIT_USAGE = 2,
	EXIT_GATE = 3,      /* a limit set by the user was exceeded */
	EXIT_WRONG_USE = 4, /* the program uses MPI wrongly */
	EXIT_UNTRUSTED = 5, /* the trace or the check is too incomplete to decide */
	/* as in shells */
	EXIT_CANNOT_RUN = 126,
	EXIT_NOT_FOUND = 127,
	EXIT_BY_SIGNAL = 128,
};

#define OPERANDS_ANY INT_MAX

/* The input of a command. */
struct invocation {
	int argc;
	char **argv;         /* the operands; NULL after the last */
	struct arena *arena; /* lives as long as the command */
};

struct command {
	const char *name;
	const char *summary;
	const char *usage;   /* the words after "tarry NAME" */
	const char *example; /* complete command lines, one per line */
	const struct option_spec *options;
	void (*add_help)(struct text *out); /* a section of --help after the options; NULL: none */
	enum options_order order;
	struct {
		int min, max; /* OPERANDS_ANY: any number */
	} operands;
	const struct command *const *subcommands; /* by the first word after the name; NULL: none */
	bool hidden;                              /* left out of `tarry --help` */
	enum status (*check)(void); /* checks the options; failure is wrong usage; may be NULL */
	int (*run)(const struct invocation *given); /* returns an exit code */
};

/* In the order of `tarry --help`. */
#define COMMANDS(COMMAND) \
	COMMAND(run) \
	COMMAND(top) \
	COMMAND(exec) \
	COMMAND(check) \
	COMMAND(cc) \
	COMMAND(upcc) \
	COMMAND(analyze) \
	COMMAND(report) \
	COMMAND(view) \
	COMMAND(whatif) \
	COMMAND(diff) \
	COMMAND(scaling) \
	COMMAND(history) \
	COMMAND(info) \
	COMMAND(dump) \
	COMMAND(assemble) \
	COMMAND(recover) \
	COMMAND(export) \
	COMMAND(import) \
	COMMAND(rules) \
	COMMAND(bench) \
	COMMAND(coll) \
	COMMAND(map) \
	COMMAND(doctor) \
	COMMAND(help) \
	COMMAND(completion)

#define COMMAND(name) extern const struct command command_##name;
COMMANDS(COMMAND)
#undef COMMAND

/* Those of `tarry bench`. */
extern const struct command command_bench_show, command_bench_compare, command_bench_tune;
/* Those of `tarry history`. */
extern const struct command command_history_add, command_history_show;
/* Those of `tarry coll`. */
extern const struct command command_coll_show, command_coll_calibrate;

/* All of them, NULL after the last. */
extern const struct command *const commands[];

/* NULL if there is none. */
const struct command *command_find(const char *name);
/* By the last word of its name. */
const struct command *subcommand_find(const struct command *command, const char *word);
/* "compare" of "bench compare". */
const char *command_word(const struct command *command);

/* The exit code if memory is exhausted. A command that has run a job sets it to the job's exit code. */
extern int exit_code_when_exhausted;

/* Prints the trail of causes on stderr: "tarry: …". Returns EXIT_FAILED. */
int report_failure(void);

/* Prints an error of the command line to stderr, with a hint at the --help of the command (NULL: of tarry).
 * Returns EXIT_USAGE. */
int misuse(const struct command *command, const char *format, ...) PRINTF_LIKE(2, 3);

/* One line on stderr, "tarry: …", for information that is not a failure. */
void say(const char *format, ...) PRINTF_LIKE(1, 2);
/* The same for each of these lines. */
void say_lines(const char *lines);

/* Writes the text to this file; "-": to stdout. False: failed, and an error was printed. */
bool write_output(const char *path, const struct text *text);

/* The output of `tarry --help`, and the error for an unknown command. */

/* Options of `tarry` itself. */
extern const struct option_spec overview_options[];
extern bool version_wanted;

/* Prints the help of a command (NULL: of tarry itself). Returns EXIT_FINE. */
int explain(const struct command *command);

/* Returns EXIT_USAGE. */
int unknown_command(const char *name);

#endif
