/* Shared by `tarry analyze`, `tarry report` and the end of `tarry run`: options, the analysis of a trace,
 * limits of --fail-on, and reports in all formats.
 *
 *	static struct report_choice choice;
 *	static const struct option_spec options[] = {REPORT_OPTIONS(choice), OPTIONS_END};
 *	return write_reports(&command_report, argv[0], &choice);      an exit code
 *
 *	struct trace_analysis analysed;
 *	code = analyze_trace("run.tarry", &options, &analysed);
 *	if (code != EXIT_FINE)
 *		return code;                                          the error was printed
 *	report_text(analysed.report, &style, &text);
 *	trace_analysis_release(&analysed); */
#ifndef TARRY_CLI_TRACE_ANALYSIS_H
#define TARRY_CLI_TRACE_ANALYSIS_H

#include "base/options.h"
#include "cli/command.h"
#include "cli/rule_loading.h"
#include "cli/trace_files.h"
#include "output/report/report.h"

/* Several limits are separated by commas or given by several options. */
// clang-format off
#define LIMITS_OPTION(words) \
	{"fail-on", 0, "LIMIT", \
	 "exit with code 3 if findings exceed LIMIT, such as 'late-sender>5%' or 'any>=0.5s'; with 5 if the trace cannot be " \
	 "trusted; may be repeated", \
	 OPTION_WORDS, &(words)}
// clang-format on

/* Fails if a limit has a syntax error. */
enum status limits_parse(const struct string_list *limits) MUST_CHECK;
/* True if the rules know all names in them; prints the unknown ones. */
bool limits_are_known(const struct string_list *limits, const struct rulebook *book);

struct rule_choice {
	struct string_list files;
	struct string_list settings;
	bool no_shipped;
	const char *lang;
};

/* Lines of the table of options of each command that takes rules. */
// clang-format off
#define RULE_OPTIONS(choice) \
	{"rules", 0, "FILE", "also find the problems that the rules in FILE define; may be repeated", OPTION_WORDS, \
	 &(choice).files}, \
	{"no-shipped", 0, NULL, "use only the rules of --rules and their imports", OPTION_FLAG, &(choice).no_shipped}, \
	{"set", 0, "NAME=VALUE", "set a parameter of the rules, such as eps=5us; may be repeated", OPTION_WORDS, \
	 &(choice).settings}, \
	LANGUAGE_OPTION((choice).lang)
// clang-format on

struct trace_analysis_options {
	struct rule_choice rules;
	const char *symbols;
	struct string_list sources; /* folders of --source */
	unsigned jobs;              /* threads; 0: as many as there are cores */
	bool no_causes;             /* of waits */
	bool no_whatif;             /* savings are not predicted */
	struct session_peers
		*peers; /* processes that analyse the trace together (model/session_peers.h); NULL: none */
	struct report_options report;
	struct string_list limits; /* of --fail-on; unknown names are rejected */
	bool prints_text;          /* in the characters of the locale */
	bool keeps_causes;         /* after the report is made */
	uint32_t job_processes;    /* the parts of this many ended processes must be there; 0: any number */
};

struct trace_analysis {
	const char *lang; /* NULL: English */
	struct rulebook *book;
	struct reader *reader;
	struct symbols *source;
	struct analysis *analysis;
	struct report *report;
	struct source_files *sources; /* of the page of the report … */
	struct text check;            /* … with the findings of the checker */
};

/* Prints errors and returns an exit code. Of several processes, only the leader gets an analysis and a
 * report. */
int analyze_trace(const char *path, const struct trace_analysis_options *options,
                  struct trace_analysis *analysed);
/* The same for several traces, which are analysed at the same time. */
int analyze_traces(char *const *paths, size_t count, const struct trace_analysis_options *options,
                   struct trace_analysis *analysed);
void trace_analysis_release(struct trace_analysis *analysed);

/* Adds the checker's findings of the same run to the page of the report. They are read from `folder`; NULL:
 * from the folder beside the trace, if it belongs to the same run. Fails if a given folder cannot be read. */
enum status add_checked_findings(struct trace_analysis *analysed, const char *path, const char *folder,
                                 const char *symbols) MUST_CHECK;

/* Prints the worst findings of a newly recorded trace to stderr, in a few lines. Another process does the
 * analysis, so that errors in it cannot affect this one. Returns EXIT_GATE if a limit is exceeded,
 * EXIT_UNTRUSTED if the trace cannot be trusted to evaluate the limits, EXIT_FAILED if the analysis
 * failed. */
int report_after_run(const char *path, const struct trace_analysis_options *options);

struct report_choice {
	struct rule_choice rules;
	const char *outputs[REPORT_FORMATS_END]; /* NULL: not wanted; "-": stdout */
	const char *sqlite;                      /* NULL: not wanted; "-": stdout */
	const char *check; /* folder of a checked run; NULL: the folder beside the trace, if any */
	const char *root, *symbols;
	int64_t jobs;
	bool no_causes, no_whatif;
	struct session_peers *peers; /* as in struct trace_analysis_options … */
	uint32_t job_processes;      /* … and this */
	struct string_list sources;  /* folders of --source */
	struct string_list limits;
	struct string_list findings; /* of --finding, as given … */
	struct number_list numbers;  /* … and as numbers */
	bool all;
	bool embeds_all; /* every call in the page */
	bool only_profile;
	bool profile; /* not only the findings; depends on the command, not on an option */
};

/* Lines of the table of options. */
// clang-format off
#define REPORT_OPTIONS(choice) \
	RULE_OPTIONS((choice).rules), \
	{"finding", 0, "N,...", "show these findings in detail, by their numbers in the list; may be repeated", OPTION_WORDS, \
	 &(choice).findings}, \
	{"all", 0, NULL, "show everything, including insignificant findings", OPTION_FLAG, &(choice).all}, \
	{"json", 0, "FILE", "write findings to FILE as JSON; '-': print that instead of text", OPTION_TEXT, \
	 &(choice).outputs[REPORT_JSON]}, \
	{"sarif", 0, "FILE", "write findings to FILE as SARIF 2.1.0, for code-scanning viewers; '-': print that", OPTION_TEXT, \
	 &(choice).outputs[REPORT_SARIF]}, \
	{"csv", 0, "FILE", "write findings to FILE as CSV; '-': print that", OPTION_TEXT, \
	 &(choice).outputs[REPORT_CSV]}, \
	{"sqlite", 0, "FILE", "write the report to FILE as an SQLite database, for queries; '-': print that", OPTION_TEXT, \
	 &(choice).sqlite}, \
	{"html", 0, "FILE", "write a page for browsers to FILE, with findings, source code around them and a timeline; '-': print that", OPTION_TEXT, \
	 &(choice).outputs[REPORT_HTML]}, \
	{"check", 0, "FOLDER", "on the page, also show the findings of 'tarry check' in FOLDER; default: those of 'tarry check --record'", \
	 OPTION_TEXT, &(choice).check}, \
	{"embed-all", 0, NULL, "include every call of the run in the page; default: at most 5 MB", OPTION_FLAG, \
	 &(choice).embeds_all}, \
	{"root", 0, "DIR", "in SARIF, make source paths relative to DIR; default: the current folder", OPTION_TEXT, \
	 &(choice).root}, \
	{"no-causes", 0, NULL, "do not look for causes of waits and for the critical path, and do not predict savings: takes less than half of the time", OPTION_FLAG, \
	 &(choice).no_causes}, \
	{"no-whatif", 0, NULL, "do not predict what the run would save: takes less time; findings are ordered by the time that ranks lose", OPTION_FLAG, \
	 &(choice).no_whatif}, \
	SOURCE_OPTION((choice).sources), \
	LIMITS_OPTION((choice).limits), \
	SYMBOLS_OPTION((choice).symbols), \
	JOBS_OPTION((choice).jobs)
// clang-format on

/* As report_after_run(), but prints the same as `tarry report`. */
int whole_report_after_run(const char *path, const struct report_choice *choice);

int write_reports(const struct command *command, const char *path, const struct report_choice *choice);

#endif
