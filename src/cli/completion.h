/* Completion scripts of shells, made from the tables of commands and options. */
#ifndef TARRY_CLI_COMPLETION_H
#define TARRY_CLI_COMPLETION_H

#include "base/text.h"

struct completion_shell {
	const char *name;
	void (*write)(struct text *out);
};

extern const struct completion_shell completion_shells[]; /* ends with a NULL name */

#endif
