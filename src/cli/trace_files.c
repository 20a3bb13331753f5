#include "cli/trace_files.h"

#include "base/clock.h"
#include "base/files.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/paths.h"
#include "base/settings.h"
#include "base/shell.h"
#include "base/unfinished.h"
#include "cli/command.h"
#include "cli/parts_folder.h"
#include "trace/format.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Opening */

enum { PATIENCE_SECONDS = 20 };

static int import_here(const struct import_job *job)
{
	struct import_report report;

	if (otf2_import(job, &report) != OK)
		return report_failure();
	for (size_t i = 0; i < report.notes.count; i++)
		say("%s", report.notes.items[i]);
	import_report_release(&report);
	return EXIT_FINE;
}

/* … and count to it. SIGPROF ends it after this many seconds of work without a new line of the trace. */
static void limit_time(void)
{
	static const struct itimerval patience = {.it_value = {.tv_sec = PATIENCE_SECONDS}};

	setitimer(ITIMER_PROF, &patience, NULL);
}

static int import_within_limits(const struct import_job *job)
{
	struct import_job limited = *job;

	limited.alive = limit_time;
	/* In a damaged archive, the library may read counts such as 2^60. */
#ifndef __SANITIZE_ADDRESS__
	rlim_t machine = (rlim_t)sysconf(_SC_PHYS_PAGES) * (rlim_t)sysconf(_SC_PAGESIZE);
	struct rlimit limit = {machine, machine};

	setrlimit(RLIMIT_AS, &limit);
#endif
	limit_time();
	return import_here(&limited);
}

/* The library aborts on some damaged archives. A separate process keeps this one alive. */
int import_archive(const struct import_job *job)
{
	pid_t child = fork();
	int how = 0, number;
	struct text draft = {0};

	if (child < 0)
		return import_here(job);
	if (child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		_exit(import_within_limits(job));
	}
	while (waitpid(child, &how, 0) < 0)
		continue;
	if (WIFEXITED(how))
		return WEXITSTATUS(how);
	/* The file that the child was writing has the child's process id in its name (trace/output.c). */
	text_add(&draft, "%s.%ld.tmp", job->output, (long)child);
	unlink(text_get(&draft));
	text_release(&draft);
	number = WTERMSIG(how);
	if (number == SIGPROF)
		say("reading '%s': the archive is damaged: the OTF2 library hangs on it", job->path);
	else
		say("reading '%s': the archive is damaged: the OTF2 library crashes on it (signal %d)",
		    job->path, number);
	return EXIT_FAILED;
}

bool is_trace(const char *path)
{
	char start[CHUNK_MAGIC_SIZE];
	int fd = open_regular(AT_FDCWD, path, O_RDONLY);
	bool is = fd >= 0 && read(fd, start, sizeof start) == (ssize_t)sizeof start &&
	          memcmp(start, CHUNK_MAGIC, sizeof start) == 0;

	if (fd >= 0)
		close(fd);
	return is;
}

/* 'tarry export --otf2' and Score-P make a folder. Users need not know its main file. */
static bool holds_archive(const char *folder)
{
	DIR *listing = opendir(folder);
	struct dirent *entry;
	bool found = false;

	while (listing && !found && (entry = readdir(listing)))
		found = text_ends(entry->d_name, ".otf2");
	if (listing)
		closedir(listing);
	return found;
}

/* The archive is converted to a trace in a folder that is removed at once. */
static bool open_archive(const char *path, struct arena *arena, struct reader **reader)
{
	const char *place = getenv("TMPDIR");
	char *folder = arena_format(arena, "%s/tarry-XXXXXX", place && *place ? place : "/tmp");
	struct import_job job = {.path = path};
	bool is_opened = false;

	if (!mkdtemp(folder)) {
		say("cannot create '%s': %s; name another place with TMPDIR", folder, strerror(errno));
		return false;
	}
	unfinished_add(folder);
	job.output = arena_format(arena, "%s/trace", folder);
	if (import_archive(&job) == EXIT_FINE) {
		is_opened = reader_open(job.output, reader) == OK;
		if (is_opened)
			(*reader)->path = path;
		else
			report_failure();
	}
	unlink(job.output);
	rmdir(folder);
	unfinished_forget(folder);
	return is_opened;
}

/* "app" means "app.tarry", as in all commands, even if the program "app" is in the same folder. NULL: it names an archive. */
static const char *trace_of_name(const char *path, struct arena *arena)
{
	const char *whole = arena_format(arena, "%s" TRACE_SUFFIX, path);
	bool is_short = (path_exists(whole) || path_exists(arena_format(arena, "%s" PARTS_SUFFIX, whole))) &&
	                !is_trace(path);

	if (text_ends(path, ".otf2") || (!is_short && holds_archive(path)))
		return NULL;
	return is_short ? whole : path;
}

bool is_folder_of_runs(const char *path)
{
	struct arena arena = {0};
	const char *trace = trace_of_name(path, &arena);
	bool is = trace == path && path_is_folder(path) && !text_ends(path, PARTS_SUFFIX);

	arena_release(&arena);
	return is;
}

/* Open calls of a running job last until now. Parts of a job that has ended are equivalent to its trace. */
static void note_running(struct reader *reader, struct arena *arena)
{
	const char *folder;

	if (!reader->is_parts || !reader->part_count)
		return;
	folder = path_folder(reader->parts[0].path, arena);
	if (parts_check_ended(folder) != OK)
		reader->seen_ns = (int64_t)clock_system_ns(CLOCK_REALTIME);
	else
		reader->is_parts = !parts_are_finished(folder);
}

bool open_trace(const char *path, struct reader **reader)
{
	struct arena arena = {0};
	const char *trace = trace_of_name(path, &arena);
	bool is_opened;

	if (!trace) {
		is_opened = open_archive(path, &arena, reader);
	} else {
		is_opened = reader_open(trace, reader) == OK;
		if (is_opened)
			note_running(*reader, &arena);
		else
			report_failure();
	}
	arena_release(&arena);
	return is_opened;
}

bool open_trace_share(const char *path, struct byte_share share, struct reader **reader)
{
	struct arena arena = {0};
	const char *trace = trace_of_name(path, &arena);
	bool is_opened = trace && reader_open_share(trace, share, reader) == OK;

	if (is_opened && (*reader)->damage_count) {
		reader_close(*reader);
		*reader = NULL;
		is_opened = false;
	}
	if (is_opened)
		note_running(*reader, &arena);
	arena_release(&arena);
	return is_opened;
}

/* Names */

enum status trace_name_check(const char *name)
{
	const char *last = path_name(name);

	if (!*name)
		return fail("option '--output': the name is empty");
	if (!*last || strcmp(last, ".") == 0 || strcmp(last, "..") == 0)
		return fail("option '--output': '%s' is a folder: name the trace in it, such as '%s%srun'",
		            name, name, *last ? "/" : "");
	return OK;
}

void trace_name_add(const char *name, struct text *path)
{
	text_add(path, "%s%s", name, text_ends(name, TRACE_SUFFIX) ? "" : TRACE_SUFFIX);
}

/* Source code */

struct source_files *named_sources(const struct string_list *folders)
{
	struct source_files *sources = source_files_new();

	for (size_t i = 0; i < folders->count; i++)
		source_files_allow(sources, folders->at[i]);
	return sources;
}

/* The trace has the path of its program. Use it only if the program is there. */
static bool is_program(const char *path)
{
	struct stat about;

	return path && stat(path, &about) == 0 && S_ISREG(about.st_mode) && access(path, X_OK) == 0;
}

struct source_files *sources_of_trace(const struct reader *reader, const struct string_list *folders)
{
	struct source_files *sources = named_sources(folders);

	source_files_allow_beside(sources, reader->path);
	/* The first module of a process is its program. */
	for (size_t i = 0; i < reader->process_count; i++)
		if (reader->processes[i].module_count && is_program(reader->processes[i].modules[0].path))
			source_files_allow_beside(sources, reader->processes[i].modules[0].path);
	return sources;
}

void say_refused_source(const struct source_files *sources)
{
	const char *refused = sources ? source_files_refused(sources) : NULL;
	struct arena arena = {0};

	if (!refused)
		return;
	say("'%s' is not shown: Tarry reads source files only below the current folder, the trace and the program, and follows no links; "
	    "to show it, add --source %s",
	    refused, SHELL_QUOTED(path_folder(refused, &arena)));
	arena_release(&arena);
}

/* Warnings about a trace */

enum { DAMAGE_SHOWN = 20 };

void say_damage(const struct reader *reader)
{
	size_t count = reader->damage_count;

	for (size_t i = 0; i < count && i < DAMAGE_SHOWN; i++)
		say("'%s' is damaged: %s", reader->path, reader->damage[i].text);
	if (count > DAMAGE_SHOWN)
		say("'%s' is damaged in %zu more places", reader->path, count - DAMAGE_SHOWN);
}

static int by_text(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* Threads look up calls in any order. */
void say_warnings(const struct symbols *source)
{
	const char *const *warnings;
	size_t count = symbols_warnings(source, &warnings);
	const char **sorted = memory_new(count + 1, sizeof *sorted);

	for (size_t i = 0; i < count; i++)
		sorted[i] = warnings[i];
	qsort(sorted, count, sizeof *sorted, by_text);
	for (size_t i = 0; i < count; i++)
		say("%s", sorted[i]);
	free(sorted);
}

unsigned jobs_given(int64_t jobs)
{
	enum { JOBS_MAX = 1024 };

	return jobs <= 0 ? parallel_cores() : jobs < JOBS_MAX ? (unsigned)jobs : JOBS_MAX;
}
