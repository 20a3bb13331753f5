/* A question to another program: what it prints when it is started with these words. */
#ifndef TARRY_CLI_ASK_H
#define TARRY_CLI_ASK_H

#include "base/text.h"

#include <stdbool.h>

enum { ANSWER_MAX = 1 << 20 };

/* Adds what it prints, on both streams, to `answer`. As soon as `word` (NULL: none) is in there the program is told to end, and
 * neither its end nor more words are waited for. Returns its exit code, 0 if that was not waited for; -1: it could not be started, or
 * was ended by a signal. */
int ask(const char *path, const char *const *words, const char *word, struct text *answer);

#endif
