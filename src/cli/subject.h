/* What a command line is about, for naming things after it. */
#ifndef TARRY_CLI_SUBJECT_H
#define TARRY_CLI_SUBJECT_H

#include "base/arena.h"

/* "heat" for "./heat -n 5" and for "python3 heat.py"; the words end with NULL. */
const char *subject_of(char *const *words, struct arena *arena);

#endif
