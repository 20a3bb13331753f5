/* --fail-on: limits for what may be found, several by commas or by giving the option again.
 *
 *	if (limits_parse(&words) != OK)
 *		return misuse(&command_run, "%s", trail_text());
 *	if (limits_are_crossed(&words, report))
 *		return EXIT_GATE; */
#ifndef TARRY_CLI_LIMITS_H
#define TARRY_CLI_LIMITS_H

#include "base/options.h"
#include "output/report/report.h"

// clang-format off
#define LIMITS_OPTION(words) \
	{"fail-on", 0, "LIMIT", \
	 "exit with code 3 if more is found than LIMIT, such as 'late-sender>5%' or 'any>=0.5s'; may be given again", \
	 OPTION_WORDS, &(words)}
// clang-format on

/* Whether they can be understood. */
enum status limits_parse(const struct words *limits) MUST_CHECK;
/* Whether the rules know what they name; says what they do not. */
bool limits_are_known(const struct words *limits, const struct rulebook *book);
/* Says which. */
bool limits_are_crossed(const struct words *limits, const struct report *report);

#endif
