#include "cli/top_output.h"

#include "base/files.h"
#include "cli/command.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TAIL_BYTES = 8192, PIECE = 1 << 16 };

enum status top_output_open(const char *trace, struct arena *arena, struct top_output *output)
{
	*output = (struct top_output){.out = STDOUT_FILENO, .error = STDERR_FILENO};
	output->path = arena_format(arena, "%s.output-%d", trace, (int)getpid());
	output->file = private_file_create(AT_FDCWD, output->path, USER_FILE_MODE);
	if (output->file < 0)
		return fail(
			"cannot keep the program's output in '%s': %s; choose another place with --output",
			output->path, strerror(errno));
	output->out = output->file;
	if (isatty(STDERR_FILENO))
		output->error = output->file;
	return OK;
}

/* Where the last `count` lines begin; what is behind the last end of a line is one, too. */
static size_t find_lines(const char *bytes, size_t size, size_t count)
{
	size_t at = size;

	if (at && bytes[at - 1] == '\n')
		at--;
	for (; at; at--)
		if (bytes[at - 1] == '\n' && !--count)
			break;
	return at;
}

void top_output_tail(const struct top_output *output, size_t count, struct text *lines)
{
	char bytes[TAIL_BYTES];
	struct stat about;
	off_t from;
	size_t size, at;

	if (!count || fstat(output->file, &about) != 0 || !about.st_size)
		return;
	from = about.st_size > TAIL_BYTES ? about.st_size - TAIL_BYTES : 0;
	size = (size_t)(about.st_size - from);
	if (!pread_fully(output->file, bytes, size, from))
		return;
	at = find_lines(bytes, size, count);
	for (size_t i = at; i < size; i++)
		text_add(lines, "%c", bytes[i] ? bytes[i] : '?');
	if (bytes[size - 1] != '\n')
		text_add(lines, "\n");
	text_strip_controls(lines);
}

void top_output_replay(struct top_output *output)
{
	char bytes[PIECE];
	off_t at = 0;
	ssize_t size;

	while ((size = pread(output->file, bytes, sizeof bytes, at)) > 0) {
		if (!write_fully(STDOUT_FILENO, bytes, (size_t)size)) {
			say("cannot print the program's output: %s; it is kept in '%s'", strerror(errno),
			    output->path);
			close(output->file);
			return;
		}
		at += size;
	}
	if (size < 0)
		say("cannot read the program's output: %s; it is kept in '%s'", strerror(errno),
		    output->path);
	else
		unlink(output->path);
	close(output->file);
}
