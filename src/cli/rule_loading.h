/* Rules for a command. Their errors are printed to stderr, in the format of a compiler. */
#ifndef TARRY_CLI_RULE_LOADING_H
#define TARRY_CLI_RULE_LOADING_H

#include "analysis/rules/rulebook.h"

#include <stdbool.h>

/* Sets `options.shipped` to the shipped rules of this installation. Prints errors and returns an exit
 * code. */
int load_rules(struct rule_options options, struct rulebook **book);

/* The language of texts that rules give: --lang, or TARRY_LANG, or English. */
// clang-format off
#define LANGUAGE_OPTION(choice) \
	{"lang", 0, "LANG", "language of findings and advice, such as ru; default: $TARRY_LANG, or en", OPTION_TEXT, &(choice)}
// clang-format on

/* *lang becomes NULL for English. False: no text is translated into this language, and an error was
 * printed. */
bool choose_language(const struct rulebook *book, const char *asked, const char **lang);

#endif
