#include "base/files.h"

#include <errno.h>
#include <unistd.h>

/* Whether to go on after a call that moved so many bytes; moves `*done` on. */
static bool advance(ssize_t moved, size_t *done)
{
	if (moved < 0)
		return errno == EINTR;
	if (moved == 0)
		errno = EIO;
	*done += (size_t)moved;
	return moved > 0;
}

bool write_fully(int fd, const void *bytes, size_t size)
{
	size_t done = 0;

	while (done < size)
		if (!advance(write(fd, (const char *)bytes + done, size - done), &done))
			return false;
	return true;
}

bool pwrite_fully(int fd, const void *bytes, size_t size, off_t offset)
{
	size_t done = 0;

	while (done < size)
		if (!advance(pwrite(fd, (const char *)bytes + done, size - done, offset + (off_t)done),
		             &done))
			return false;
	return true;
}

bool pread_fully(int fd, void *bytes, size_t size, off_t offset)
{
	size_t done = 0;

	while (done < size)
		if (!advance(pread(fd, (char *)bytes + done, size - done, offset + (off_t)done), &done))
			return false;
	return true;
}
