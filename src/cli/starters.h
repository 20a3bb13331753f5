/* Commands that only start another one, in another way: nice, env, timeout, numactl and their kind, and shells with a simple command.
 *
 *	command_behind({"nice", "-n", "5", "env", "A=1", "./app", NULL}, &arena)      {"./app", NULL}
 *	command_behind({"sh", "-c", "exec ./app -x", NULL}, &arena)                   {"./app", "-x", NULL}
 *
 * Only good for guesses: the name of a trace, a sentence about the program. */
#ifndef TARRY_CLI_STARTERS_H
#define TARRY_CLI_STARTERS_H

#include "base/arena.h"

/* The words from where the real command begins, or new ones in the arena if they stood in one word; the same words if no other
 * command is seen behind them. */
char *const *command_behind(char *const *words, struct arena *arena);

#endif
