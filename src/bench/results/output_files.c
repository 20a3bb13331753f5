#include "base/arena.h"
#include "base/paths.h"
#include "bench/results/output.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum status check_folder(const char *path)
{
	struct arena arena = {0};
	/* With a slash at its end, a file that is no folder is refused too. */
	const char *folder = path_join(path_folder(path, &arena), "", &arena);
	int error = access(folder, W_OK | X_OK) == 0 ? 0 : errno;

	arena_release(&arena);
	return error ? fail("cannot write '%s': %s; choose another place", path, strerror(error)) : OK;
}

/* A file is made beside and then gets its name; a pipe or a device is written to. */
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
