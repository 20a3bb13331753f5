#include "job/check/buffers/memory_maps.h"

#include "base/files.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_BYTES = 1 << 13, ROOM = 512 };

static bool take_line(const char *line, region_visitor *visit, void *context)
{
	unsigned long long first, end, offset, inode;
	char permissions[8] = "", device[16] = "";
	int name = 0;

	if (sscanf(line, "%llx-%llx %7s %llx %15s %llu %n", &first, &end, permissions, &offset, device,
	           &inode, &name) < 6)
		return true;
	return visit(&(struct mapped_region){.first = (uintptr_t)first,
	                                     .end = (uintptr_t)end,
	                                     .permissions = permissions,
	                                     .inode = inode,
	                                     .name = line + name},
	             context);
}

void memory_maps_read(region_visitor *visit, void *context)
{
	char text[TEXT_BYTES + 1];
	size_t kept = 0;
	ssize_t got;
	bool goes_on = true;
	int fd = open_uncounted(AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC, 0);

	while (fd >= 0 && goes_on && (got = read(fd, text + kept, TEXT_BYTES - kept)) > 0) {
		char *line = text, *end;

		text[kept + (size_t)got] = '\0';
		while (goes_on && (end = strchr(line, '\n'))) {
			*end = '\0';
			goes_on = take_line(line, visit, context);
			line = end + 1;
		}
		kept = strlen(line);
		memmove(text, line, kept);
		if (kept + ROOM > TEXT_BYTES)
			break; /* a line this long is not of a region that matters here */
	}
	if (fd >= 0)
		close(fd);
}
