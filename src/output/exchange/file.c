#include "output/exchange/file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static enum status may_replace(const struct export_job *job)
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
	TRY(may_replace(job));
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
