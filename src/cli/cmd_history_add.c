#include "analysis/model/processes.h"
#include "cli/command.h"
#include "cli/program.h"
#include "cli/scaling_input.h"
#include "output/history/history.h"
#include "output/report/parts.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static struct {
	const char *commit, *machine, *symbols;
	int64_t jobs;
} choice;

static const struct option_spec options[] = {
	{"commit", 0, "NAME",
         "version of the program; default: CI_COMMIT_SHA, GITHUB_SHA, or the commit of the current folder",
         OPTION_TEXT, &choice.commit},
	{"machine", 0, "NAME",
         "name of the machine; default: the host name of rank 0, without the digits at its end", OPTION_TEXT,
         &choice.machine},
	SYMBOLS_OPTION(choice.symbols),
	JOBS_OPTION(choice.jobs),
	OPTIONS_END,
};

static const char *variable(const char *name)
{
	const char *value = getenv(name);

	return value && *value ? value : NULL;
}

/* The commit of the current folder; NULL: it is not in a repository. */
static const char *commit_here(struct arena *arena)
{
	const char *words[] = {"git", "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*", NULL};
	scoped_text answer = {0};
	const char *path;

	if (program_find("git", arena, &path) != OK || capture_output(path, words, NULL, &answer) != 0)
		return NULL;
	return arena_bytes_as_text(arena, text_get(&answer), strcspn(text_get(&answer), "\n"));
}

static const char *find_commit(struct arena *arena)
{
	const char *commit = choice.commit ? choice.commit : variable("CI_COMMIT_SHA");

	commit = commit ? commit : variable("GITHUB_SHA");
	return commit ? commit : commit_here(arena);
}

/* "node" of "node017.cluster". */
static const char *machine_of(const struct reader *reader, struct arena *arena)
{
	const char *host = reader->process_count ? process_property(&reader->processes[0], "host") : NULL;
	size_t length = host ? strcspn(host, ".") : 0, whole = length;

	while (length && (isdigit((unsigned char)host[length - 1]) || host[length - 1] == '-'))
		length--;
	length = length ? length : whole;
	return length ? arena_bytes_as_text(arena, host, length) : "unknown";
}

static struct history_run describe(const struct trace_analysis *analysed,
                                   const struct trace_analysis_options *how, const char *commit,
                                   struct arena *arena)
{
	const struct reader *reader = analysed->reader;
	const struct figures *figures = analysed->analysis->figures;
	struct history_run run = {.commit = commit,
	                          .machine = choice.machine ? choice.machine : machine_of(reader, arena),
	                          .nodes = analysed->report->nodes->count,
	                          .parallel = figures->hybrid.is_known ? figures->hybrid.parallel
	                                                               : figures->efficiency.parallel,
	                          .balance = figures->efficiency.load_balance,
	                          .can_judge = analysed->report->trust.can_judge,
	                          .scaling = scaling_run_of_trace(analysed, how, arena)};

	if (reader->process_count && reader->processes[0].run)
		run.identity = arena_format(arena, "%016" PRIx64 "-%" PRId64 "-%" PRId64,
		                            reader->processes[0].run, figures->run->first_ns,
		                            figures->run->length_ns);
	return run;
}

static int add_trace(const char *file, const char *trace, const char *commit, struct arena *arena)
{
	struct trace_analysis_options how = {
		.symbols = choice.symbols, .jobs = jobs_given(choice.jobs), .report = {.profile = true}};
	struct trace_analysis analysed;
	struct history_run run;
	struct text json = {0};
	bool is_new = false;
	int code = analyze_trace(trace, &how, &analysed);

	if (code != EXIT_FINE)
		return code;
	run = describe(&analysed, &how, commit, arena);
	report_json(analysed.report, &json);
	if (!(run.scaling.length_s > 0)) {
		say("'%s' has no run that could be added: nothing was recorded between MPI_Init and MPI_Finalize",
		    trace);
		code = EXIT_FAILED;
	} else if (history_add(file, &run, text_get(&json), &is_new) != OK) {
		code = report_failure();
	} else {
		say(is_new ? "'%s' was added to '%s'" : "'%s' is already in '%s'", trace, file);
	}
	text_release(&json);
	say_damage(analysed.reader);
	trace_analysis_release(&analysed);
	return code;
}

static int run_history_add(const struct invocation *given)
{
	const char *commit = find_commit(given->arena);
	int code = EXIT_FINE;

	if (!commit || !*commit)
		return misuse(&command_history_add,
		              "the current folder is in no git repository: name the version with '--commit'");
	for (int i = 1; i < given->argc && code == EXIT_FINE; i++)
		code = add_trace(given->argv[0], given->argv[i], commit, given->arena);
	return code;
}

const struct command command_history_add = {
	.name = "history add",
	.summary = "add runs to a history",
	.usage = "[options] FILE TRACE...",
	.example = "tarry history add runs.db run.tarry\n"
		   "tarry history add --commit v1.2 --machine cluster runs.db n4.tarry n8.tarry",
	.options = options,
	.operands = {2, OPERANDS_ANY},
	.run = run_history_add,
};
