#include "job/mpi/held_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* The lowest descriptor for our files: the program's descriptors get the same numbers as without us. */
enum { HIGH_NUMBER = 500 };

bool held_file_take(struct held_file *held, int fd)
{
	struct stat about;
	int high = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, HIGH_NUMBER);

	if (high >= 0) {
		close(fd);
		fd = high;
	}
	if (fd < 0)
		return false;
	if (fstat(fd, &about) != 0) {
		close(fd);
		return false;
	}
	*held = (struct held_file){fd, about.st_dev, about.st_ino};
	return true;
}

bool held_file_is_ours(const struct held_file *held)
{
	struct stat about;

	if (held->fd >= 0 && fstat(held->fd, &about) == 0 && about.st_dev == held->device &&
	    about.st_ino == held->inode)
		return true;
	errno = EBADF;
	return false;
}

void held_file_close(struct held_file *held)
{
	if (held_file_is_ours(held))
		close(held->fd);
	held->fd = -1;
}
