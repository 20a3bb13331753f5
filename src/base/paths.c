#include "base/paths.h"

#include "base/arena.h"

#include <errno.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

const char *path_folder(const char *path, struct arena *arena)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return ".";
	return slash == path ? "/" : arena_bytes_as_text(arena, path, (size_t)(slash - path));
}

const char *path_join(const char *folder, const char *name, struct arena *arena)
{
	size_t length = strlen(folder);

	if (*name == '/' || !length)
		return arena_text(arena, name);
	return arena_format(arena, folder[length - 1] == '/' ? "%s%s" : "%s/%s", folder, name);
}

enum status path_absolute(const char *path, struct arena *arena, const char **absolute)
{
	char here[PATH_MAX];

	if (*path != '/' && !getcwd(here, sizeof here))
		return fail("cannot determine the current folder: %s; change to one that exists",
		            strerror(errno));
	*absolute = path_join(*path == '/' ? "" : here, path, arena);
	return OK;
}

const char *path_from_here(const char *absolute)
{
	char here[PATH_MAX];
	size_t length;

	if (!getcwd(here, sizeof here))
		return absolute;
	length = strlen(here);
	return strncmp(absolute, here, length) == 0 && absolute[length] == '/' && absolute[length + 1]
	               ? absolute + length + 1
	               : absolute;
}

const char *path_below(const char *folder, const char *file)
{
	size_t length = folder ? strlen(folder) : 0;

	while (length && folder[length - 1] == '/')
		length--;
	if (length && strncmp(file, folder, length) == 0 && file[length] == '/')
		file += length + 1;
	while (strncmp(file, "./", 2) == 0)
		file += 2;
	return file;
}

bool path_is_folder(const char *path)
{
	struct stat about;

	return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

bool path_is_same_file(const char *left, const char *right)
{
	struct stat a, b;

	return strcmp(left, right) == 0 ||
	       (stat(left, &a) == 0 && stat(right, &b) == 0 && S_ISREG(a.st_mode) && a.st_dev == b.st_dev &&
	        a.st_ino == b.st_ino);
}
