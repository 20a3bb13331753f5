#include "cli/recording.h"

#include "analysis/rules/call_arguments.h"
#include "analysis/wrappers/wrappers.h"
#include "base/counters.h"
#include "base/file_hooks.h"
#include "base/files.h"
#include "base/paths.h"
#include "base/text.h"
#include "calls/select.h"
#include "cli/command.h"
#include "cli/installation.h"
#include "cli/job_settings.h"
#include "cli/launcher.h"
#include "cli/parts_folder.h"
#include "cli/rule_loading.h"
#include "cli/trace_files.h"
#include "cli/trace_window.h"
#include "trace/format.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* --only, --not, --from, --to */

static enum status check_moment(const char *option, const char *text, struct moment *moment)
{
	const char *problem = text ? moment_parse(text, moment) : NULL;

	if (!problem)
		return OK;
	if (problem == moment_no_function) {
		struct nearest nearest = {.word = NULL};
		struct text name = {0};
		enum status status;

		text_add(&name, "%.*s", (int)strcspn(text, ":="), text);
		nearest.word = text_get(&name);
		call_list_offer_functions(&nearest);
		if (nearest_found(&nearest))
			status = fail("option '--%s': '%s' is not an MPI function, did you mean '%s'?",
			              option, nearest.word, nearest_found(&nearest));
		else
			status = fail("option '--%s': '%s' is not an MPI function", option, nearest.word);
		text_release(&name);
		return status;
	}
	return fail("option '--%s': '%s' %s", option, text, problem);
}

static bool same_thing(const struct moment *a, const struct moment *b)
{
	return a->call == b->call && strcmp(a->name, b->name) == 0 && a->has_level == b->has_level &&
	       a->level == b->level;
}

/* Sets the environment for the processes that this one will start. `keep`: keeps the variables of options
 * that were not given, so that a process of a run has the settings of the run. */
static enum status selection_export(const struct recording_selection *selection, bool keep)
{
	const struct {
		const char *variable, *value;
	} rules[] = {
		{SETTING_ONLY, selection->only},
		{SETTING_NOT, selection->except},
		{SETTING_FROM, selection->from},
		{SETTING_TO, selection->to},
		{SETTING_SUMMARY, selection->summary ? "1" : NULL},
	};

	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
		if (rules[i].value || !keep)
			TRY(setting_set(rules[i].variable, rules[i].value));
	return OK;
}

/* --rules, --minimal */

/* Fails if the rules have errors. If wrappers cannot be made, `obstacle` is set, and MPI is still
 * recorded. */
static enum status wrapped_prepare(const struct wrapped_choice *choice, struct arena *arena,
                                   struct wrapped_functions *plan)
{
	struct rule_options rules = {
		.files = choice->rules.at, .without_shipped = choice->no_shipped, .without_tests = true};
	struct wrapped_functions made = {0};
	struct rulebook *book;
	enum status status;

	*plan = made;
	if (!choice->rules.count && !choice->minimal)
		return OK;
	if (load_rules(rules, &book) != EXIT_FINE)
		return fail("nothing was started, because the rules have errors");
	status = wrappers_write(book, arena, &made.wrappers);
	if (status == OK && choice->minimal)
		made.only = needed_functions(book, arena);
	made.arguments = rulebook_argument_list(book, arena);
	if (status == OK && made.arguments && strlen(made.arguments) > ARGUMENT_LIST_MAX)
		status = fail(
			"the rules use too many arguments of MPI functions to record them all; give fewer rules at "
			"once with --rules");
	rulebook_free(book);
	if (status != OK)
		return status;
	if (made.wrappers.count && wrappers_build(&made.wrappers, arena, &made.library) != OK)
		made.obstacle = arena_format(
			arena, "the rules' functions are not recorded, only those of MPI: %s", trail_text());
	*plan = made;
	return OK;
}

static bool is_wrappers(const char *path, size_t length)
{
	const char *name = path;

	for (size_t i = 0; i < length; i++)
		if (path[i] == '/')
			name = path + i + 1;
	return text_begins(name, WRAPPERS_PREFIX);
}

static bool is_path(const char *path, const char *begin, size_t length)
{
	return path && length == strlen(path) && strncmp(begin, path, length) == 0;
}

/* The new LD_PRELOAD: the first library, that for files (NULL: none), the wrappers, and `others` (may be NULL), with or without wrappers of
 * another recording. */
static const char *wrapped_preload(const struct wrapped_functions *plan, const char *first, const char *files,
                                   const char *others, bool keeps_wrappers, struct arena *arena)
{
	const char *list = files ? arena_format(arena, "%s:%s", first, files) : first;

	if (plan->library)
		list = arena_format(arena, "%s:%s", list, plan->library);
	while (others && *others) {
		size_t length = strcspn(others, ": ");
		bool is_ours = is_path(first, others, length) || is_path(files, others, length);
		if (length && !is_ours && (keeps_wrappers || !is_wrappers(others, length)))
			list = arena_format(arena, "%s:%.*s", list, (int)length, others);
		others += length + (others[length] != 0);
	}
	return list;
}

static bool was_left(const char *parts, const char *prefix, const char *function, struct arena *arena)
{
	return access(arena_format(arena, "%s/%s%s", parts, prefix, function), F_OK) == 0;
}

void say_uncalled_functions(const struct wrapped_functions *plan, const char *parts, struct arena *arena)
{
	if (!plan->library ||
	    !parts_are_finished(parts)) /* unfinished processes had no time to write their notes */
		return;
	for (size_t i = 0; i < plan->wrappers.count; i++) {
		const struct traced *traced = &plan->wrappers.traced[i];

		if (was_left(parts, PROBE_SEEN_PREFIX, traced->function, arena))
			continue;
		if (was_left(parts, PROBE_FOUND_PREFIX, traced->function, arena))
			say("event '%s' never saw a call of '%s': between MPI_Init and MPI_Finalize the program did "
			    "not call it, or only its own library or MPI did",
			    traced->event, traced->function);
		else
			say("event '%s' never saw a call of '%s': no library of the program has it; if it is linked "
			    "into the program itself (-rdynamic does not help), put it into a shared library, or "
			    "mark it with tarry.h",
			    traced->event, traced->function);
	}
}

/* The recording */

static const char *const timers[] = {TIMER_COUNTER, TIMER_CLOCK_GETTIME, TIMER_GETTIMEOFDAY, TIMER_MPI_WTIME,
                                     NULL};

enum status recording_check_output(const char *path, struct arena *arena)
{
	char *folder = arena_text(arena, path);
	struct stat info;
	struct statvfs space;

	*(strrchr(folder, '/') + 1) = 0;
	if (stat(folder, &info) != 0)
		return fail("cannot write a trace into '%s': %s; choose another place with --output", folder,
		            strerror(errno));
	if (!S_ISDIR(info.st_mode))
		return fail("'%s' is not a folder; choose another place for the trace with --output", folder);
	if (access(folder, W_OK | X_OK) != 0)
		return fail("cannot write a trace into '%s': %s; choose another place with --output", folder,
		            strerror(errno));
	if (statvfs(folder, &space) == 0 && space.f_blocks && !space.f_bavail)
		return fail(
			"cannot write a trace into '%s': no space left; choose another place with --output",
			folder);
	return OK;
}

/* Only an earlier trace may be replaced. After a full disk, it may be an empty file. */
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
	fd = open_regular(AT_FDCWD, path, O_RDONLY);
	if (fd < 0)
		return fail("cannot open '%s': %s; name another trace with --output", path, file_error());
	length = read(fd, start, sizeof start);
	close(fd);
	if (length == 0 || (length == sizeof start && memcmp(start, CHUNK_MAGIC, sizeof start) == 0))
		return OK;
	return fail("'%s' exists and is not a trace; it is left unchanged: name another with --output", path);
}

enum status preload_check(const char *folder, struct arena *arena)
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
	return fail("option '--timer': unknown clock '%s'; choose counter, clock_gettime, gettimeofday or "
	            "MPI_Wtime",
	            name);
}

/* Without all calls, spinning in MPI would count as computing. */
static enum status check_counters(const struct recording_choice *choice)
{
	const struct recording_selection *selection = &choice->selection;

	if (!counters_parse(choice->counters))
		return fail("option '--counters': '%s' is not a list of cycles, instructions and task-clock",
		            choice->counters);
	if (selection->only || selection->except || selection->from || selection->to || selection->summary ||
	    choice->wrapped.minimal)
		return fail("option '--counters' needs all calls: it cannot be combined with '%s'",
		            selection->only      ? "--only"
		            : selection->except  ? "--not"
		            : selection->from    ? "--from"
		            : selection->to      ? "--to"
		            : selection->summary ? "--summary"
		                                 : "--minimal");
	return OK;
}

enum status recording_check(const struct recording_choice *choice)
{
	struct moment from = {0}, to = {0};

	if (choice->buffer < BUFFER_MIN)
		return fail("option '--buffer': %" PRIu64 " bytes are too few: the minimum is 1M",
		            choice->buffer);
	if (choice->callpath < OPTION_NO_VALUE || choice->callpath > CALLPATH_MAX)
		return fail("option '--callpath': a path has 1 to %d sites, not %" PRId64, CALLPATH_MAX,
		            choice->callpath);
	if (choice->output)
		TRY(trace_name_check(choice->output));
	if (choice->timer)
		TRY(check_timer(choice->timer));
	if (choice->counters)
		TRY(check_counters(choice));
	if (choice->selection.summary && choice->callpath)
		return fail("options '--summary' and '--callpath' cannot be combined");
	if (choice->wrapped.minimal && choice->selection.only)
		return fail("options '--minimal' and '--only' cannot be combined");
	TRY(call_list_check("only", choice->selection.only));
	TRY(call_list_check("not", choice->selection.except));
	TRY(check_moment("from", choice->selection.from, &from));
	TRY(check_moment("to", choice->selection.to, &to));
	if (choice->selection.from && choice->selection.to && same_thing(&from, &to) && to.nth &&
	    to.nth < from.nth)
		return fail("nothing would be recorded: '--to %s' is before '--from %s'",
		            choice->selection.to, choice->selection.from);
	return OK;
}

enum status recording_plan(const struct recording_choice *choice, char *const *program, struct arena *arena,
                           struct recording *plan)
{
	struct recording made = {
		.buffer = choice->buffer,
		.timer = choice->timer,
		.counters = choice->counters,
		.callpath = choice->callpath == OPTION_NO_VALUE ? CALLPATH_DEFAULT : choice->callpath,
		.keep_parts = choice->keep_parts,
		.output = choice->output ? choice->output : default_name(program, arena),
		.selection = choice->selection,
	};

	if (!text_ends(made.output, TRACE_SUFFIX))
		made.output = arena_format(arena, "%s" TRACE_SUFFIX, made.output);
	TRY(path_absolute(made.output, arena, &made.output));
	made.parts = arena_format(arena, "%s" PARTS_SUFFIX, made.output);
	TRY(recording_check_output(made.output, arena));
	TRY(check_replaceable(made.output));
	TRY(installation_libraries(arena, &made.libraries));
	TRY(preload_check(made.libraries, arena));
	TRY(wrapped_prepare(&choice->wrapped, arena, &made.wrapped));
	made.wrapped.counts_files = choice->counts_files;
	if (made.wrapped.only)
		made.selection.only = made.wrapped.only;
	*plan = made;
	return OK;
}

/* Puts our library before those that the user preloads, and only once: `tarry exec` under `tarry run` keeps
 * the run's wrappers if it has none of its own. A tool that was started in between may have put its library
 * first. */
enum status preload_export(const char *libraries, const struct wrapped_functions *wrapped, bool is_run)
{
	struct arena arena = {0};
	const char *others = is_run ? preload_get() : preload_at_start(&arena);
	const char *ours = arena_format(&arena, "%s/" PRELOAD_LIBRARY, libraries);
	const char *files = wrapped->counts_files ? arena_format(&arena, "%s/" FILE_HOOKS_LIBRARY, libraries)
	                                          : NULL;
	bool is_in_front = preload_get() && text_begins(others, ours) && strchr(": ", others[strlen(ours)]);
	enum status status = OK;

	if (is_run || wrapped->library || files || !is_in_front)
		status = variable_set(
			LD_PRELOAD_VARIABLE,
			wrapped_preload(wrapped, ours, files, others, !is_run && !wrapped->library, &arena));
	if (status == OK)
		status = variable_set(SETTING_PRELOAD, ours);
	arena_release(&arena);
	return status;
}

enum status recording_export(const struct recording *plan, const char *run)
{
	char buffer[32];

	snprintf(buffer, sizeof buffer, "%" PRIu64, plan->buffer);
	TRY(preload_export(plan->libraries, &plan->wrapped, run != NULL));
	TRY(setting_set(SETTING_OUTPUT, plan->output));
	TRY(setting_set(SETTING_BUFFER, buffer));
	if (plan->timer)
		TRY(setting_set(SETTING_TIMER, plan->timer));
	if (plan->counters)
		TRY(setting_set(SETTING_COUNTERS, plan->counters));
	if (plan->wrapped.counts_files)
		TRY(setting_set(SETTING_IO, "1"));
	if (plan->callpath) {
		snprintf(buffer, sizeof buffer, "%" PRId64, plan->callpath);
		TRY(setting_set(SETTING_CALLPATH, buffer));
	}
	if (plan->keep_parts)
		TRY(setting_set(SETTING_KEEP_PARTS, "1"));
	TRY(selection_export(&plan->selection, !run));
	/* Without arguments of its own, a process of a run keeps those of the run. */
	if (plan->wrapped.arguments || run)
		TRY(setting_set(SETTING_ARGUMENTS, plan->wrapped.arguments));
	return run ? setting_set(SETTING_RUN, run) : OK;
}
