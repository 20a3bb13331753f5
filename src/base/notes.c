#include "base/notes.h"

#include "base/files.h"
#include "base/own_folder.h"
#include "base/settings.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* The longest line with its end, and how many bytes of the existing notes are searched for the same line. */
enum { LINE_MAX_BYTES = 512, NOTES_SEEN = 1 << 14 };

int parts_folder_open(const char *output, char *path)
{
	int length = snprintf(path, PATH_MAX, "%s" PARTS_SUFFIX, output);

	if (length < 0 || length >= PATH_MAX) {
		errno = ENAMETOOLONG;
		return -1;
	}
	return private_folder_open(path);
}

/* Reads piece by piece, since this is the stack of one of the program's threads. Each piece is twice as long
 * as the step to the next, so every line is whole in one piece, together with the byte before it. */
static bool is_written(int notes, const char *line)
{
	char piece[2 * LINE_MAX_BYTES + 1];

	for (off_t offset = 0; offset < NOTES_SEEN; offset += LINE_MAX_BYTES) {
		ssize_t size = pread(notes, piece, sizeof piece - 1, offset);
		if (size <= 0)
			break;
		piece[size] = '\0';
		for (const char *found = strstr(piece, line); found; found = strstr(found + 1, line))
			if (found == piece ? !offset : found[-1] == '\n')
				return true;
	}
	return false;
}

/* Beyond the limit of file sizes only a part of the line would be written. */
static bool has_room(int notes, size_t bytes)
{
	struct rlimit limit;
	struct stat about;

	return getrlimit(RLIMIT_FSIZE, &limit) == 0 && fstat(notes, &about) == 0 &&
	       (limit.rlim_cur == RLIM_INFINITY || (rlim_t)about.st_size + bytes <= limit.rlim_cur);
}

void note_write_at(int folder, const char *sentence)
{
	int notes = private_file_open(folder, NOTES_FILE, O_RDWR | O_APPEND);
	char line[LINE_MAX_BYTES];

	if (notes < 0)
		return;
	snprintf(line, sizeof line, "%s\n", sentence);
	if (has_room(notes, strlen(line)) && !is_written(notes, line) &&
	    !write_fully(notes, line, strlen(line)))
		errno = EIO;
	close(notes);
}

void note_write(const char *output, const char *sentence)
{
	char path[PATH_MAX];
	int folder = parts_folder_open(output, path);

	if (folder < 0)
		return;
	note_write_at(folder, sentence);
	close(folder);
}
