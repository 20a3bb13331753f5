#include "base/notes.h"

#include "base/files.h"
#include "base/settings.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ATTEMPTS = 10, NOTES_SEEN = 1 << 14 };

bool parts_folder(const char *output, char *path)
{
	int length = snprintf(path, PATH_MAX, "%s" PARTS_SUFFIX, output);

	if (length < 0 || length >= PATH_MAX) {
		errno = ENAMETOOLONG;
		return false;
	}
	return mkdir(path, 0700) == 0 || errno == EEXIST;
}

/* Between the two steps another process may remove the folder because it has just become empty. */
int parts_folder_open(const char *output, char *path)
{
	int folder = -1;

	for (int i = 0; i < ATTEMPTS && folder < 0; i++) {
		if (!parts_folder(output, path))
			return -1;
		folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (folder < 0 && errno != ENOENT && errno != EINTR)
			return -1;
	}
	return folder;
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
	int notes = openat(folder, NOTES_FILE, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	char line[512];

	if (notes < 0 && errno == EINTR)
		notes = openat(folder, NOTES_FILE, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
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
