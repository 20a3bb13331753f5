/* O_PATH: search permission for a folder is enough. */
#define _GNU_SOURCE
#include "base/source_files.h"

#include "base/arena.h"
#include "base/array.h"
#include "base/files.h"
#include "base/memory.h"
#include "base/paths.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Larger files are not source code. A trace may name any number of programs. */
enum { FILE_MAX = 16 << 20, FOLDERS_MAX = 32 };

struct source_folder {
	const char *path;
	int fd;
	dev_t device;
	ino_t inode;
	bool is_named; /* by the user */
};

struct source_files {
	struct arena arena;
	ARRAY(struct source_folder) folders;
	const char *refused;
};

/* Allowing the root folder would allow all files. */
static bool is_root(const struct stat *about)
{
	struct stat root;

	return stat("/", &root) == 0 && root.st_dev == about->st_dev && root.st_ino == about->st_ino;
}

static void add_folder(struct source_files *sources, const char *path, bool is_named)
{
	struct source_folder folder = {.path = arena_text(&sources->arena, path), .is_named = is_named};
	struct stat about;

	if (sources->folders.count >= FOLDERS_MAX)
		return;
	folder.fd = open_uncounted(AT_FDCWD, path, O_PATH | O_DIRECTORY | O_CLOEXEC, 0);
	if (folder.fd < 0)
		return;
	if (fstat(folder.fd, &about) != 0 || (!is_named && is_root(&about))) {
		close(folder.fd);
		return;
	}
	folder.device = about.st_dev;
	folder.inode = about.st_ino;
	array_add(&sources->folders, folder);
}

struct source_files *source_files_new(void)
{
	struct source_files *sources = memory_new(1, sizeof *sources);

	add_folder(sources, ".", false);
	return sources;
}

void source_files_allow(struct source_files *sources, const char *folder)
{
	add_folder(sources, folder, true);
}

void source_files_allow_beside(struct source_files *sources, const char *path)
{
	const char *folder = path_folder(path, &sources->arena);

	for (size_t i = 0; i < sources->folders.count; i++)
		if (strcmp(sources->folders.items[i].path, folder) == 0)
			return;
	add_folder(sources, folder, false);
}

/* Suffixes of source files. A trace that names another file must not make us show it. */
static bool is_source_name(const char *name)
{
	static const char *const endings[] = {".c",   ".h",   ".cc",  ".cpp", ".cxx", ".hpp", ".C",
	                                      ".f",   ".F",   ".for", ".f77", ".f90", ".F90", ".f95",
	                                      ".f03", ".f08", ".F95", ".F03", ".F08", ".inc", ".upc",
	                                      ".py",  ".pyx", ".cu",  ".hip"};
	const char *dot = strrchr(name, '.');

	for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
		if (strcmp(dot, endings[i]) == 0)
			return true;
	return false;
}

/* Removes "." and ".." from a path. Links are not followed, so this does not change its meaning. False: the
 * path leaves the folder. */
static bool flatten(const char *path, char *flat)
{
	size_t length = 0;

	for (const char *at = path; *at;) {
		const size_t part = strcspn(at, "/");

		if (part == 2 && at[0] == '.' && at[1] == '.') {
			if (!length)
				return false;
			while (length && flat[--length] != '/')
				continue;
		} else if (part && !(part == 1 && *at == '.')) {
			if (length)
				flat[length++] = '/';
			memcpy(flat + length, at, part);
			length += part;
		}
		at += part + (at[part] == '/');
	}
	flat[length] = '\0';
	return length > 0;
}

/* Neither the file nor a folder in its path may be a link. Overwrites the path. */
static int open_below(int folder, char *path)
{
	int at = folder, fd;
	char *part = path;

	for (char *slash; (slash = strchr(part, '/')); part = slash + 1) {
		*slash = '\0';
		fd = open_uncounted(at, part, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0);
		if (at != folder)
			close(at);
		if (fd < 0)
			return -1;
		at = fd;
	}
	fd = open_regular(at, part, O_RDONLY | O_NOFOLLOW);
	if (at != folder)
		close(at);
	return fd;
}

static bool is_folder(const struct source_folder *folder, const char *path)
{
	struct stat about;

	return stat(path, &about) == 0 && about.st_dev == folder->device && about.st_ino == folder->inode;
}

/* One of the folders in the file's path must be the allowed one, under any name. */
static int open_in(const struct source_folder *folder, const char *path)
{
	char above[PATH_MAX], flat[PATH_MAX];

	for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
		snprintf(above, sizeof above, "%.*s", slash == path ? 1 : (int)(slash - path), path);
		if (is_folder(folder, above) && flatten(slash + 1, flat)) {
			int fd = open_below(folder->fd, flat);
			if (fd >= 0)
				return fd;
		}
	}
	return -1;
}

static int open_allowed(const struct source_files *sources, const char *path)
{
	char real[PATH_MAX];
	int fd = -1;

	for (size_t i = 0; i < sources->folders.count && fd < 0; i++)
		fd = open_in(&sources->folders.items[i], path);
	/* A link into a folder that the user named. */
	for (size_t i = 0; i < sources->folders.count && fd < 0; i++)
		if (sources->folders.items[i].is_named && realpath(path, real) && is_source_name(real))
			fd = open_in(&sources->folders.items[i], real);
	return fd;
}

static FILE *to_stream(int fd)
{
	struct stat about;
	FILE *file = fstat(fd, &about) == 0 && about.st_size <= FILE_MAX ? fdopen(fd, "r") : NULL;

	if (!file)
		close(fd);
	return file;
}

FILE *source_files_open(struct source_files *sources, const char *name)
{
	const bool is_absolute = *name == '/';
	char path[PATH_MAX];

	if (!is_source_name(name))
		return NULL;
	for (size_t i = 0; i < (is_absolute ? 1 : sources->folders.count); i++) {
		const char *folder = is_absolute ? "" : sources->folders.items[i].path;
		int fd, length = snprintf(path, sizeof path, "%s%s%s", folder, is_absolute ? "" : "/", name);
		char real[PATH_MAX];
		struct stat about;

		if (length >= PATH_MAX)
			continue;
		fd = open_allowed(sources, path);
		if (fd >= 0)
			return to_stream(fd);
		if (!sources->refused && realpath(path, real) && stat(real, &about) == 0 &&
		    S_ISREG(about.st_mode))
			sources->refused = arena_text(&sources->arena, real);
	}
	return NULL;
}

const char *source_files_refused(const struct source_files *sources)
{
	return sources->refused;
}

void source_files_free(struct source_files *sources)
{
	if (!sources)
		return;
	for (size_t i = 0; i < sources->folders.count; i++)
		close(sources->folders.items[i].fd);
	array_release(&sources->folders);
	arena_release(&sources->arena);
	free(sources);
}
