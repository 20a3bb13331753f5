/* Quotes words of suggested commands, so that a command copied into a shell means exactly that file.
 *
 *	say("see: tarry info %s", SHELL_QUOTED("my run.tarry"));      'my run.tarry' */
#ifndef TARRY_BASE_SHELL_H
#define TARRY_BASE_SHELL_H

#include <limits.h>
#include <stddef.h>

/* Returns `quoted`, or the word itself if it needs no quotes or does not fit. */
const char *shell_quote(const char *word, char *quoted, size_t room);
/* The same for a word that may be an option. */
const char *shell_word(const char *word, char *quoted, size_t room);
/* Valid until the end of the block. */
#define SHELL_QUOTED(word) shell_quote(word, (char[PATH_MAX]){0}, PATH_MAX)

#endif
