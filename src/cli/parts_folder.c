#include "cli/parts_folder.h"

#include "base/backup.h"
#include "base/files.h"
#include "base/memory.h"
#include "base/paths.h"
#include "base/settings.h"
#include "base/text.h"
#include "cli/command.h"
#include "trace/node_part.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { OWNER_MAX = 128 };

/* The number may belong to another process now. */
static bool has_open(long pid, const char *path)
{
	char real[PATH_MAX], folder[64], link[PATH_MAX], target[PATH_MAX];
	bool found = false;
	DIR *listing;

	snprintf(folder, sizeof folder, "/proc/%ld/fd", pid);
	listing = realpath(path, real) ? opendir(folder) : NULL;
	for (struct dirent *entry; listing && !found && (entry = readdir(listing));) {
		ssize_t length;

		snprintf(link, sizeof link, "%s/%s", folder, entry->d_name);
		length = readlink(link, target, sizeof target - 1);
		target[length > 0 ? length : 0] = '\0';
		found = strcmp(target, real) == 0;
	}
	if (listing)
		closedir(listing);
	return found;
}

/* Calls `look` for the table of each part until it returns false. */
static void each_part(const char *parts,
                      bool (*look)(const struct part_header *header, const char *path, void *context),
                      void *context)
{
	struct part_header *header = memory_new(1, sizeof *header);
	DIR *listing = opendir(parts);
	char path[PATH_MAX];
	bool goes_on = true;

	for (struct dirent *entry; listing && goes_on && (entry = readdir(listing));) {
		int fd;

		if (!text_ends(entry->d_name, PART_SUFFIX) ||
		    snprintf(path, sizeof path, "%s/%s", parts, entry->d_name) >= PATH_MAX)
			continue;
		fd = open_regular(AT_FDCWD, path, O_RDONLY | O_NOFOLLOW);
		memset(header, 0, sizeof *header);
		if (fd >= 0 && pread(fd, header, sizeof *header, 0) >= 0)
			goes_on = look(header, path, context);
		if (fd >= 0)
			close(fd);
	}
	if (listing)
		closedir(listing);
	free(header);
}

static bool look_for_writer(const struct part_header *header, const char *path, void *context)
{
	long *found = context;

	for (uint32_t i = 0; i < part_entry_count(header) && !*found; i++)
		if (header->processes[i].state == PART_RUNNING && has_open(header->processes[i].pid, path))
			*found = header->processes[i].pid;
	return !*found;
}

/* A process of this machine that has one of these parts open, because under `tarry exec` no command waits for
 * them. 0: none found. */
static long find_writer(const char *parts)
{
	long found = 0;

	each_part(parts, look_for_writer, &found);
	return found;
}

static bool look_for_unfinished(const struct part_header *header, const char *path, void *context)
{
	bool *all_finished = context;

	(void)path;
	*all_finished = part_entry_count(header) > 0;
	for (uint32_t i = 0; i < part_entry_count(header); i++)
		*all_finished &= header->processes[i].state >= PART_FINISHED;
	return *all_finished;
}

bool parts_are_finished(const char *parts)
{
	bool all_finished = false;

	each_part(parts, look_for_unfinished, &all_finished);
	return all_finished;
}

static bool is_alive_here(int owner)
{
	char text[OWNER_MAX] = "", host[HOST_NAME_MAX + 1] = "";
	ssize_t size = read(owner, text, sizeof text - 1);
	char *rest;
	long pid;

	text[size > 0 ? size : 0] = '\0';
	text[strcspn(text, "\n")] = '\0';
	gethostname(host, sizeof host - 1);
	pid = strtol(text, &rest, 10);
	return pid > 0 && *rest == ' ' && strcmp(rest + 1, host) == 0 &&
	       (kill((pid_t)pid, 0) == 0 || errno == EPERM);
}

static bool is_held(int owner)
{
	if (flock(owner, LOCK_EX | LOCK_NB) == 0)
		return false;
	return errno == EWOULDBLOCK || is_alive_here(owner);
}

static enum status in_use(const char *parts)
{
	return fail("another job is being recorded to '%s': wait for it to end, or choose another name",
	            parts);
}

enum status parts_check_unused(const char *parts)
{
	char path[PATH_MAX];
	int owner = snprintf(path, PATH_MAX, "%s/" OWNER_FILE, parts) < PATH_MAX
	                    ? open_regular(AT_FDCWD, path, O_RDWR | O_NOFOLLOW)
	                    : -1;
	bool held = owner >= 0 && is_held(owner);

	if (owner >= 0)
		close(owner);
	return held ? in_use(parts) : OK;
}

const char *parts_obstacle(const char *parts, struct arena *arena)
{
	struct stat about;

	if (lstat(parts, &about) != 0 || (S_ISDIR(about.st_mode) && is_private(&about)))
		return NULL;
	return arena_format(
		arena,
		"nothing is recorded: '%s' is not a folder that only you can write to; remove it, "
		"or choose another name with --output",
		parts);
}

bool parts_are_left(const char *parts)
{
	enum { SECONDS_TO_BEGIN = 60 };
	DIR *listing = opendir(parts);
	struct stat about;
	bool found = false;

	for (struct dirent *entry; listing && !found && (entry = readdir(listing));)
		found = text_ends(entry->d_name, PART_SUFFIX) &&
		        fstatat(dirfd(listing), entry->d_name, &about, AT_SYMLINK_NOFOLLOW) == 0 &&
		        about.st_mtime + SECONDS_TO_BEGIN < time(NULL);
	if (listing)
		closedir(listing);
	return found && !find_writer(parts);
}

enum status parts_check_ended(const char *parts)
{
	long writer;

	TRY(parts_check_unused(parts));
	writer = find_writer(parts);
	return writer ? fail("process %ld still writes to '%s': wait for it to end, or choose another name",
	                     writer, parts)
	              : OK;
}

static enum status lock_folder(const char *parts, struct parts_lock *lock)
{
	char self[OWNER_MAX], host[HOST_NAME_MAX + 1] = "";

	lock->owner = private_file_create(lock->folder.fd, OWNER_FILE, 0600);
	if (lock->owner < 0)
		return fail("cannot write into '%s': %s; choose another place with --output", parts,
		            strerror(errno));
	/* "PID HOST": for file systems without locks. */
	gethostname(host, sizeof host - 1);
	snprintf(self, OWNER_MAX, "%d %s\n", (int)getpid(), host);
	if (flock(lock->owner, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
		close(lock->owner);
		return in_use(parts);
	}
	if (!write_fully(lock->owner, self, strlen(self)))
		errno = 0; /* the lock alone has to do */
	return OK;
}

enum status parts_lock_take(const struct recording *plan, bool replace, struct parts_lock *lock)
{
	struct parts_lock taken = {.plan = plan};
	char backup[PATH_MAX];

	TRY(parts_check_ended(plan->parts));
	rmdir(plan->parts); /* one that is empty need not be kept */
	if (replace && unlink(plan->output) != 0 && errno != ENOENT)
		return fail("cannot replace '%s': %s", plan->output, strerror(errno));
	if (!backup_trace(plan->output, true, backup))
		return fail("cannot rename '%s', left by an earlier job: %s", plan->output, strerror(errno));
	if (*backup)
		say("renamed '%s' of an earlier job to '%s'", path_name(plan->output), path_name(backup));
	if (mkdir(plan->parts, 0700) != 0 || !own_folder_open(plan->parts, &taken.folder))
		return fail("cannot create the folder '%s': %s; choose another place with --output",
		            plan->parts, strerror(errno));
	if (lock_folder(plan->parts, &taken) != OK) {
		own_folder_close(&taken.folder);
		return FAILED;
	}
	*lock = taken;
	return OK;
}

void parts_lock_release(const struct parts_lock *lock)
{
	unlinkat(lock->folder.fd, OWNER_FILE, 0);
	own_folder_remove(&lock->folder); /* false if something could not be read */
	own_folder_close(&lock->folder);
	close(lock->owner);
}
