/* What `tarry analyze` and `tarry report` have in common: options, and writing what was found in all forms that are wanted.
 *
 *	static struct reporting_choice choice;
 *	static const struct option_spec options[] = {REPORTING_OPTIONS(choice), OPTIONS_END};
 *	return tell_report(&command_report, argv[0], &choice);      an exit code */
#ifndef TARRY_CLI_REPORTING_H
#define TARRY_CLI_REPORTING_H

#include "cli/command.h"
#include "cli/investigate.h"
#include "cli/limits.h"
#include "cli/trace_notes.h"

struct reporting_choice {
	struct rule_choice rules;
	const char *outputs[REPORT_FORMATS_END]; /* NULL: not wanted; "-": stdout */
	const char *root, *symbols;
	int64_t threads;
	struct words limits;
	bool all;
	bool profile; /* more than the findings: what the command is for, and no option */
};

/* Lines of the table of options. */
// clang-format off
#define REPORTING_OPTIONS(choice) \
	RULE_OPTIONS((choice).rules), \
	{"all", 0, NULL, "also the findings that cost next to nothing", OPTION_FLAG, &(choice).all}, \
	{"json", 0, "FILE", "write what was found to FILE as JSON; '-': print that and no text", OPTION_TEXT, \
	 &(choice).outputs[REPORT_JSON]}, \
	{"sarif", 0, "FILE", "write it to FILE as SARIF 2.1.0, for code-scanning viewers; '-': print that", OPTION_TEXT, \
	 &(choice).outputs[REPORT_SARIF]}, \
	{"csv", 0, "FILE", "write a table of the findings to FILE as CSV; '-': print that", OPTION_TEXT, \
	 &(choice).outputs[REPORT_CSV]}, \
	{"root", 0, "DIR", "in SARIF, name files of the source from DIR on; default: the current folder", OPTION_TEXT, \
	 &(choice).root}, \
	LIMITS_OPTION((choice).limits), \
	SYMBOLS_OPTION((choice).symbols), \
	{"threads", 0, "N", "use N cores; default: all that there are", OPTION_NUMBER, &(choice).threads}
// clang-format on

int tell_report(const struct command *command, const char *path, const struct reporting_choice *choice);

#endif
