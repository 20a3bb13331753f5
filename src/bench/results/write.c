#include "base/arena.h"
#include "base/files.h"
#include "base/paths.h"
#include "base/user_files.h"
#include "bench/results/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum status check_folder(const char *path)
{
	struct arena arena = {0};
	/* A trailing slash also rejects a path that is not a folder. */
	const char *folder = path_join(path_folder(path, &arena), "", &arena);
	int error = access(folder, W_OK | X_OK) == 0 ? 0 : errno;

	arena_release(&arena);
	return error ? fail("cannot write '%s': %s; choose another place", path, strerror(error)) : OK;
}

/* Files are written under a temporary name and renamed; pipes and devices are written directly. */
static enum status check_file(const char *path)
{
	struct stat info;

	if (!path)
		return OK;
	if (!*path)
		return fail("an output needs a name");
	if (stat(path, &info) != 0 || S_ISREG(info.st_mode))
		return check_folder(path);
	if (S_ISDIR(info.st_mode))
		return fail("cannot write '%s': it is a folder; choose another name", path);
	if (access(path, W_OK) != 0)
		return fail("cannot write '%s': %s; choose another place", path, strerror(errno));
	return OK;
}

enum status output_files_check(const struct output_files *files)
{
	TRY(check_file(files->json));
	TRY(check_file(files->csv));
	return check_file(files->page);
}

/* A pipe or a terminal cannot be replaced. */
static bool is_no_file(const char *path)
{
	struct stat about;

	return stat(path, &about) == 0 && !S_ISREG(about.st_mode);
}

static bool write_and_close(int fd, const struct text *text)
{
	bool written = fd >= 0 && write_fully(fd, text_get(text), text->length);

	/* Some file systems report a lack of space only here. */
	if (fd >= 0 && close(fd) != 0)
		written = false;
	return written;
}

/* A leftover of a dead process with the same number may be removed. */
static int open_draft(const char *draft)
{
	if (unlink(draft) != 0 && errno != ENOENT)
		return -1;
	return open_user_file(draft, O_WRONLY | O_CREAT | O_EXCL);
}

static bool replace(const char *path, const struct text *text)
{
	char real[PATH_MAX], draft[PATH_MAX];
	/* Follow symbolic links, so that they remain. */
	const char *target = realpath(path, real) ? real : path;

	if (snprintf(draft, sizeof draft, "%s.%ld.part", target, (long)getpid()) >= (int)sizeof draft) {
		errno = ENAMETOOLONG;
		return false;
	}
	if (write_and_close(open_draft(draft), text) && rename(draft, target) == 0)
		return true;
	int cause = errno;

	unlink(draft);
	errno = cause;
	return false;
}

enum status write_whole(const char *path, const struct text *text)
{
	bool written = is_no_file(path) ? write_and_close(open_user_file(path, O_WRONLY), text)
	                                : replace(path, text);

	return written ? OK : fail("cannot write '%s': %s", path, file_error());
}

static enum status write_form(const struct results *results, const char *path,
                              void (*form)(const struct results *results, struct text *out))
{
	struct text text = {0};
	enum status status;

	if (!path)
		return OK;
	form(results, &text);
	status = write_whole(path, &text);
	text_release(&text);
	return status;
}

enum status results_write(const struct results *results, const struct output_files *files)
{
	TRY(write_form(results, files->json, results_json));
	TRY(write_form(results, files->csv, results_csv));
	return write_form(results, files->page, results_page);
}
