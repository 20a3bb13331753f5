#include "analysis/model/recorded_part.h"
#include "analysis/model/wrong_launcher.h"
#include "base/files.h"
#include "base/paths.h"
#include "cli/coll_job.h"
#include "cli/command.h"
#include "cli/in_job.h"
#include "cli/job.h"
#include "cli/job_settings.h"
#include "cli/launcher.h"
#include "cli/program.h"
#include "cli/recorded_job.h"
#include "cli/rule_loading.h"
#include "cli/trace_analysis.h"
#include "output/report/open_calls_text.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

static struct recording_choice choice = RECORDING_CHOICE_DEFAULT;
static struct coll_choice collectives;
static bool replace, no_analyze, no_trace, coll;
static const char *lang, *place;
static struct string_list limits;

static const struct option_spec options[] = {
	RECORDING_OPTIONS(choice),
	{"replace", 0, NULL, "replace an earlier trace of this name (default: keep it as NAME.old-1.tarry)",
         OPTION_FLAG, &replace},
	{"coll", 0, NULL, "use collective algorithms adapted to the machine; see 'tarry coll'", OPTION_FLAG,
         &coll},
	COLL_ALGORITHM_OPTION(collectives),
	LANGUAGE_OPTION(lang),
	LIMITS_OPTION(limits),
	{"analyze", 0, "after|in-job",
         "analyse the trace after the job (default), or in MPI_Finalize by the processes of the job, and print the whole report",
         OPTION_CHOICE, &place},
	{"no-trace", 0, NULL,
         "with --analyze=in-job: keep no trace, and print the output of 'tarry report --all'", OPTION_FLAG,
         &no_trace},
	{"no-analyze", 0, NULL, "do not analyse the trace at the end", OPTION_FLAG, &no_analyze},
	OPTIONS_END,
};

/* The last lines: the open calls of processes that were cut off. */
static void say_open_calls(const char *path)
{
	struct open_calls_view view = {.lang = lang};
	struct text out = {0};
	struct event_iter iter;
	struct event event;

	if (reader_open(path, &view.reader) != OK)
		return;
	for (size_t i = 0; i < view.reader->process_count; i++)
		for (size_t j = 0; j < view.reader->processes[i].stream_count; j++) {
			reader_events(view.reader, &view.reader->processes[i].streams[j], &iter);
			while (reader_next(&iter, &event))
				;
		}
	if (has_open_calls(view.reader)) {
		struct analysis_session *session = session_new(view.reader);
		view.source = symbols_new();
		view.open = open_calls_new(session);
		open_calls_text(&view, "", &out);
		say_lines(text_get(&out));
		open_calls_free(view.open);
		session_free(session);
		symbols_free(view.source);
	}
	text_release(&out);
	reader_close(view.reader);
}

/* Prints the reason if the whole trace is useless. Returns the exit code. */
static int say_what_went_wrong(const char *path, int code)
{
	struct wrong_launcher wrong;
	struct recorded_part part;
	struct arena arena = {0};
	struct reader *reader;

	if (reader_open(path, &reader) != OK)
		return code;
	part = recorded_part_of(reader, &arena);
	wrong = find_wrong_launcher(reader);
	if (part.never_came)
		say("%s never occurred: nothing was recorded%s%s", part.never_came,
		    part.seen ? "; regions, phases and marks seen: " : "", part.seen ? part.seen : "");
	if (wrong.processes)
		say("wrong launcher: %" PRIu64
		    " processes were started together by %s, but each is alone in MPI_COMM_WORLD: the program uses %s; start it with the launcher of that library",
		    wrong.processes, wrong.launcher, wrong.library);
	reader_close(reader);
	arena_release(&arena);
	return wrong.processes && code == EXIT_FINE ? EXIT_FAILED : code;
}

static bool is_in_job(void)
{
	return place && strcmp(place, "in-job") == 0;
}

static struct rule_choice rules_of_report(void)
{
	return (struct rule_choice){
		.files = choice.wrapped.rules, .no_shipped = choice.wrapped.no_shipped, .lang = lang};
}

/* Without a trace, the user cannot print the details later. */
static struct report_choice whole_report(void)
{
	return (struct report_choice){
		.profile = true, .all = no_trace, .rules = rules_of_report(), .limits = limits};
}

/* Returns an exit code that shows whether the limits are kept. */
static int find_waits(const char *trace)
{
	const struct trace_analysis_options how = {.rules = rules_of_report(), .limits = limits};
	const struct report_choice whole = whole_report();

	if (!is_in_job())
		return report_after_run(trace, &how);
	say("the job did not analyse its run: it is analysed now");
	return whole_report_after_run(trace, &whole);
}

/* Check this before the job: at its end it would be too late. */
static bool can_be_told(void)
{
	struct rule_options rules = {.files = choice.wrapped.rules.at,
	                             .without_shipped = choice.wrapped.no_shipped,
	                             .without_tests = true};
	struct rulebook *book;
	const char *chosen;
	bool is_known;

	if (!lang && !limits.count)
		return true;
	if (load_rules(rules, &book) != EXIT_FINE)
		return false;
	is_known = choose_language(book, lang, &chosen) && limits_are_known(&limits, book);
	rulebook_free(book);
	return is_known;
}

/* How the job ended. */
struct run_end {
	bool is_shown; /* it has analysed itself */
	bool is_cut;   /* a process was cut off */
	int found;     /* exit code of the report, which shows whether the limits are kept */
};

static struct run_end end_recording(const struct recorded_job *job, const char *program, struct arena *arena,
                                    int code)
{
	struct run_end end = {.found = EXIT_FAILED};

	end.is_shown = is_in_job() && in_job_show(&job->plan, &end.found);
	if (end.is_shown && no_trace) {
		say_what_went_wrong(job->plan.output, code);
		recorded_job_discard(job, arena);
	} else {
		end.is_cut = recorded_job_conclude(job, program, arena, code);
	}
	return end;
}

/* Returns the job's exit code, unless the job succeeded and the user set limits. */
static int tell_what_was_found(const char *trace, struct run_end *end, int code)
{
	if (!no_analyze && !end->is_shown && path_exists(trace))
		end->found = find_waits(trace);
	if (!no_analyze && limits.count && code == EXIT_FINE)
		code = end->found;
	code = path_exists(trace) ? say_what_went_wrong(trace, code) : code;
	if (end->is_cut && !is_in_job()) /* a whole report has them */
		say_open_calls(trace);
	if (no_trace && end->found != EXIT_FAILED)
		unlink(trace);
	else if (no_trace && path_exists(trace))
		say("the trace is kept, because it could not be analysed: %s", trace);
	return code;
}

static enum status start(const struct recorded_job *job)
{
	const struct report_choice whole = whole_report();

	TRY(recorded_job_export(job));
	TRY(setting_set(SETTING_IN_JOB, is_in_job() ? "1" : NULL));
	return is_in_job() ? in_job_prepare(&job->plan, &whole) : OK;
}

static int run_run(const struct invocation *given)
{
	struct arena *arena = given->arena;
	struct launch_line line;
	struct recorded_job job;
	struct coll_job coll_plan;
	const char *path, *program;
	struct run_end end = {.found = EXIT_FAILED};
	int code;

	if (!can_be_told())
		return EXIT_USAGE;
	if (program_find(given->argv[0], arena, &path) != OK)
		return program_refused(given->argv[0]);
	launch_line_read(&line, given->argc, given->argv, arena);
	program = launch_line_program(&line);
	if ((coll && coll_job_plan(&collectives, line.program, true, arena, &coll_plan) != OK) ||
	    recorded_job_begin(&choice, line.program, replace, arena, &job) != OK)
		return report_failure();
	job.has_no_trace = no_trace;
	if (start(&job) != OK || (coll && coll_job_export(&coll_plan) != OK) ||
	    job_run(path, launch_line_forward(&line, job_variables, arena), &code) != OK)
		code = report_failure();
	else
		end = end_recording(&job, program, arena, code);
	recorded_job_end(&job);
	if (coll)
		coll_job_conclude(&coll_plan, NULL, code);
	return tell_what_was_found(job.plan.output, &end, code);
}

static enum status check_options(void)
{
	TRY(recording_check(&choice));
	if (limits.count && no_analyze)
		return fail("options '--fail-on' and '--no-analyze' cannot be combined");
	if (place && no_analyze)
		return fail("options '--analyze' and '--no-analyze' cannot be combined");
	if (no_trace && !is_in_job())
		return fail("option '--no-trace' needs '--analyze=in-job'");
	TRY(limits_parse(&limits));
	TRY(coll_choice_check(&collectives));
	return collectives.algorithm && !coll ? fail("option '--algorithm' needs '--coll'") : OK;
}

const struct command command_run = {
	.name = "run",
	.summary = "start an MPI or UPC job and record it",
	.usage = "[options] [--] LAUNCHER [OPTION ...] PROGRAM [ARGUMENT ...]",
	.example = "tarry run -- mpirun -n 4 ./app input.dat\n"
		   "tarry run -o large --buffer 64M -- srun -n 64 ./app\n"
		   "tarry run -- upcrun -n 4 ./app",
	.options = options,
	.order = OPTIONS_FIRST,
	.operands = {1, OPERANDS_ANY},
	.check = check_options,
	.run = run_run,
};
