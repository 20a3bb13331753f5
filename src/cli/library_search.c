#include "cli/library_search.h"

#include "base/array.h"
#include "base/paths.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { INCLUDE_DEPTH_MAX = 4 };

/* The first two are Debian's folders, which ld.so.conf usually contains. */
static const char *const system_folders[] = {"/lib/" TARRY_MULTIARCH,
                                             "/usr/lib/" TARRY_MULTIARCH,
                                             "/lib64",
                                             "/usr/lib64",
                                             "/lib",
                                             "/usr/lib",
                                             NULL};

static const char *expand_origin(const char *folder, const char *origin, struct arena *arena)
{
	static const char *const spellings[] = {"$ORIGIN", "${ORIGIN}", NULL};

	for (const char *const *spelling = spellings; *spelling; spelling++) {
		const char *found = strstr(folder, *spelling);
		if (found)
			return arena_format(arena, "%.*s%s%s", (int)(found - folder), folder, origin,
			                    found + strlen(*spelling));
	}
	return folder;
}

static void add_list(struct folder_list *folders, const char *list, const char *origin, struct arena *arena)
{
	while (list && *list) {
		size_t length = strcspn(list, ":;");
		char *folder = arena_bytes_as_text(arena, list, length);
		array_add_in(arena, folders, length ? expand_origin(folder, origin, arena) : ".");
		list += length + (list[length] != 0);
	}
}

static void add_configured(struct folder_list *folders, const char *pattern, struct arena *arena, int depth)
{
	glob_t found;

	if (depth > INCLUDE_DEPTH_MAX || glob(pattern, 0, NULL, &found) != 0)
		return;
	for (size_t i = 0; i < found.gl_pathc; i++) {
		const char *path = found.gl_pathv[i];
		char *line = NULL;
		size_t room = 0;
		FILE *file = fopen(path, "r");

		while (file && getline(&line, &room, file) > 0) {
			char *word = line + strspn(line, " \t"), *rest;
			word[strcspn(word, "#\n")] = 0;
			rest = word + strcspn(word, " \t");
			if (*rest)
				*rest++ = 0;
			if (*word == '/')
				array_add_in(arena, folders, arena_text(arena, word));
			else if (strcmp(word, "include") == 0)
				add_configured(folders, rest + strspn(rest, " \t"), arena, depth + 1);
		}
		free(line);
		if (file)
			fclose(file);
	}
	globfree(&found);
}

void library_search_init(struct library_search *search, const char *config, struct arena *arena)
{
	*search = (struct library_search){.arena = arena};
	add_list(&search->environment, getenv("LD_LIBRARY_PATH"), "", arena);
	add_configured(&search->system, config, arena, 0);
	for (const char *const *folder = system_folders; *folder; folder++)
		array_add_in(arena, &search->system, *folder);
}

static const char *find_in(const struct folder_list *folders, const char *name, struct arena *arena)
{
	for (size_t i = 0; i < folders->count; i++) {
		const char *path = path_join(folders->items[i], name, arena);
		if (access(path, R_OK) == 0)
			return path;
	}
	return NULL;
}

static const char *find_in_list(struct library_search *search, const char *name, const char *list,
                                const char *origin)
{
	struct folder_list folders = {0};

	add_list(&folders, list, origin, search->arena);
	return find_in(&folders, name, search->arena);
}

const char *library_find(struct library_search *search, const char *name, const char *rpath,
                         const char *runpath, const char *origin)
{
	const char *path = NULL;

	if (strchr(name, '/'))
		return access(name, R_OK) == 0 ? arena_text(search->arena, name) : NULL;
	if (!runpath)
		path = find_in_list(search, name, rpath, origin);
	if (!path)
		path = find_in(&search->environment, name, search->arena);
	if (!path)
		path = find_in_list(search, name, runpath, origin);
	if (!path)
		path = find_in(&search->system, name, search->arena);
	return path;
}
