/* What `tarry rules` does, by the word behind it. */
#ifndef TARRY_CLI_RULES_TEXT_H
#define TARRY_CLI_RULES_TEXT_H

#include "analysis/rules/rulebook.h"

#include <stdbool.h>

/* `lang` is that of names and descriptions; NULL: English. */
void rules_list(const struct rulebook *book, const char *lang, bool as_json);
/* An exit code. */
int rules_show(const struct rulebook *book, const char *lang, const char *name);

#endif
