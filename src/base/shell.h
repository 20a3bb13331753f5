/* Words of commands that we suggest: whoever copies one into a shell means the file, not what a shell makes of its name.
 *
 *	char quoted[PATH_MAX];
 *	say("see: tarry info %s", shell_quote("my run.tarry", quoted, sizeof quoted));      'my run.tarry' */
#ifndef TARRY_BASE_SHELL_H
#define TARRY_BASE_SHELL_H

#include <stddef.h>

/* Returns `quoted`, or the word as it is: if it needs no quotes, or more than this room. */
const char *shell_quote(const char *word, char *quoted, size_t room);

#endif
