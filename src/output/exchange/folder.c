/* nftw() */
#define _GNU_SOURCE

#include "output/exchange/folder.h"

#include "base/memory.h"
#include "base/text.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FTW_HANDLES = 16 };

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *place)
{
	(void)about, (void)kind, (void)place;
	return remove(path);
}

static void remove_tree(const char *path)
{
	nftw(path, remove_one, FTW_HANDLES, FTW_DEPTH | FTW_PHYS);
}

static bool exists(const char *path)
{
	struct stat about;

	return lstat(path, &about) == 0;
}

static enum status may_replace(const char *path, const char *mark, bool replace)
{
	struct text inside = {0};
	bool is_ours;

	if (!exists(path))
		return OK;
	if (!replace)
		return fail("'%s' exists already: choose another name, or replace it with --force", path);
	text_add(&inside, "%s/%s", path, mark);
	is_ours = exists(text_get(&inside));
	text_release(&inside);
	return is_ours ? OK
	               : fail("'%s' holds no '%s', so it is not replaced: choose another name", path, mark);
}

/* "a/b//" is "a/b": its neighbour is wanted. */
static char *without_slashes(const char *path)
{
	char *copy = memory_copy_text(path);

	for (size_t length = strlen(copy); length > 1 && copy[length - 1] == '/'; length--)
		copy[length - 1] = '\0';
	return copy;
}

static void forget(struct folder *folder)
{
	free(folder->path);
	free(folder->draft);
	*folder = (struct folder){0};
}

enum status folder_open(struct folder *folder, const char *path, const char *mark, bool replace)
{
	struct text draft = {0};
	enum status status;

	if (!*path)
		return fail("a folder needs a name");
	*folder = (struct folder){.path = without_slashes(path)};
	text_add(&draft, "%s.%ld.tmp", folder->path, (long)getpid());
	folder->draft = text_take(&draft);
	status = may_replace(folder->path, mark, replace);
	if (status == OK && mkdir(folder->draft, 0777) != 0)
		status = fail("cannot create '%s': %s", path, strerror(errno));
	if (status != OK)
		forget(folder);
	return status;
}

void folder_discard(struct folder *folder)
{
	remove_tree(folder->draft);
	forget(folder);
}

/* What stands in the way goes aside, and away only when the new one is in its place. */
static bool put_in_place(const struct folder *folder)
{
	struct text aside = {0};
	bool was_there = exists(folder->path), done;

	text_add(&aside, "%s.old", folder->draft);
	if (was_there && rename(folder->path, text_get(&aside)) != 0) {
		text_release(&aside);
		return false;
	}
	done = rename(folder->draft, folder->path) == 0;
	if (was_there && done)
		remove_tree(text_get(&aside));
	else if (was_there)
		rename(text_get(&aside), folder->path);
	text_release(&aside);
	return done;
}

enum status folder_commit(struct folder *folder)
{
	enum status status = OK;

	if (!put_in_place(folder)) {
		status = fail("cannot create '%s': %s", folder->path, strerror(errno));
		remove_tree(folder->draft);
	}
	forget(folder);
	return status;
}
