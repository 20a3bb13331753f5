/* A command line in one option, as in --launcher 'srun -n 8 --comment "two words"'. */
#ifndef TARRY_CLI_SHELL_WORDS_H
#define TARRY_CLI_SHELL_WORDS_H

#include "base/arena.h"
#include "base/status.h"

/* Words as a shell has them: blanks separate, quotes and backslashes keep together; nothing is expanded.
 * NULL ends them. Fails if a quote is left open. */
enum status shell_words(const char *line, struct arena *arena, char ***words) MUST_CHECK;

#endif
