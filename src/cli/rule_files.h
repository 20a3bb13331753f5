/* Rules for a command: loaded, or what is wrong with them shown on stderr as a compiler does. */
#ifndef TARRY_CLI_RULE_FILES_H
#define TARRY_CLI_RULE_FILES_H

#include "analysis/rules/rulebook.h"

#include <stdbool.h>

/* `wish->shipped` is filled in: the shipped rules of this installation. False: was said. */
bool load_rules(struct rule_wish wish, struct rulebook **book);

#endif
