#include "base/settings.h"
#include "cli/command.h"
#include "exchange/otf2.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE_SECONDS = 20 };

static struct {
	const char *output;
	bool plain;
} choice;

static const struct option_spec options[] = {
	{"output", 'o', "TRACE", "name of the trace; default: ARCHIVE with '" TRACE_SUFFIX "' for its suffix",
         OPTION_TEXT, &choice.output},
	{"plain", 0, NULL, "pass over what tarry itself left in the archive, as other tools do", OPTION_FLAG,
         &choice.plain},
	OPTIONS_END,
};

/* "runs/scorep.otf2" and "runs/scorep/" become "runs/scorep.tarry". */
static void name_output(const char *path, struct text *name)
{
	size_t length = strlen(path);

	while (length > 1 && path[length - 1] == '/')
		length--;
	if (text_ends(path, ".otf2"))
		length -= strlen(".otf2");
	text_add(name, "%.*s" TRACE_SUFFIX, (int)length, path);
}

static int import(const struct import_job *job)
{
	struct import_report report;

	if (otf2_import(job, &report) != OK)
		return report_failure();
	for (size_t i = 0; i < report.note_count; i++)
		say("%s", report.notes[i]);
	import_report_release(&report);
	return EXIT_FINE;
}

/* What the child was writing has its number in the name, as trace/output.c has it. */
static void remove_draft(const char *output, pid_t child)
{
	struct text draft = {0};

	text_add(&draft, "%s.%ld.tmp", output, (long)child);
	unlink(text_get(&draft));
	text_release(&draft);
}

/* Of a damaged archive the library may believe that it has 2^60 of something. */
static void limit_memory(void)
{
#ifndef __SANITIZE_ADDRESS__
	rlim_t machine = (rlim_t)sysconf(_SC_PHYS_PAGES) * (rlim_t)sysconf(_SC_PAGESIZE);
	struct rlimit limit = {machine, machine};

	setrlimit(RLIMIT_AS, &limit);
#endif
}

/* … and count to it. It ends by SIGPROF after so many seconds of work from which no line of the trace comes. */
static void limit_time(void)
{
	static const struct itimerval patience = {.it_value = {.tv_sec = PATIENCE_SECONDS}};

	setitimer(ITIMER_PROF, &patience, NULL);
}

static int import_within_limits(const struct import_job *job)
{
	struct import_job limited = *job;

	limited.alive = limit_time;
	limit_memory();
	limit_time();
	return import(&limited);
}

static void say_end(const struct import_job *job, int number)
{
	if (number == SIGPROF)
		say("reading '%s': the archive is damaged, and the OTF2 library does not come to an end with it",
		    job->path);
	else
		say("reading '%s': the archive is damaged, and the OTF2 library did not survive it (signal %d)",
		    job->path, number);
}

/* The library aborts on some archives that are damaged. In a process of its own it does so alone. */
static int import_apart(const struct import_job *job)
{
	pid_t child = fork();
	int how = 0;

	if (child < 0)
		return import(job);
	if (child == 0)
		_exit(import_within_limits(job));
	while (waitpid(child, &how, 0) < 0)
		continue;
	if (WIFEXITED(how))
		return WEXITSTATUS(how);
	remove_draft(job->output, child);
	say_end(job, WTERMSIG(how));
	return EXIT_FAILED;
}

static int run_import(int argc, char **argv)
{
	struct text output = {0};
	struct import_job job = {.path = argv[0], .plain = choice.plain};
	int code;

	(void)argc;
	if (choice.output)
		text_add(&output, "%s", choice.output);
	else
		name_output(argv[0], &output);
	job.output = text_get(&output);
	code = import_apart(&job);
	text_release(&output);
	return code;
}

const struct command command_import = {
	.name = "import",
	.summary = "make a trace from an OTF2 archive of another tool, such as Score-P or EZTrace",
	.usage = "[options] ARCHIVE",
	.example = "tarry import -o run.tarry scorep-run/traces.otf2\ntarry info run.tarry",
	.options = options,
	.operands_min = 1,
	.operands_max = 1,
	.run = run_import,
};
