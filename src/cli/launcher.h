/* The command line of a launcher, such as mpirun, mpiexec, srun or upcrun, word by word.
 *
 * Launchers have options that no table contains. So the result is used only for guesses (the default name of
 * the trace, a message about the program) and to make Open MPI pass variables to other nodes. */
#ifndef TARRY_CLI_LAUNCHER_H
#define TARRY_CLI_LAUNCHER_H

#include "base/arena.h"
#include "base/status.h"

enum word_role {
	WORD_STARTER, /* nice, env and similar commands, with their arguments */
	WORD_LAUNCHER,
	WORD_OPTION,
	WORD_VALUE, /* of the previous option */
	WORD_PROGRAM,
	WORD_ARGUMENT, /* of the program */
	WORD_COLON,    /* begins the next program of several */
};

struct launch_line {
	int count;
	char **words;
	enum word_role *roles;
	int command;          /* index of the launcher or the program, after commands such as nice */
	char *const *program; /* the first program and its arguments; NULL: none */
};

/* Borrows the words. A command that is not a known launcher is itself the program. */
void launch_line_read(struct launch_line *line, int count, char **words, struct arena *arena);

/* The program that is started first; for a program in the command of a shell, the shell. NULL: none. */
const char *launch_line_program(const struct launch_line *line);

/* Makes the launcher pass the variables `names`, which are in the environment, to other nodes. Returns the
 * words to start.
 *
 * Open MPI passes only the variables listed in OMPI_MCA_mca_base_env_list or given by `-x NAME`, and rejects
 * both at once. So the words get options `-x` if they have some already; otherwise the variable is set. Hydra
 * and srun pass all variables and ignore both. Berkeley UPC's upcrun passes variables with the prefixes in
 * UPC_ENVPREFIX; this variable is always extended, because a script may run upcrun. */
char **launch_line_forward(const struct launch_line *line, const char *const *names, struct arena *arena);

/* The number of words before the NULL. */
int count_words(char *const *words);

/* The name of a program for default names: "heat" for "./heat -n 5", "nice ./heat" and "python3 heat.py". The
 * words end with NULL. */
const char *program_title(char *const *words, struct arena *arena);
/* The default name of a result. Tasks of a job array get their index, because they run the same program in
 * the same folder: "heat-3". Without words: "run". */
const char *default_name(char *const *words, struct arena *arena);

/* Splits --launcher 'srun -n 8 --comment "two words"' into words as a shell does, with quotes and backslashes
 * but without expansion. NULL after the last. Fails if a quote is not closed. */
enum status shell_words(const char *line, struct arena *arena, char ***words) MUST_CHECK;

/* The number of cores that this process may use. Hardware threads of one core count once. */
int available_cores(void);

#endif
