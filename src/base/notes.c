#include "base/notes.h"

#include "base/settings.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool parts_folder(const char *output, char *path)
{
	int length = snprintf(path, PATH_MAX, "%s" PARTS_SUFFIX, output);

	if (length < 0 || length >= PATH_MAX) {
		errno = ENAMETOOLONG;
		return false;
	}
	return mkdir(path, 0700) == 0 || errno == EEXIST;
}

void note_write(const char *output, const char *sentence)
{
	char folder[PATH_MAX], path[PATH_MAX + sizeof "/" NOTES_FILE], line[512];
	size_t length;
	int fd;

	if (!parts_folder(output, folder))
		return;
	snprintf(path, sizeof path, "%s/" NOTES_FILE, folder);
	fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	snprintf(line, sizeof line, "%s\n", sentence);
	length = strlen(line);
	if (write(fd, line, length) != (ssize_t)length)
		errno = EIO;
	close(fd);
}
