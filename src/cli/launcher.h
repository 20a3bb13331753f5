/* The command line of a launcher: mpirun, mpiexec, srun, upcrun and their kind, word by word.
 *
 * Only good for guesses (the trace's default name, a sentence about the program) and for telling Open MPI
 * what to carry to other nodes: launchers have options that no table knows. */
#ifndef TARRY_CLI_LAUNCHER_H
#define TARRY_CLI_LAUNCHER_H

#include "base/arena.h"
#include "base/status.h"

enum word_role {
	WORD_STARTER, /* nice, env and the like, with their arguments */
	WORD_LAUNCHER,
	WORD_OPTION,
	WORD_VALUE, /* of the option before */
	WORD_PROGRAM,
	WORD_ARGUMENT, /* of the program */
	WORD_COLON,    /* begins the next program of several */
};

struct launch_line {
	int count;
	char **words;
	enum word_role *roles;
	int command;          /* the launcher or the program, after the words that only start it */
	char *const *program; /* the first program and its arguments; NULL if there is none */
};

/* Words stay the caller's. A command that is not a known launcher is itself the program. */
void launch_line_read(struct launch_line *line, int count, char **words, struct arena *arena);

/* The program that is started first: a shell if the program is in its command. NULL: none. */
const char *launch_line_program(const struct launch_line *line);

/* Open MPI carries a variable to other nodes only when told, by the variable OMPI_MCA_mca_base_env_list or
 * by `-x NAME`, and stops when it meets both. Returns the words to start instead, which say it in the way
 * that the user's own words allow; sets the variable in the environment, which must already have `names`.
 * Hydra and srun carry everything and look at neither. Berkeley UPC's upcrun carries variables whose names begin as the list
 * in UPC_ENVPREFIX says; that is made longer in any case, since a script may run upcrun. */
char **launch_line_forward(const struct launch_line *line, const char *const *names, struct arena *arena);

/* Until the NULL at their end. */
int count_words(char *const *words);

/* What things are named after: "heat" for "./heat -n 5", for "nice ./heat" and for "python3 heat.py"; the words end with NULL. */
const char *program_title(char *const *words, struct arena *arena);
/* The name of a result, unless the user gives one. Members of a job array run the same program in the same folder: "heat-3". Without words: "run". */
const char *default_name(char *const *words, struct arena *arena);

/* Splits --launcher 'srun -n 8 --comment "two words"' into words as a shell does: blanks separate, quotes and backslashes keep together; nothing is expanded.
 * NULL ends them. Fails if a quote is left open. */
enum status shell_words(const char *line, struct arena *arena, char ***words) MUST_CHECK;

/* Cores that this process may run on; those that are several processors to the system count once. */
int available_cores(void);

#endif
