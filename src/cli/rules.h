/* What `tarry rules` does, by the word behind it. */
#ifndef TARRY_CLI_RULES_H
#define TARRY_CLI_RULES_H

#include "rules/rulebook.h"

#include <stdbool.h>

void rules_list(const struct rulebook *book, bool as_json);
/* An exit code. */
int rules_show(const struct rulebook *book, const char *name);

#endif
