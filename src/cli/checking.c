#include "cli/checking.h"

#include "base/backup.h"
#include "base/files.h"
#include "base/job_identity.h"
#include "base/object_limits.h"
#include "base/page_hooks.h"
#include "base/paths.h"
#include "base/shell.h"
#include "base/text.h"
#include "base/thread_hooks.h"
#include "base/user_files.h"
#include "check/protocol/messages.h"
#include "cli/command.h"
#include "cli/installation.h"
#include "cli/job_settings.h"
#include "cli/launcher.h"
#include "cli/recording.h"
#include "cli/terminal.h"
#include "output/findings/run_log.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* The job that a folder belongs to. */
#define JOB_FILE "job"

enum {
	WAIT_MS = 30000,
	STEP_MS = 20,
	FIRST_STEP_MS = 2, /* an analyser mostly ends at once … */
	FIRST_STEPS_MS = 200,
	FIRST_LOG_MS = 3000,
	SHORT_WAIT_MS = 2000,
	LOCK_SECONDS = 30,
	FOLDERS_MAX = 1000,
	HANG_TIMEOUT_MAX = 1000000000
};

/* The plan */

enum status checking_check(const struct checking_choice *choice)
{
	struct object_counts counts = object_counts_default;
	struct text names = {0};
	enum status status;

	if (choice->hang_timeout < 0 || choice->hang_timeout > HANG_TIMEOUT_MAX)
		return fail("option '--hang-timeout' must be a number of seconds, or 0 for never");
	if (choice->output && !*path_name(choice->output))
		return fail("option '--output': '%s' is not a valid name of a run", choice->output);
	if (!choice->limits || object_counts_read(&counts, choice->limits))
		return OK;
	for (int i = 0; i < LIMITED_OBJECTS; i++)
		text_add(&names, "%s%s", i ? ", " : "", limited_object_name((enum limited_object)i));
	status = fail(
		"option '--limits': '%s' is not a list such as communicators=50,requests=1000; kinds are %s",
		choice->limits, text_get(&names));
	text_release(&names);
	return status;
}

static const char *folder_name(const struct checking_choice *choice, char *const *program,
                               struct arena *arena)
{
	const char *name = choice->output ? choice->output : default_name(program, arena);

	if (text_ends(name, CHECK_SUFFIX))
		return name;
	if (text_ends(name, TRACE_SUFFIX))
		name = arena_bytes_as_text(arena, name, strlen(name) - strlen(TRACE_SUFFIX));
	return arena_format(arena, "%s" CHECK_SUFFIX, name);
}

enum status checking_plan(const struct checking_choice *choice, char *const *program, struct arena *arena,
                          struct checking *plan)
{
	struct checking made = {
		.hang_timeout = choice->hang_timeout, .buffers = choice->buffers, .limits = choice->limits};
	const char *programs, *analyser, *above;
	struct stat about;

	TRY(path_absolute(folder_name(choice, program, arena), arena, &made.folder));
	above = path_folder(made.folder, arena);
	if (access(above, W_OK | X_OK) != 0)
		return fail("cannot write into '%s': %s; choose another place with --output", above,
		            strerror(errno));
	if (lstat(made.folder, &about) == 0 && !S_ISDIR(about.st_mode))
		return fail("'%s' exists and is not the folder of a checked run; name another with --output",
		            made.folder);
	made.stopped = path_join(made.folder, CHECK_STOPPED_FILE, arena);
	made.crashed = path_join(made.folder, CHECK_CRASHED_FILE, arena);
	TRY(installation_libraries(arena, &made.libraries));
	TRY(preload_check(made.libraries, arena));
	TRY(installation_programs(arena, &programs));
	analyser = path_join(programs, ANALYSER_PROGRAM, arena);
	if (access(analyser, X_OK) != 0)
		return fail("cannot run '%s': %s; see 'tarry doctor'", analyser, strerror(errno));
	*plan = made;
	return OK;
}

/* The folder */

/* Files that only processes of the job need. */
static bool is_temporary(const char *name)
{
	static const char *const names[] = {JOB_FILE,           CHECK_KEY_FILE,     CHECK_LEADER_FILE,
	                                    CHECK_STOPPED_FILE, CHECK_CRASHED_FILE, CHECK_ENDED_FILE};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return text_begins(name, CHECK_NODE_PREFIX) || text_begins(name, DRAFT_PREFIX "-") ||
	       text_begins(name, MEETING_PREFIX);
}

static bool is_note(const char *name)
{
	return strcmp(name, NOTES_FILE) == 0;
}

/* True for files that a run leaves. Files of the user are kept. */
static bool is_of_run(const char *name)
{
	return is_temporary(name) || is_note(name) || strcmp(name, CHECK_RECORDED_FILE) == 0 ||
	       strcmp(name, CHECK_INTERRUPTED_FILE) == 0 ||
	       (text_begins(name, CHECK_LOG_PREFIX) && text_ends(name, CHECK_LOG_SUFFIX));
}

static int open_key(int folder)
{
	return open_regular(folder, CHECK_KEY_FILE, O_RDONLY | O_NOFOLLOW);
}

/* Analysers end with MPI, but the job may continue. The process that started it, and will read the findings,
 * has the key locked. */
static bool is_held(int folder)
{
	int fd = open_key(folder);
	bool held = fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;

	if (fd >= 0)
		close(fd);
	return held;
}

/* Left by a 'tarry check' that was killed: locks work here, and no process has locked the key. */
static bool is_abandoned(int folder)
{
	int fd = open_key(folder);
	bool is_free = fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) == 0;

	if (fd >= 0)
		close(fd);
	return is_free;
}

/* A newly started analyser has no log yet. */
static bool is_at_work(int folder, int waited_ms)
{
	if (check_run_is_alive(folder))
		return true;
	return waited_ms < FIRST_LOG_MS && folder_has_file(folder, CHECK_NODE_PREFIX) &&
	       !folder_has_file(folder, CHECK_LOG_PREFIX);
}

/* For a job whose processes have just ended. */
static void wait_for_last_analyser(int folder)
{
	const struct timespec step = {.tv_nsec = STEP_MS * 1000000L};

	for (int waited_ms = 0; waited_ms < SHORT_WAIT_MS && is_at_work(folder, waited_ms);
	     waited_ms += STEP_MS)
		nanosleep(&step, NULL);
}

static enum status refuse_folder(const char *path)
{
	if (errno == EPERM)
		return fail("'%s' is not a folder that only you can write to; remove it, or choose another "
		            "name with --output",
		            path);
	return fail("cannot write into '%s': %s; choose another place with --output", path, strerror(errno));
}

/* Without a log no analyser has ended yet. */
static void tidy(const struct own_folder *folder)
{
	bool is_left = folder_has_file(folder->fd, JOB_FILE) ? !is_held(folder->fd)
	                                                     : is_abandoned(folder->fd);

	if (is_left && folder_has_file(folder->fd, CHECK_LOG_PREFIX) &&
	    !folder_has_file(folder->fd, CHECK_NODE_PREFIX) && !check_run_is_alive(folder->fd))
		own_folder_remove_files(folder, is_temporary);
}

static enum status clear_folder(const struct checking *plan, const struct own_folder *folder, bool replace)
{
	char backup[NAME_MAX + 1];

	if (!is_held(folder->fd))
		wait_for_last_analyser(folder->fd);
	if (check_run_is_alive(folder->fd) || is_held(folder->fd))
		return fail(
			"another job is being checked in '%s': wait for it to end, or choose another name",
			plan->folder);
	tidy(folder);
	if (replace)
		own_folder_remove_files(folder, is_of_run);
	if (own_folder_remove(folder)) /* one that is empty need not be kept */
		return OK;
	if (!backup_folder(folder, CHECK_SUFFIX, backup))
		return fail("cannot rename '%s', left by an earlier job: %s", plan->folder, strerror(errno));
	say("renamed '%s' of an earlier job to '%s'", folder->name, backup);
	return OK;
}

static enum status clear(const struct checking *plan, bool replace)
{
	struct own_folder folder;
	enum status status;

	if (!own_folder_open(plan->folder, &folder))
		return errno == ENOENT ? OK : refuse_folder(plan->folder);
	status = clear_folder(plan, &folder, replace);
	own_folder_close(&folder);
	return status;
}

static bool write_file_in(int folder, const char *name, const void *bytes, size_t size)
{
	int fd = private_file_create(folder, name, 0600);
	bool written = fd >= 0 && write_fully(fd, bytes, size);

	if (fd >= 0 && close(fd) != 0)
		written = false;
	return written;
}

static enum status make_folder(const struct checking *plan, const char *job, struct own_folder *made)
{
	uint8_t key[CHECK_KEY_BYTES];

	if (getrandom(key, sizeof key, 0) != sizeof key)
		return fail("cannot get a random number: %s", strerror(errno));
	if (!own_folder_make(plan->folder, made))
		return refuse_folder(plan->folder);
	if (!write_file_in(made->fd, CHECK_KEY_FILE, key, sizeof key) ||
	    (job && !write_file_in(made->fd, JOB_FILE, job, strlen(job)))) {
		refuse_folder(plan->folder);
		own_folder_close(made);
		return FAILED;
	}
	return OK;
}

enum status checking_begin(struct checking *plan, bool replace)
{
	int key;

	TRY(clear(plan, replace));
	TRY(make_folder(plan, NULL, &plan->own));
	/* Held until this process ends. */
	key = open_key(plan->own.fd);
	if (key >= 0 && flock(key, LOCK_EX | LOCK_NB) != 0)
		close(key); /* a file system without locks */
	return OK;
}

/* One process of many */

/* A file that vanished before it was locked belonged to another process. */
static enum status lock_beside(const char *folder, int *lock)
{
	char path[PATH_MAX];
	struct stat about;

	if (snprintf(path, sizeof path, "%s.lock", folder) >= PATH_MAX)
		return fail("the name '%s' is too long; choose another with --output", folder);
	for (;;) {
		int fd = private_file_open(AT_FDCWD, path, O_RDWR);
		if (fd < 0)
			return fail("cannot lock '%s': %s; remove it, or choose another name with --output",
			            path, strerror(errno));
		if (!lock_within(fd, LOCK_SECONDS)) {
			close(fd);
			return fail(
				"another process has locked '%s' for %d s: end it, or choose another name with "
				"--output",
				path, LOCK_SECONDS);
		}
		if (fstat(fd, &about) == 0 && about.st_nlink) {
			*lock = fd;
			return OK;
		}
		close(fd);
	}
}

/* If the launcher gives no information, processes with the same parent belong together. */
static void describe_job(char *text)
{
	char host[HOST_NAME_MAX + 1] = "";
	char path[64];
	struct stat parent = {0};

	if (job_identity(text))
		return;
	gethostname(host, sizeof host - 1);
	snprintf(path, sizeof path, "/proc/%d", (int)getppid());
	if (stat(path, &parent) != 0)
		parent.st_ctim.tv_sec = 0;
	snprintf(text, JOB_IDENTITY_MAX, "parent %d %lld.%09ld %s", (int)getppid(),
	         (long long)parent.st_ctim.tv_sec, parent.st_ctim.tv_nsec, host);
}

/* The start of a small file, as text. */
static bool read_text_in(int folder, const char *name, char *text, size_t room)
{
	int fd = open_regular(folder, name, O_RDONLY | O_NOFOLLOW);
	ssize_t size = fd < 0 ? -1 : read(fd, text, room - 1);

	if (fd >= 0)
		close(fd);
	text[size > 0 ? size : 0] = '\0';
	return size > 0;
}

static bool is_of_job(const char *path, const char *job)
{
	char text[JOB_IDENTITY_MAX];
	int folder = private_folder_find(path);
	bool is_same = folder >= 0 && read_text_in(folder, JOB_FILE, text, sizeof text) &&
	               strcmp(text, job) == 0;

	if (folder >= 0)
		close(folder);
	return is_same;
}

/* Its processes may be before MPI_Init, or in it. */
static bool is_in_use(const char *path)
{
	enum { SECONDS_TO_BEGIN = 60 };
	int folder = private_folder_find(path);
	struct stat about;
	bool used = false;

	if (folder < 0)
		return false;
	if (!is_held(folder))
		wait_for_last_analyser(folder);
	used = check_run_is_alive(folder) || is_held(folder) ||
	       (!folder_has_file(folder, CHECK_LOG_PREFIX) && fstatat(folder, JOB_FILE, &about, 0) == 0 &&
	        time(NULL) < about.st_mtime + SECONDS_TO_BEGIN);
	close(folder);
	return used;
}

/* app.check, app-2.check, ... */
static const char *numbered_folder(const char *folder, int number, struct arena *arena)
{
	int length = (int)(strlen(folder) - strlen(CHECK_SUFFIX));

	return number < 2 ? folder : arena_format(arena, "%.*s-%d" CHECK_SUFFIX, length, folder, number);
}

/* The folder of this job, made by another process, or a free name. */
static const char *find_folder(const char *folder, const char *job, struct arena *arena)
{
	const char *first_free = NULL, *candidate;

	for (int number = 1; number < FOLDERS_MAX; number++) {
		candidate = numbered_folder(folder, number, arena);
		if (is_of_job(candidate, job))
			return candidate;
		if (path_exists(candidate))
			continue;
		first_free = first_free ? first_free : candidate;
		if (number > 1)
			break;
	}
	return is_in_use(folder) && first_free ? first_free : folder;
}

static enum status join(struct checking *plan, struct arena *arena)
{
	char job[JOB_IDENTITY_MAX];
	const char *wanted = plan->folder;
	struct own_folder made;

	describe_job(job);
	plan->folder = find_folder(wanted, job, arena);
	if (is_of_job(plan->folder, job))
		return OK;
	if (plan->folder != wanted)
		say("another job is being checked in '%s': this one is checked in '%s'", wanted,
		    path_name(plan->folder));
	TRY(clear(plan, false));
	TRY(make_folder(plan, job, &made));
	own_folder_close(&made);
	return OK;
}

enum status checking_join(struct checking *plan, struct arena *arena)
{
	const char *beside = arena_format(arena, "%s.lock", plan->folder);
	enum status status;
	int lock = -1;

	TRY(lock_beside(plan->folder, &lock));
	status = join(plan, arena);
	unlink(beside);
	close(lock);
	return status;
}

/* The job */

/* After the libraries that are already preloaded. Without it, its functions are not checked. */
static enum status preload_add(const struct checking *plan, const char *name)
{
	const char *others = preload_get();
	struct arena arena = {0};
	const char *library = path_join(plan->libraries, name, &arena);
	enum status status = OK;

	if ((!others || !strstr(others, name)) && access(library, R_OK) == 0)
		status = variable_set(
			LD_PRELOAD_VARIABLE,
			arena_format(&arena, "%s%s%s", others ? others : "", others ? ":" : "", library));
	arena_release(&arena);
	return status;
}

enum status checking_export(const struct checking *plan)
{
	static const struct wrapped_functions none;
	char number[32];

	if (!setting_get(SETTING_OUTPUT))
		TRY(preload_export(plan->libraries, &none, false));
	TRY(setting_set(SETTING_CHECK, plan->folder));
	snprintf(number, sizeof number, "%" PRId64, plan->hang_timeout);
	TRY(setting_set(SETTING_HANG_TIMEOUT, number));
	TRY(setting_set(SETTING_BUFFERS, plan->buffers));
	TRY(setting_set(SETTING_LIMITS, plan->limits));
	TRY(preload_add(plan, strcmp(plan->buffers, BUFFERS_ALL) == 0 ? PAGE_HOOKS_LIBRARY
	                                                              : PROCESS_HOOKS_LIBRARY));
	return preload_add(plan, THREAD_HOOKS_LIBRARY);
}

void checking_wait_shortly(const char *path)
{
	int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (folder < 0)
		return;
	if (!is_held(folder))
		wait_for_last_analyser(folder);
	close(folder);
}

void checking_wait(const struct checking *plan)
{
	int waited_ms = 0, step_ms;

	/* Then analysers need not wait for another job. */
	if (!write_file_in(plan->own.fd, CHECK_ENDED_FILE, "", 0))
		errno = 0;
	progress_begin("waiting for analysers");
	for (; waited_ms < WAIT_MS && is_at_work(plan->own.fd, waited_ms); waited_ms += step_ms) {
		step_ms = waited_ms < FIRST_STEPS_MS ? FIRST_STEP_MS : STEP_MS;
		progress_show((double)waited_ms / WAIT_MS);
		nanosleep(&(struct timespec){.tv_nsec = step_ms * 1000000L}, NULL);
	}
	progress_end();
	if (waited_ms >= WAIT_MS)
		say("analysers are still working after %d s: these are the findings so far; for the rest: tarry check --show %s",
		    WAIT_MS / 1000, SHELL_QUOTED(path_from_here(plan->folder)));
}

bool checking_was_stopped(const struct checking *plan)
{
	return access(plan->stopped, F_OK) == 0;
}

void checking_note_interrupted(const struct checking *plan)
{
	if (!write_file_in(plan->own.fd, CHECK_INTERRUPTED_FILE, "", 0))
		errno = 0; /* --show then says that processes vanished */
}

/* A trace of the same run */

void checking_note_trace(const struct checking *plan, const char *run)
{
	if (!write_file_in(plan->own.fd, CHECK_RECORDED_FILE, run, strlen(run)))
		unlinkat(plan->own.fd, CHECK_RECORDED_FILE, 0);
}

bool checking_is_of_trace(const char *path, uint64_t run)
{
	char digits[2 * sizeof run + 1];
	int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool is_same = folder >= 0 && read_text_in(folder, CHECK_RECORDED_FILE, digits, sizeof digits) &&
	               run && strtoull(digits, NULL, 16) == run;

	if (folder >= 0)
		close(folder);
	return is_same;
}

void checking_end(const struct checking *plan)
{
	if (!check_run_is_alive(plan->own.fd))
		own_folder_remove_files(&plan->own, is_temporary);
}

void checking_discard(const struct checking *plan)
{
	own_folder_remove_files(&plan->own, is_note);
	checking_end(plan);
	own_folder_remove(&plan->own);
}

void checking_tidy(const char *path)
{
	struct own_folder folder;

	if (!text_ends(path, CHECK_SUFFIX) || !own_folder_open(path, &folder))
		return;
	tidy(&folder);
	own_folder_close(&folder);
}
