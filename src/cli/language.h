/* The language of texts that rules give: --lang, or TARRY_LANG, or English. */
#ifndef TARRY_CLI_LANGUAGE_H
#define TARRY_CLI_LANGUAGE_H

#include "analysis/rules/rulebook.h"

// clang-format off
#define LANGUAGE_OPTION(choice) \
	{"lang", 0, "LANG", "language of findings and advice, such as ru; default: $TARRY_LANG, or en", OPTION_TEXT, &(choice)}
// clang-format on

/* NULL: English. False: nothing speaks it, which was said. */
bool choose_language(const struct rulebook *book, const char *asked, const char **lang);

#endif
