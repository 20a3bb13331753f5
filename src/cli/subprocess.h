/* Another program's output.
 *
 *	struct text output = {0};
 *	if (capture_output("/usr/bin/mpirun", words, NULL, &output) == 0) … */
#ifndef TARRY_CLI_SUBPROCESS_H
#define TARRY_CLI_SUBPROCESS_H

#include "base/text.h"

#include <stdbool.h>

enum { OUTPUT_MAX = 1 << 20 };

/* Adds what it prints, on both streams, to `answer`. As soon as `word` (NULL: none) is in there the program is told to end, and
 * neither its end nor more words are waited for. Returns its exit code, 0 if that was not waited for; -1: it could not be started, or
 * was ended by a signal. */
int capture_output(const char *path, const char *const *words, const char *word, struct text *answer);

#endif
