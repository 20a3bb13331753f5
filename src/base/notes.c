#include "base/notes.h"

#include "base/files.h"
#include "base/private_files.h"
#include "base/settings.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { NOTES_SEEN = 1 << 14 };

int parts_folder_open(const char *output, char *path)
{
	int length = snprintf(path, PATH_MAX, "%s" PARTS_SUFFIX, output);

	if (length < 0 || length >= PATH_MAX) {
		errno = ENAMETOOLONG;
		return -1;
	}
	return private_folder_open(path);
}

static bool is_written(int notes, const char *line)
{
	char seen[NOTES_SEEN + 1];
	ssize_t size = pread(notes, seen, NOTES_SEEN, 0);
	const char *found;

	seen[size > 0 ? size : 0] = '\0';
	found = strstr(seen, line);
	return found && (found == seen || found[-1] == '\n');
}

void note_write_at(int folder, const char *sentence)
{
	int notes = private_file_open(folder, NOTES_FILE, O_RDWR | O_APPEND);
	char line[512];

	if (notes < 0)
		return;
	snprintf(line, sizeof line, "%s\n", sentence);
	if (!is_written(notes, line) && !write_fully(notes, line, strlen(line)))
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
