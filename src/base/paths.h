/* Names of files and folders.
 *
 *	path_name("/opt/app.c")                      "app.c"
 *	path_folder("/opt/app.c", &arena)            "/opt"; of "app.c" it is ".", of "/app.c" "/"
 *	path_join("/opt", "app.c", &arena)           "/opt/app.c"; absolute paths stay as they are
 *	path_absolute("app.c", &arena, &path)        with the current folder
 *	path_from_here("/opt/app.c")                 "app.c" if /opt is the current folder */
#ifndef TARRY_BASE_PATHS_H
#define TARRY_BASE_PATHS_H

#include "base/status.h"

#include <stdbool.h>
#include <string.h>

struct arena;

/* After the last '/'. */
static inline const char *path_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

const char *path_folder(const char *path, struct arena *arena);
const char *path_join(const char *folder, const char *name, struct arena *arena);
enum status path_absolute(const char *path, struct arena *arena, const char **absolute) MUST_CHECK;
/* Part of the path, or all of it. */
const char *path_from_here(const char *absolute);
/* The path relative to a folder above the file; otherwise unchanged. `folder` may be NULL. */
const char *path_below(const char *folder, const char *file);

bool path_is_folder(const char *path);
/* Also true for two names of one file, if both exist. */
bool path_is_same_file(const char *left, const char *right);

#endif
