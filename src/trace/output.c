#include "trace/output.h"

#include "base/files.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/unfinished.h"
#include "base/user_files.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void forget(struct output *output)
{
	if (output->temporary)
		unfinished_forget(output->temporary);
	free(output->path);
	free(output->temporary);
	*output = (struct output){0};
}

enum status output_open(struct output *output, const char *path)
{
	struct text name = {0};
	int fd;
	struct stat about;

	*output = (struct output){0};
	if (stat(path, &about) != 0 || S_ISREG(about.st_mode)) {
		text_add(&name, "%s.%ld.tmp", path, (long)getpid());
		output->temporary = text_take(&name);
		unfinished_add(output->temporary);
		fd = private_file_replace(AT_FDCWD, output->temporary, USER_FILE_MODE);
	} else {
		fd = open_user_file(path, O_WRONLY);
	}
	if (fd < 0) {
		enum status status = fail("cannot create '%s': %s", path, file_error());
		forget(output);
		return status;
	}
	output->path = memory_copy_text(path);
	output->file = fdopen(fd, "w");
	if (output->file)
		return OK;
	close(fd);
	return fail("cannot create '%s': %s", path, strerror(errno));
}

void output_discard(struct output *output)
{
	if (output->file)
		fclose(output->file);
	if (output->temporary)
		unlink(output->temporary);
	forget(output);
}

static bool put_in_place(struct output *output)
{
	bool written = fflush(output->file) == 0 && !ferror(output->file);

	if (!output->temporary)
		return written;
	written = written && fsync(fileno(output->file)) == 0;
	return written && rename(output->temporary, output->path) == 0;
}

enum status output_commit(struct output *output)
{
	enum status status = OK;

	if (!put_in_place(output)) {
		status = fail("cannot write '%s': %s", output->path, strerror(errno));
		output_discard(output);
		return status;
	}
	fclose(output->file);
	if (output->temporary) {
		/* The name is on disk only after its folder was synchronised. */
		char *copy = memory_copy_text(output->path);
		int fd = open_uncounted(AT_FDCWD, dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
		if (fd >= 0) {
			fsync(fd);
			close(fd);
		}
		free(copy);
	}
	forget(output);
	return status;
}
