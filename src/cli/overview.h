/* What `tarry --help` prints, and the answer to a command that does not exist. */
#ifndef TARRY_CLI_OVERVIEW_H
#define TARRY_CLI_OVERVIEW_H

#include "base/options.h"

/* Options of `tarry` itself. */
extern const struct option_spec overview_options[];
extern bool version_wanted;

void overview(struct text *out);

/* Returns EXIT_USAGE. */
int unknown_command(const char *name);

#endif
