#include "base/process.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* "1234 (name) S 1233 …", where the name may have anything in it, parentheses too; all behind it are numbers. */
bool read_process_status(int pid, struct process_status *status)
{
	char path[64], text[512];
	const char *name_end;
	ssize_t size;
	int fd;

	snprintf(path, sizeof path, "/proc/%d/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	size = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
	if (fd >= 0)
		close(fd);
	text[size > 0 ? size : 0] = '\0';
	name_end = strrchr(text, ')');
	return name_end && sscanf(name_end, ") %c %d", &status->state, &status->parent) == 2;
}
