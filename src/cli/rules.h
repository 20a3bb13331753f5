/* What `tarry rules` does, by the word behind it. */
#ifndef TARRY_CLI_RULES_H
#define TARRY_CLI_RULES_H

#include "rules/rulebook.h"

#include <stdbool.h>

void rules_list(const struct rulebook *book, bool as_json);
/* An exit code. */
int rules_show(const struct rulebook *book, const char *name);

/* "mpi-p2p" for ".../mpi-p2p.rules:12:1"; "built in" for what has no file. Into a buffer of MODULE_NAME bytes. */
enum { MODULE_NAME = 64 };
const char *module_name(const struct origin *origin, char name[MODULE_NAME]);

#endif
