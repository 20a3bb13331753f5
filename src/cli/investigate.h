/* From a trace to what is found in it: rules are loaded, the trace is analysed with a bar on the terminal, and the report
 * is made.
 *
 *	struct investigation investigation;
 *	if (!investigate("run.tarry", &wish, &investigation))
 *		return EXIT_FAILED;                       what is wrong was said
 *	report_text(investigation.report, &style, &text);
 *	investigation_release(&investigation); */
#ifndef TARRY_CLI_INVESTIGATE_H
#define TARRY_CLI_INVESTIGATE_H

#include "base/options.h"
#include "cli/language.h"
#include "output/report/report.h"

struct rule_choice {
	struct words files;
	struct words settings;
	bool no_shipped;
	const char *lang;
};

/* Lines of the table of options of each command that takes rules. */
// clang-format off
#define RULE_OPTIONS(choice) \
	{"rules", 0, "FILE", "also look for the problems that these rules describe; may be given again", OPTION_WORDS, \
	 &(choice).files}, \
	{"no-shipped", 0, NULL, "only the rules of --rules, and what they import", OPTION_FLAG, &(choice).no_shipped}, \
	{"set", 0, "NAME=VALUE", "set a parameter of the rules, such as eps=5us; may be given again", OPTION_WORDS, \
	 &(choice).settings}, \
	LANGUAGE_OPTION((choice).lang)
// clang-format on

struct investigation_wish {
	struct rule_choice rules;
	const char *symbols;
	unsigned threads; /* 0: as many as there are cores */
	struct report_wish report;
	struct words limits; /* of --fail-on: those that the rules do not know are refused */
};

struct investigation {
	const char *lang; /* NULL: English */
	struct rulebook *book;
	struct reader *reader;
	struct source *source;
	struct analysis *analysis;
	struct report *report;
};

bool investigate(const char *path, const struct investigation_wish *wish,
                 struct investigation *investigation);
void investigation_release(struct investigation *investigation);

/* Says on stderr what is worst in a trace that was just recorded, in a few lines. Whatever goes wrong in there does
 * not get out: it is done in a process of its own. Returns EXIT_GATE if a limit is crossed, EXIT_FAILED if that cannot be
 * told. */
int tell_findings(const char *path, const struct investigation_wish *wish);

#endif
