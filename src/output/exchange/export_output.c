/* nftw(), renameat2() */
#define _GNU_SOURCE

#include "output/exchange/export_output.h"

#include "base/arena.h"
#include "base/files.h"
#include "base/memory.h"
#include "base/paths.h"
#include "base/text.h"
#include "base/unfinished.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define DRAFT_SUFFIX ".tmp"

static enum status check_file(const struct export_job *job)
{
	struct stat about;

	if (job->force || stat(job->path, &about) != 0 || !S_ISREG(about.st_mode))
		return OK;
	return fail("'%s' exists already: choose another name, or replace it with --force", job->path);
}

static const char standard_output[] = "standard output";

bool is_standard_output(const struct output *output)
{
	return output->path == standard_output;
}

enum status export_open(const struct export_job *job, struct output *output)
{
	if (strcmp(job->path, "-") == 0) {
		*output = (struct output){.file = job->standard_output, .path = (char *)standard_output};
		return OK;
	}
	TRY(check_file(job));
	return output_open(output, job->path);
}

enum status export_write(struct output *output, struct text *bytes)
{
	size_t written = fwrite(text_get(bytes), 1, bytes->length, output->file);
	bool complete = written == bytes->length;

	text_clear(bytes);
	return complete ? OK : fail("cannot write '%s': %s", output->path, strerror(errno));
}

enum status export_close(struct output *output, enum status written)
{
	if (is_standard_output(output)) {
		if (written == OK && fflush(output->file) != 0)
			written = fail("cannot write '%s': %s", output->path, strerror(errno));
		return written;
	}
	if (written == OK)
		return output_commit(output);
	output_discard(output);
	return written;
}

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

static enum status check_folder(const char *path, const char *mark, bool replace)
{
	scoped_text inside = {0};
	bool is_ours;

	if (!exists(path))
		return OK;
	if (!replace)
		return fail("'%s' exists already: choose another name, or replace it with --force", path);
	text_add(&inside, "%s/%s", path, mark);
	is_ours = exists(text_get(&inside));
	return is_ours ? OK
	               : fail("'%s' holds no '%s', so it is not replaced: choose another name", path, mark);
}

/* "a/b//" becomes "a/b": the draft is next to it. */
static char *without_slashes(const char *path)
{
	char *copy = memory_copy_text(path);

	for (size_t length = strlen(copy); length > 1 && copy[length - 1] == '/'; length--)
		copy[length - 1] = '\0';
	return copy;
}

static void forget(struct output_folder *folder)
{
	unfinished_forget(folder->draft);
	if (folder->lock >= 0)
		close(folder->lock);
	free(folder->path);
	free(folder->draft);
	*folder = (struct output_folder){0};
}

/* "archive.123.tmp", for "archive". */
static bool is_draft_of(const char *name, const char *path)
{
	const size_t length = strlen(path), digits = strspn(name + strnlen(name, length + 1), "0123456789");

	return strncmp(name, path, length) == 0 && name[length] == '.' && digits &&
	       strcmp(name + length + 1 + digits, DRAFT_SUFFIX) == 0;
}

/* -1: not a folder of this user, or it cannot be locked. */
static int lock_folder(const char *path, int how)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat about;

	if (fd < 0 || (fstat(fd, &about) == 0 && about.st_uid == geteuid() && flock(fd, how) == 0))
		return fd;
	close(fd);
	return -1;
}

static void remove_old_drafts(const char *path)
{
	struct arena arena = {0};
	const char *above = path_folder(path, &arena);
	DIR *listing = opendir(above);

	for (struct dirent *entry; listing && (entry = readdir(listing));) {
		const char *draft = is_draft_of(entry->d_name, path_name(path))
		                            ? path_join(above, entry->d_name, &arena)
		                            : NULL;
		int lock = draft ? lock_folder(draft, LOCK_EX | LOCK_NB) : -1;

		if (lock < 0)
			continue;
		remove_tree(draft);
		close(lock);
	}
	if (listing)
		closedir(listing);
	arena_release(&arena);
}

/* False: errno. Another export may remove the new folder as an old draft before it is locked; then
 * it is created again. */
static bool make_draft(struct output_folder *folder)
{
	struct stat about;

	do {
		if (folder->lock >= 0)
			close(folder->lock);
		if (mkdir(folder->draft, USER_FOLDER_MODE) != 0)
			return false;
		folder->lock = lock_folder(folder->draft, LOCK_EX);
	} while (folder->lock >= 0 && fstat(folder->lock, &about) == 0 && !about.st_nlink);
	return true;
}

enum status output_folder_open(struct output_folder *folder, const char *path, const char *mark, bool replace)
{
	struct text draft = {0};
	enum status status;

	if (!*path)
		return fail("a folder needs a name");
	*folder = (struct output_folder){.path = without_slashes(path), .lock = -1};
	text_add(&draft, "%s.%ld" DRAFT_SUFFIX, folder->path, (long)getpid());
	folder->draft = text_take(&draft);
	unfinished_add(folder->draft);
	status = check_folder(folder->path, mark, replace);
	if (status == OK)
		remove_old_drafts(folder->path);
	if (status == OK && !make_draft(folder))
		status = fail("cannot create '%s': %s", path, strerror(errno));
	if (status != OK)
		forget(folder);
	return status;
}

void output_folder_discard(struct output_folder *folder)
{
	remove_tree(folder->draft);
	forget(folder);
}

/* If the process is killed meanwhile, either the old or the new folder has the name. */
static bool put_in_place(const struct output_folder *folder)
{
	if (renameat2(AT_FDCWD, folder->draft, AT_FDCWD, folder->path, RENAME_EXCHANGE) != 0) {
		scoped_text backup = {0};
		bool was_there = exists(folder->path), done;

		/* If the file system cannot exchange two names: the old folder is renamed first, and removed
		 * only when the new one is in place. */
		text_add(&backup, "%s.old", folder->draft);
		if (was_there && rename(folder->path, text_get(&backup)) != 0) {
			return false;
		}
		done = rename(folder->draft, folder->path) == 0;
		if (was_there && done)
			remove_tree(text_get(&backup));
		else if (was_there)
			rename(text_get(&backup), folder->path);
		return done;
	}
	remove_tree(folder->draft);
	return true;
}

enum status output_folder_commit(struct output_folder *folder)
{
	enum status status = OK;

	if (!put_in_place(folder)) {
		status = fail("cannot create '%s': %s", folder->path, strerror(errno));
		remove_tree(folder->draft);
	}
	forget(folder);
	return status;
}
