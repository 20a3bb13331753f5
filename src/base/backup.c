#include "base/backup.h"
#include "base/files.h"

#include "base/own_folder.h"
#include "base/paths.h"
#include "base/settings.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { OLD_MAX = 10000, PATH_ROOM = PATH_MAX + 16 };

static void parts_of(const char *output, char *path)
{
	snprintf(path, PATH_ROOM, "%s" PARTS_SUFFIX, output);
}

/* The nth name; false if it is taken. */
static bool name_backup(const char *output, int n, char *backup)
{
	size_t length = strlen(output), suffix = strlen(TRACE_SUFFIX);
	char parts[PATH_ROOM];

	if (length > suffix && strcmp(output + length - suffix, TRACE_SUFFIX) == 0)
		length -= suffix;
	snprintf(backup, PATH_MAX, "%.*s.old-%d" TRACE_SUFFIX, (int)length, output, n);
	parts_of(backup, parts);
	return !path_exists(backup) && !path_exists(parts);
}

/* Reserves the new name first, so that nobody else can take it. The old file may be gone by now, or may be
 * another trace, which is then kept as well. */
static bool move(const char *from, const char *to)
{
	int fd = open_uncounted(AT_FDCWD, to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600), error;

	if (fd < 0)
		return false;
	close(fd);
	if (rename(from, to) == 0)
		return true;
	error = errno;
	unlink(to);
	errno = error;
	return false;
}

static bool move_trace(const char *output, char *backup)
{
	for (int n = 1; n < OLD_MAX; n++) {
		if (!name_backup(output, n, backup))
			continue;
		if (move(output, backup))
			return true;
		if (errno == ENOENT)
			*backup = '\0';
		if (errno != EEXIST)
			return errno == ENOENT;
	}
	errno = EEXIST;
	return false;
}

/* The folder moves with the trace, or gets its own name. */
static bool move_parts(const char *output, const char *parts, char *backup)
{
	char parts_backup[PATH_ROOM];

	for (int n = 1; !*backup && n < OLD_MAX; n++)
		if (!name_backup(output, n, backup))
			*backup = '\0';
	parts_of(backup, parts_backup);
	return rename(parts, parts_backup) == 0;
}

bool backup_trace(const char *output, bool parts_too, char *backup)
{
	char parts[PATH_ROOM];

	*backup = '\0';
	if (path_exists(output) && !move_trace(output, backup))
		return false;
	parts_of(output, parts);
	return !parts_too || !path_exists(parts) || move_parts(output, parts, backup);
}

bool backup_folder(const struct own_folder *folder, const char *suffix, char *backup)
{
	size_t length = strlen(folder->name) - strlen(suffix);

	for (int n = 1; n < OLD_MAX; n++) {
		snprintf(backup, NAME_MAX + 1, "%.*s.old-%d%s", (int)length, folder->name, n, suffix);
		if (own_folder_rename(folder, backup))
			return true;
		if (errno != EEXIST && errno != ENOTEMPTY)
			return false;
	}
	errno = EEXIST;
	return false;
}
