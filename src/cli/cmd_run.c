#include "analysis/model/recorded_part.h"
#include "analysis/model/wrong_launcher.h"
#include "base/paths.h"
#include "base/shell.h"
#include "cli/clock_server.h"
#include "cli/command.h"
#include "cli/job.h"
#include "cli/launcher.h"
#include "cli/parts_folder.h"
#include "cli/program.h"
#include "cli/recording.h"
#include "cli/rule_loading.h"
#include "cli/trace_analysis.h"
#include "output/report/open_calls_text.h"
#include "trace/merge.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { RUN_DIGITS = 16, DAMAGE_SHOWN = 10 };

static struct recording_choice choice = RECORDING_CHOICE_DEFAULT;
static bool replace, no_analyze;
static const char *lang;
static struct words limits;

static const struct option_spec options[] = {
	RECORDING_OPTIONS(choice),
	{"replace", 0, NULL,
         "replace an earlier trace of this name; without it, that is kept as NAME.old-1.tarry", OPTION_FLAG,
         &replace},
	LANGUAGE_OPTION(lang),
	LIMITS_OPTION(limits),
	{"no-analyze", 0, NULL, "do not analyze the trace at the end", OPTION_FLAG, &no_analyze},
	OPTIONS_END,
};

static bool exists(const char *path)
{
	return access(path, F_OK) == 0;
}

static enum status make_run_number(char digits[RUN_DIGITS + 1])
{
	uint64_t number = 0;

	while (!number)
		if (getrandom(&number, sizeof number, 0) != sizeof number)
			return fail("cannot get a random number: %s", strerror(errno));
	snprintf(digits, RUN_DIGITS + 1, "%016" PRIx64, number);
	return OK;
}

/* What the libraries in the job had to say, which they never do on the program's own streams. */
static bool show_notes(const char *path)
{
	FILE *notes = fopen(path, "r");
	char line[1024];
	bool shown = false;

	while (notes && fgets(line, sizeof line, notes)) {
		line[strcspn(line, "\n")] = 0;
		say("note: %s", line);
		shown = true;
	}
	if (notes)
		fclose(notes);
	return shown;
}

static void explain_absence(const char *name, const struct recording *plan, struct arena *arena)
{
	const char *path, *obstacle = NULL;
	struct program program = {.kind = PROGRAM_OPAQUE};

	if (recording_check_output(plan->output, arena) != OK) {
		say("no trace: %s", trail_text());
		return;
	}
	if (name && program_find(name, arena, &path) == OK) {
		program = program_inspect(path, arena);
		obstacle = program_obstacle(&program, name, plan->libraries, arena);
	}
	if (obstacle)
		say("no trace: %s", obstacle);
	else if (program.kind == PROGRAM_UPC)
		say("no trace: '%s' did not start its UPC threads, or was stopped before it did", name);
	else
		say("no trace: '%s' did not call MPI_Init, or was stopped before it did",
		    name ? name : "the program");
}

static void summarise(const struct recording *plan)
{
	char quoted[PATH_MAX];
	const char *name = shell_quote(path_from_here(plan->output), quoted, sizeof quoted);
	struct text size = {0}, rules = {0};
	struct stat info;

	if (stat(plan->output, &info) != 0)
		return;
	text_add_size(&size, (uint64_t)info.st_size);
	if (choice.wrapped.no_shipped)
		text_add(&rules, "--no-shipped ");
	for (size_t i = 0; i < choice.wrapped.rules.count; i++) {
		char file[PATH_MAX];
		text_add(&rules, "--rules %s ", shell_quote(choice.wrapped.rules.at[i], file, sizeof file));
	}
	say("trace: %s", plan->output);
	say("size: %s", text_get(&size));
	say("see: tarry report %s%s, tarry info %s", text_get(&rules), name, name);
	text_release(&rules);
	text_release(&size);
}

static void tell_losses(const struct recover_report *report, const struct recording *plan)
{
	if (report->open_chunks)
		say("the job ended before recording was complete: the trace holds everything recorded until then");
	for (size_t i = 0; i < report->damage_count && i < DAMAGE_SHOWN; i++)
		say("%s", report->damage[i]);
	if (report->damage_count > DAMAGE_SHOWN)
		say("and %zu more places that could not be read", report->damage_count - DAMAGE_SHOWN);
	if (report->missing)
		say("%zu of %zu processes left nothing here: they could not write into '%s', or it is another folder "
		    "where they ran; bring their parts here and use 'tarry recover'",
		    report->missing, report->missing + report->processes, plan->parts);
	if (report->parts_kept)
		say("what could not be read is kept in '%s'", plan->parts);
}

static int64_t now_ns(void)
{
	struct timespec now;

	return clock_gettime(CLOCK_REALTIME, &now) == 0 ? (int64_t)now.tv_sec * 1000000000 + now.tv_nsec : 0;
}

/* The processes leave a part each; making one trace of them takes no time from the job. Returns whether one of them was cut off. */
static bool merge_parts(const struct recording *plan)
{
	bool is_cut;
	struct recover_report report;
	char quoted[PATH_MAX];

	if (trace_recover(plan->output, now_ns(), &report) != OK) {
		report_failure();
		say("the recorded parts stay in '%s'; make the trace with: tarry recover %s (elsewhere: -o NAME)",
		    plan->parts, shell_quote(path_from_here(plan->output), quoted, sizeof quoted));
		return false;
	}
	tell_losses(&report, plan);
	is_cut = report.open_chunks;
	recover_report_release(&report);
	return is_cut;
}

static bool has_parts(const char *folder)
{
	DIR *listing = opendir(folder);
	bool found = !listing && errno != ENOENT; /* what cannot be listed is not gone */

	for (struct dirent *entry; listing && !found && (entry = readdir(listing));)
		found = text_ends(entry->d_name, PART_SUFFIX);
	if (listing)
		closedir(listing);
	return found;
}

/* Returns whether a process was cut off. */
static bool conclude(const char *program, const struct recording *plan, struct arena *arena, int code)
{
	const char *notes;
	bool noted, is_cut = false;

	exit_code_when_exhausted = code;
	notes = arena_format(arena, "%s/" NOTES_FILE, plan->parts);
	noted = show_notes(notes);
	if (has_parts(plan->parts)) {
		say_uncalled_functions(&plan->wrapped, plan->parts, arena);
		is_cut = merge_parts(plan);
	} else {
		unlink(notes);
		if (noted && !exists(plan->output))
			say("no trace: see the notes above");
		else if (!exists(plan->output))
			explain_absence(program, plan, arena);
	}
	summarise(plan);
	return is_cut;
}

/* The last words: in which calls the processes were that were cut off. */
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
		view.source = symbols_new();
		view.open = open_calls_new(view.reader);
		open_calls_text(&view, "", &out);
		for (const char *line = text_get(&out); *line; line += strcspn(line, "\n") + 1)
			say("%.*s", (int)strcspn(line, "\n"), line);
		open_calls_free(view.open);
		symbols_free(view.source);
	}
	text_release(&out);
	reader_close(view.reader);
}

/* What makes the whole trace useless, if anything does. Returns the exit code. */
static int say_what_went_wrong(const char *path, int code)
{
	struct wrong_launcher wrong;
	struct recorded_part part;
	struct arena arena = {0};
	struct reader *reader;

	if (!exists(path) || reader_open(path, &reader) != OK)
		return code;
	part = recorded_part_of(reader, &arena);
	wrong = find_wrong_launcher(reader);
	if (part.never_came)
		say("%s never came: nothing was recorded%s%s", part.never_came,
		    part.seen ? "; regions, phases and marks seen: " : "", part.seen ? part.seen : "");
	if (wrong.processes)
		say("wrong launcher: %" PRIu64 " processes were started together by %s, but each is alone in "
		    "MPI_COMM_WORLD: "
		    "the program uses %s; start it with the launcher of that library",
		    wrong.processes, wrong.launcher, wrong.library);
	reader_close(reader);
	arena_release(&arena);
	return wrong.processes && code == EXIT_FINE ? EXIT_FAILED : code;
}

static struct trace_analysis_options wish_for_findings(void)
{
	return (struct trace_analysis_options){
		.rules = {.files = choice.wrapped.rules,
	                  .no_shipped = choice.wrapped.no_shipped,
	                  .lang = lang},
		.limits = limits,
	};
}

/* The job's exit code is its own, unless it went well and the user set limits. */
static int tell_what_was_found(const struct recording *plan, int code)
{
	struct trace_analysis_options wish = wish_for_findings();
	int found = EXIT_FAILED;

	if (no_analyze)
		return code;
	if (exists(plan->output))
		found = report_after_run(plan->output, &wish);
	return limits.count && code == EXIT_FINE ? found : code;
}

static int record(int argc, char **argv, struct arena *arena)
{
	struct launch_line line;
	struct recording plan;
	struct parts_lock lock;
	const char *path, *program;
	char run[RUN_DIGITS + 1];
	bool is_cut = false;
	int code;

	if (program_find(argv[0], arena, &path) != OK)
		return program_refused(argv[0]);
	launch_line_read(&line, argc, argv, arena);
	program = launch_line_program(&line);
	if (recording_plan(&choice, line.program, arena, &plan) != OK || make_run_number(run) != OK ||
	    parts_lock_take(&plan, replace, &lock) != OK)
		return report_failure();
	if (plan.wrapped.obstacle)
		say("%s", plan.wrapped.obstacle);
	if (recording_export(&plan, run) != OK || clock_server_start() != OK ||
	    job_run(path, launch_line_forward(&line, recording_variables, arena), &code) != OK)
		code = report_failure();
	else
		is_cut = conclude(program, &plan, arena, code);
	clock_server_stop();
	parts_lock_release(&lock);
	code = tell_what_was_found(&plan, code);
	code = say_what_went_wrong(plan.output, code);
	if (is_cut)
		say_open_calls(plan.output);
	return code;
}

static enum status check_limits(void)
{
	if (limits.count && no_analyze)
		return fail(
			"option '--fail-on' needs the analysis that '--no-analyze' leaves out: give one of them");
	return limits_parse(&limits);
}

/* Before the job: at its end it would be too late to ask for something else. */
static bool can_be_told(void)
{
	struct rule_wish wish = {.files = choice.wrapped.rules.at,
	                         .without_shipped = choice.wrapped.no_shipped,
	                         .without_tests = true};
	struct rulebook *book;
	const char *chosen;
	bool is_known;

	if (!lang && !limits.count)
		return true;
	if (load_rules(wish, &book) != EXIT_FINE)
		return false;
	is_known = choose_language(book, lang, &chosen) && limits_are_known(&limits, book);
	rulebook_free(book);
	return is_known;
}

static int run_run(int argc, char **argv)
{
	struct arena arena = {0};
	int code;

	if (recording_check(&choice) != OK || check_limits() != OK)
		return misuse(&command_run, "%s", trail_text());
	if (!can_be_told())
		return EXIT_USAGE;
	code = record(argc, argv, &arena);
	arena_release(&arena);
	return code;
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
	.operands_min = 1,
	.operands_max = OPERANDS_ANY,
	.run = run_run,
};
