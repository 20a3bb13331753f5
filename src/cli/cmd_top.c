#include "analysis/live/live_job.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/files.h"
#include "base/own_folder.h"
#include "base/paths.h"
#include "base/shell.h"
#include "base/status.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/job.h"
#include "cli/job_settings.h"
#include "cli/launcher.h"
#include "cli/parts_folder.h"
#include "cli/program.h"
#include "cli/recorded_job.h"
#include "cli/terminal.h"
#include "cli/top_view.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* The output of a program while the view uses the terminal. It is kept in a file beside the trace; its last lines
 * are shown, and all of it is printed when the terminal is free again. If tarry is killed, the file remains.
 *
 *	struct top_output output;
 *	TRY(top_output_open("run.tarry", &arena, &output));
 *	… the job's streams are output.out and output.error …
 *	top_output_tail(&output, 5, &lines);
 *	top_output_replay(&output); */

struct top_output {
	const char *path;
	int file;
	/* For the job: the file replaces the terminal, with both streams in the order of writing. */
	int out, error;
};

enum { TAIL_BYTES = 8192, PIECE = 1 << 16 };

static enum status top_output_open(const char *trace, struct arena *arena, struct top_output *output)
{
	*output = (struct top_output){.out = STDOUT_FILENO, .error = STDERR_FILENO};
	output->path = arena_format(arena, "%s.output-%d", trace, (int)getpid());
	output->file = private_file_create(AT_FDCWD, output->path, USER_FILE_MODE);
	if (output->file < 0)
		return fail(
			"cannot keep the program's output in '%s': %s; choose another place with --output",
			output->path, strerror(errno));
	output->out = output->file;
	if (isatty(STDERR_FILENO))
		output->error = output->file;
	return OK;
}

/* The start of the last `count` lines; text after the last newline counts as a line. */
static size_t find_lines(const char *bytes, size_t size, size_t count)
{
	size_t at = size;

	if (at && bytes[at - 1] == '\n')
		at--;
	for (; at; at--)
		if (bytes[at - 1] == '\n' && !--count)
			break;
	return at;
}

/* The last lines, at most `count`, each with an end of line; without control characters. */
static void top_output_tail(const struct top_output *output, size_t count, struct text *lines)
{
	char bytes[TAIL_BYTES];
	struct stat about;
	off_t from;
	size_t size, at;

	if (!count || fstat(output->file, &about) != 0 || !about.st_size)
		return;
	from = about.st_size > TAIL_BYTES ? about.st_size - TAIL_BYTES : 0;
	size = (size_t)(about.st_size - from);
	if (!pread_fully(output->file, bytes, size, from))
		return;
	at = find_lines(bytes, size, count);
	for (size_t i = at; i < size; i++)
		text_add(lines, "%c", bytes[i] ? bytes[i] : '?');
	if (bytes[size - 1] != '\n')
		text_add(lines, "\n");
	text_strip_controls(lines);
}

/* Prints everything, and removes the file. */
static void top_output_replay(struct top_output *output)
{
	char bytes[PIECE];
	off_t at = 0;
	ssize_t size;

	while ((size = pread(output->file, bytes, sizeof bytes, at)) > 0) {
		if (!write_fully(STDOUT_FILENO, bytes, (size_t)size)) {
			say("cannot print the program's output: %s; it is kept in '%s'", strerror(errno),
			    output->path);
			close(output->file);
			return;
		}
		at += size;
	}
	if (size < 0)
		say("cannot read the program's output: %s; it is kept in '%s'", strerror(errno),
		    output->path);
	else
		unlink(output->path);
	close(output->file);
}

static struct recording_choice choice = RECORDING_CHOICE_DEFAULT;
static bool replace, no_trace;
static double interval = 1;

static const struct option_spec options[] = {
	{"interval", 'i', "SECONDS", "time between two updates (default: 1, at least 0.1)", OPTION_REAL,
         &interval},
	{"output", 'o', "NAME", "name of the trace, with or without '.tarry' (default: the program's name)",
         OPTION_TEXT, &choice.output},
	{"replace", 0, NULL, "replace an earlier trace of this name (default: keep it as NAME.old-1.tarry)",
         OPTION_FLAG, &replace},
	{"no-trace", 0, NULL, "keep no trace", OPTION_FLAG, &no_trace},
	OPTIONS_END,
};

enum { OUTPUT_LINES = 5 };

static const double interval_least = 0.1, interval_most = 3600;

/* The view, and the time of its next update. */
struct top_session {
	struct live_job *job;
	struct top_view view;
	struct top_output *output; /* NULL: the program's output is not redirected */
	int64_t start_ns, next_ns;
	bool has_screen;
};

static void show_on_screen(struct top_session *session)
{
	struct top_lines lines = {0};
	struct text tail = {0};

	screen_size(&session->view.rows, &session->view.columns);
	if (session->output)
		top_output_tail(session->output, OUTPUT_LINES, &tail);
	session->view.output = text_get(&tail);
	top_view_draw(&session->view, &lines);
	if (!speaks_utf8())
		for (size_t i = 0; i < lines.count; i++) {
			struct text line = {0};
			text_add(&line, "%s", lines.items[i].text);
			free(lines.items[i].text);
			fold_to_ascii(&line);
			lines.items[i].text = text_take(&line);
		}
	screen_draw(lines.items, lines.count);
	top_lines_release(&lines);
	text_release(&tail);
}

static bool was_resized(const struct top_session *session)
{
	int rows, columns;

	if (!session->has_screen)
		return false;
	screen_size(&rows, &columns);
	return session->view.rows && (rows != session->view.rows || columns != session->view.columns);
}

static void look(void *context)
{
	struct top_session *session = context;
	const int64_t now = (int64_t)clock_system_ns(CLOCK_MONOTONIC);

	if (now >= session->next_ns) {
		live_job_look(session->job, (int64_t)clock_system_ns(CLOCK_REALTIME));
		session->view.seconds = (double)(now - session->start_ns) * 1e-9;
		/* If a look takes long, for example with many processes, looks are less frequent. */
		session->next_ns = now + (int64_t)(interval * 1e9);
		if (session->next_ns < now + 10 * ((int64_t)clock_system_ns(CLOCK_MONOTONIC) - now))
			session->next_ns = now + 10 * ((int64_t)clock_system_ns(CLOCK_MONOTONIC) - now);
	} else if (!was_resized(session)) {
		return;
	}
	if (session->has_screen)
		show_on_screen(session);
	else {
		struct text lines = {0};

		top_view_summary(&session->view, &lines);
		say_lines(text_get(&lines));
		text_release(&lines);
	}
}

static void suspend(void *context)
{
	struct top_session *session = context;

	screen_leave();
	session->next_ns = 0;
}

static enum status watch(const struct recorded_job *job, const char *path, const struct launch_line *line,
                         struct arena *arena, int *code)
{
	struct top_output output = {.out = STDOUT_FILENO, .error = STDERR_FILENO};
	struct top_session session = {.has_screen = screen_is_possible()};
	struct job_watch watched = {look, suspend, &session};
	enum status status;

	TRY(recorded_job_export(job));
	if (session.has_screen) {
		TRY(top_output_open(job->plan.output, arena, &output));
		session.output = &output;
	}
	session.job = live_job_new(job->plan.parts);
	session.view = (struct top_view){.job = session.job,
	                                 .title = launch_line_program(line),
	                                 .trace = SHELL_QUOTED(path_from_here(job->plan.output)),
	                                 .columns = INT_MAX};
	if (!session.view.title)
		session.view.title = path_name(path);
	session.start_ns = (int64_t)clock_system_ns(CLOCK_MONOTONIC);
	session.next_ns = session.start_ns + (session.has_screen ? 0 : (int64_t)(interval * 1e9));
	status = job_run_into(
		path, launch_line_forward(line, job_variables, arena),
		&(struct job_streams){.out = output.out, .error = output.error, .watch = &watched}, code);
	screen_leave();
	if (session.output)
		top_output_replay(session.output);
	live_job_free(session.job);
	return status;
}

static bool is_visible(const char *name)
{
	return name[0] != '.';
}

static enum status check_options(void)
{
	if (!(interval >= interval_least && interval <= interval_most))
		return fail("option '--interval' must be from 0.1 to 3600 seconds");
	if (no_trace && choice.output)
		return fail("options '--no-trace' and '--output' cannot be combined");
	return recording_check(&choice);
}

/* The folder of parts of a job that `tarry run` or `tarry top` of this user is recording to this trace; NULL: none. */
static const char *running_parts(const struct invocation *given)
{
	const char *parts = arena_format(given->arena, "%s.parts", given->argv[0]);

	return given->argc == 1 && text_ends(given->argv[0], ".tarry") && parts_check_unused(parts) != OK
	               ? parts
	               : NULL;
}

enum { PAUSE_NS = 50000000 };

/* Shows a job that another command started, until the job or the user ends it. The job is not affected. */
static int attach(const struct invocation *given, const char *parts)
{
	const struct timespec pause = {.tv_nsec = PAUSE_NS};
	struct top_session session = {.has_screen = screen_is_possible(), .job = live_job_new(parts)};
	bool is_running = true;
	sigset_t ends;

	sigemptyset(&ends);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGTERM);
	sigaddset(&ends, SIGHUP);
	pthread_sigmask(SIG_BLOCK, &ends, NULL);
	session.view = (struct top_view){.job = session.job,
	                                 .title = path_name(given->argv[0]),
	                                 .trace = SHELL_QUOTED(path_from_here(given->argv[0])),
	                                 .columns = INT_MAX};
	session.start_ns = (int64_t)clock_system_ns(CLOCK_MONOTONIC);
	do {
		look(&session);
		is_running = parts_check_unused(parts) != OK;
	} while (is_running && sigtimedwait(&ends, NULL, &pause) < 0);
	screen_leave();
	live_job_free(session.job);
	if (!is_running)
		say("the job has ended: see tarry report %s", session.view.trace);
	return EXIT_FINE;
}

static int run_top(const struct invocation *given)
{
	const char *parts = running_parts(given);
	struct arena *arena = given->arena;
	struct launch_line line;
	struct recorded_job job;
	const char *path, *program;
	int code = EXIT_FAILED;

	if (parts)
		return attach(given, parts);
	if (text_ends(given->argv[0], ".tarry") && given->argc == 1) {
		say("no job of yours is recording to '%s' now: see tarry report", given->argv[0]);
		return EXIT_FAILED;
	}
	if (program_find(given->argv[0], arena, &path) != OK)
		return program_refused(given->argv[0]);
	launch_line_read(&line, given->argc, given->argv, arena);
	program = launch_line_program(&line);
	/* If no trace is kept, an existing trace of the same name is not touched. */
	if (no_trace)
		choice.output = arena_format(arena, "%s.top-%d",
		                             line.program ? program_title(line.program, arena) : "run",
		                             (int)getpid());
	if (recorded_job_begin(&choice, line.program, replace, arena, &job) != OK)
		return report_failure();
	if (watch(&job, path, &line, arena, &code) != OK)
		code = report_failure();
	else if (!no_trace)
		recorded_job_conclude(&job, program, arena, code);
	if (no_trace)
		own_folder_discard(job.plan.parts, is_visible);
	recorded_job_end(&job);
	return code;
}

const struct command command_top = {
	.name = "top",
	.summary = "start an MPI or UPC job and show the activity of its ranks while it runs",
	.usage = "[options] [--] LAUNCHER [OPTION ...] PROGRAM [ARGUMENT ...] | TRACE",
	.example = "tarry top run.tarry\n"
		   "tarry top -- mpirun -n 4 ./app input.dat\n"
		   "tarry top --interval 10 -- srun -n 64 ./app >app.log 2>top.log",
	.options = options,
	.order = OPTIONS_FIRST,
	.operands = {1, OPERANDS_ANY},
	.check = check_options,
	.run = run_top,
};
