/* Findings of a checked run, as text for people and in files for programs. */
#ifndef TARRY_CLI_FINDINGS_OUTPUT_H
#define TARRY_CLI_FINDINGS_OUTPUT_H

#include "base/options.h"
#include "base/status.h"
#include "cli/command.h"
#include "cli/trace_files.h"
#include "output/findings/findings.h"

#include <stdio.h>

struct findings_choice {
	const char *outputs[FINDINGS_FORMATS_END]; /* NULL: not wanted; "-": stdout */
	struct string_list suppress;
	const char *lang, *symbols, *root;
	struct string_list sources; /* folders of --source */
	const char *program;        /* that was started; NULL: not known */
	bool stacks, all, print_suppressions;
	bool is_interrupted; /* the user ended the job */
};

/* Lines of the table of options. */
// clang-format off
#define FINDINGS_OPTIONS(choice) \
	{"json", 0, "FILE", "write findings to FILE as JSON; '-': print that instead of text", OPTION_TEXT, \
	 &(choice).outputs[FINDINGS_JSON]}, \
	{"sarif", 0, "FILE", "write findings to FILE as SARIF 2.1.0, for code-scanning viewers; '-': print that", OPTION_TEXT, \
	 &(choice).outputs[FINDINGS_SARIF]}, \
	{"svg", 0, "FILE", "draw deadlocks and hangs to FILE as SVG; '-': print that", OPTION_TEXT, \
	 &(choice).outputs[FINDINGS_SVG]}, \
	{"html", 0, "FILE", "write a page for browsers to FILE, with source lines, and deadlocks as graphs; '-': print that", OPTION_TEXT, \
	 &(choice).outputs[FINDINGS_HTML]}, \
	{"suppress", 0, "FILE", "hide the findings listed in FILE, by check and optionally place; may be repeated", \
	 OPTION_WORDS, &(choice).suppress}, \
	{"print-suppressions", 0, NULL, "print a suppression line for each finding, for use in --suppress FILE", OPTION_FLAG, \
	 &(choice).print_suppressions}, \
	{"stacks", 0, NULL, "show all frames of call stacks", OPTION_FLAG, &(choice).stacks}, \
	{"all", 0, NULL, "show each note; default: the first of each kind, and the places of the others", OPTION_FLAG, \
	 &(choice).all}, \
	SOURCE_OPTION((choice).sources), \
	{"root", 0, "DIR", "in SARIF, make source paths relative to DIR; default: the current folder", OPTION_TEXT, \
	 &(choice).root}
// clang-format on

/* Fails if the options are invalid, which is wrong usage. Reads the language from the environment. */
enum status findings_choice_check(struct findings_choice *choice) MUST_CHECK;

/* Text goes to `stream`. Sets the number of errors, and whether all was checked. Returns an exit code. */
struct findings_verdict {
	size_t errors;
	bool is_complete;
};

int write_findings(const char *path, const struct findings_choice *choice, struct suppressions *suppressions,
                   FILE *stream, struct findings_verdict *verdict);

/* JSON of the findings in a folder, for a page that also shows other data. `lang` is "ru" or NULL. Sources
 * beside the folder may be shown, too. */
enum status findings_for_page(const char *folder, const char *lang, const char *symbols,
                              struct source_files *sources, struct text *json) MUST_CHECK;

#endif
