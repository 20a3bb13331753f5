#include "cli/recording.h"

#include "base/text.h"
#include "cli/installation.h"
#include "cli/subject.h"
#include "cli/trace_name.h"
#include "trace/format.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define PRELOAD "LD_PRELOAD"
#define FALLBACK_NAME "run"

const char *const recording_variables[] = {
	PRELOAD,      SETTING_PRELOAD, SETTING_OUTPUT, SETTING_BUFFER, SETTING_CALLPATH,
	SETTING_RUN,  SETTING_TIMER,   SETTING_CLOCK,  SETTING_ONLY,   SETTING_NOT,
	SETTING_FROM, SETTING_TO,      NULL,
};

static const char *const timers[] = {TIMER_COUNTER, TIMER_CLOCK_GETTIME, TIMER_GETTIMEOFDAY, TIMER_MPI_WTIME,
                                     NULL};

static const char *output_name(const struct recording_choice *choice, char *const *program,
                               struct arena *arena)
{
	const char *name = choice->output;

	if (!name)
		name = program ? subject_of(program, arena) : FALLBACK_NAME;
	return text_ends(name, TRACE_SUFFIX) ? name : arena_format(arena, "%s" TRACE_SUFFIX, name);
}

static enum status make_absolute(const char *name, struct arena *arena, const char **path)
{
	char here[PATH_MAX];

	if (name[0] == '/') {
		*path = name;
		return OK;
	}
	if (!getcwd(here, sizeof here))
		return fail("cannot tell the current folder: %s; change to one that exists", strerror(errno));
	*path = arena_format(arena, "%s/%s", strcmp(here, "/") == 0 ? "" : here, name);
	return OK;
}

enum status recording_check_place(const char *path, struct arena *arena)
{
	char *folder = arena_text(arena, path);
	struct stat info;
	struct statvfs space;

	*(strrchr(folder, '/') + 1) = 0;
	if (stat(folder, &info) != 0)
		return fail("cannot write a trace into '%s': %s; choose another place with --output", folder,
		            strerror(errno));
	if (!S_ISDIR(info.st_mode))
		return fail("'%s' is no folder; choose another place for the trace with --output", folder);
	if (access(folder, W_OK | X_OK) != 0)
		return fail("cannot write a trace into '%s': %s; choose another place with --output", folder,
		            strerror(errno));
	if (statvfs(folder, &space) == 0 && space.f_blocks && !space.f_bavail)
		return fail(
			"cannot write a trace into '%s': no space left; choose another place with --output",
			folder);
	return OK;
}

/* An earlier trace may be replaced; nothing else may. An empty file is what a full disk leaves of one. */
static enum status check_replaceable(const char *path)
{
	char start[CHUNK_MAGIC_SIZE];
	struct stat info;
	ssize_t length;
	int fd;

	if (stat(path, &info) != 0)
		return OK;
	if (S_ISDIR(info.st_mode))
		return fail("'%s' is a folder; name another trace with --output", path);
	fd = open(path, O_RDONLY);
	if (fd < 0)
		return fail("cannot open '%s': %s; name another trace with --output", path, strerror(errno));
	length = read(fd, start, sizeof start);
	close(fd);
	if (length == 0 || (length == sizeof start && memcmp(start, CHUNK_MAGIC, sizeof start) == 0))
		return OK;
	return fail("'%s' exists and is no trace; it stays as it is: name another with --output", path);
}

static enum status check_libraries(const char *folder, struct arena *arena)
{
	const char *path = arena_format(arena, "%s/" PRELOAD_LIBRARY, folder);

	if (access(path, R_OK) != 0)
		return fail("cannot read '%s': %s; see 'tarry doctor'", path, strerror(errno));
	if (strpbrk(path, " :"))
		return fail("'%s' cannot be preloaded, because its path has a space or a colon; "
		            "install Tarry elsewhere",
		            path);
	return OK;
}

static enum status check_timer(const char *name)
{
	for (const char *const *timer = timers; *timer; timer++)
		if (strcmp(*timer, name) == 0)
			return OK;
	return fail("option '--timer': there is no clock '%s'; take counter, clock_gettime, gettimeofday or "
	            "MPI_Wtime",
	            name);
}

enum status recording_check(const struct recording_choice *choice)
{
	if (choice->buffer < BUFFER_MIN)
		return fail("option '--buffer': %" PRIu64 " bytes are too few, 1M is the least",
		            choice->buffer);
	if (choice->callpath < OPTION_NO_VALUE || choice->callpath > CALLPATH_MAX)
		return fail("option '--callpath': a path has from 1 to %d sites, not %" PRId64, CALLPATH_MAX,
		            choice->callpath);
	if (choice->output)
		TRY(trace_name_check(choice->output));
	if (choice->timer)
		TRY(check_timer(choice->timer));
	if (choice->traced.minimal && choice->wanted.only)
		return fail("options '--minimal' and '--only' exclude each other: both say what is recorded");
	return wanted_check(&choice->wanted);
}

enum status recording_plan(const struct recording_choice *choice, char *const *program, struct arena *arena,
                           struct recording *plan)
{
	struct recording made = {
		.buffer = choice->buffer,
		.timer = choice->timer,
		.callpath = choice->callpath == OPTION_NO_VALUE ? CALLPATH_DEFAULT : choice->callpath,
		.output = output_name(choice, program, arena),
		.wanted = choice->wanted,
	};

	TRY(make_absolute(made.output, arena, &made.output));
	made.parts = arena_format(arena, "%s" PARTS_SUFFIX, made.output);
	TRY(recording_check_place(made.output, arena));
	TRY(check_replaceable(made.output));
	TRY(installation_libraries(arena, &made.libraries));
	TRY(check_libraries(made.libraries, arena));
	TRY(traced_plan(&choice->traced, arena, &made.traced));
	if (made.traced.only)
		made.wanted.only = made.traced.only;
	*plan = made;
	return OK;
}

static enum status set_variable(const char *name, const char *value)
{
	if (setenv(name, value, 1) != 0)
		return fail("cannot set the variable '%s': %s", name, strerror(errno));
	return OK;
}

/* In front of what the user preloads; once, also for `tarry exec` under `tarry run`, which keeps the run's wrappers if it has none of
 * its own. */
static enum status set_preload(const struct recording *plan, bool is_run)
{
	const char *others = getenv(PRELOAD);
	struct arena arena = {0};
	const char *ours = arena_format(&arena, "%s/" PRELOAD_LIBRARY, plan->libraries);
	enum status status = OK;

	if (is_run || plan->traced.library || !others || !strstr(others, ours))
		status = set_variable(PRELOAD, traced_preload(&plan->traced, ours, others, &arena));
	if (status == OK)
		status = set_variable(SETTING_PRELOAD, ours);
	arena_release(&arena);
	return status;
}

enum status recording_enter(const struct recording *plan, const char *run)
{
	char buffer[32];

	snprintf(buffer, sizeof buffer, "%" PRIu64, plan->buffer);
	TRY(set_preload(plan, run != NULL));
	TRY(set_variable(SETTING_OUTPUT, plan->output));
	TRY(set_variable(SETTING_BUFFER, buffer));
	if (plan->timer)
		TRY(set_variable(SETTING_TIMER, plan->timer));
	if (plan->callpath) {
		snprintf(buffer, sizeof buffer, "%" PRId64, plan->callpath);
		TRY(set_variable(SETTING_CALLPATH, buffer));
	}
	TRY(wanted_enter(&plan->wanted, !run));
	return run ? set_variable(SETTING_RUN, run) : OK;
}
