#include "base/files.h"

#include "base/paths.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { ATTEMPTS = 10 };

/* True if a call that moved this many bytes must be repeated; advances `*done`. */
static bool advance(ssize_t moved, size_t *done)
{
	if (moved < 0)
		return errno == EINTR;
	if (moved == 0)
		errno = EIO;
	*done += (size_t)moved;
	return moved > 0;
}

static bool write_pieces(int fd, const char *bytes, size_t size)
{
	size_t done = 0;

	while (done < size)
		if (!advance(write(fd, bytes + done, size - done), &done))
			return false;
	return true;
}

static bool pwrite_pieces(int fd, const char *bytes, size_t size, off_t offset)
{
	size_t done = 0;

	while (done < size)
		if (!advance(pwrite(fd, bytes + done, size - done, offset + (off_t)done), &done))
			return false;
	return true;
}

bool write_fully(int fd, const void *bytes, size_t size)
{
	struct size_limit held;
	bool written;

	size_limit_hold(&held);
	written = write_pieces(fd, bytes, size);
	size_limit_release(&held, !written && errno == EFBIG);
	return written;
}

bool pwrite_fully(int fd, const void *bytes, size_t size, off_t offset)
{
	struct size_limit held;
	bool written;

	size_limit_hold(&held);
	written = pwrite_pieces(fd, bytes, size, offset);
	size_limit_release(&held, !written && errno == EFBIG);
	return written;
}

bool pread_fully(int fd, void *bytes, size_t size, off_t offset)
{
	size_t done = 0;

	while (done < size)
		if (!advance(pread(fd, (char *)bytes + done, size - done, offset + (off_t)done), &done))
			return false;
	return true;
}

ssize_t read_small_file(int folder, const char *name, char *text, size_t room)
{
	int fd = open_uncounted(folder, name, O_RDONLY | O_CLOEXEC, 0);
	ssize_t size = fd < 0 ? -1 : read(fd, text, room - 1);
	int error = errno;

	if (fd >= 0)
		close(fd);
	errno = error;
	text[size > 0 ? size : 0] = '\0';
	return size;
}

int close_and_refuse(int fd, int error)
{
	if (fd >= 0)
		close(fd);
	errno = error;
	return -1;
}

int open_regular(int folder, const char *name, int flags)
{
	int fd = open_uncounted(folder, name, flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0600);
	struct stat about;

	if (fd < 0)
		return -1;
	if (fstat(fd, &about) != 0)
		return close_and_refuse(fd, errno);
	if (!S_ISREG(about.st_mode))
		return close_and_refuse(fd, S_ISDIR(about.st_mode) ? EISDIR : FILE_NOT_REGULAR);
	return fd;
}

FILE *file_stream(int fd, const char *mode)
{
	FILE *stream = fd < 0 ? NULL : fdopen(fd, mode);

	if (fd >= 0 && !stream)
		close_and_refuse(fd, errno);
	return stream;
}

FILE *open_regular_stream(int folder, const char *name)
{
	return file_stream(open_regular(folder, name, O_RDONLY), "r");
}

const char *file_error(void)
{
	return errno == FILE_NOT_REGULAR ? "not a regular file"
	       : errno == ENXIO          ? "no process reads from this pipe or device"
	                                 : strerror(errno);
}

bool is_private(const struct stat *about)
{
	return about->st_uid == geteuid() && !(about->st_mode & (S_IWGRP | S_IWOTH));
}

int private_file_create(int folder, const char *name, mode_t mode)
{
	return open_uncounted(folder, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
}

int private_file_replace(int folder, const char *name, mode_t mode)
{
	int fd = private_file_create(folder, name, mode);

	for (int i = 0; i < ATTEMPTS && fd < 0 && (errno == EEXIST || errno == EINTR); i++) {
		if (errno == EEXIST && unlinkat(folder, name, 0) != 0 && errno != ENOENT)
			return -1;
		fd = private_file_create(folder, name, mode);
	}
	return fd;
}

int private_file_open(int folder, const char *name, int flags)
{
	int fd = -1, error;
	struct stat about;

	errno = EINTR;
	for (int i = 0; i < ATTEMPTS && fd < 0 && errno == EINTR; i++)
		fd = open_uncounted(folder, name, flags | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
		                    0600);
	if (fd < 0)
		return -1;
	/* Closes the file unless it is private. */
	if (fstat(fd, &about) == 0) {
		if (S_ISREG(about.st_mode) && is_private(&about))
			return fd;
		errno = EPERM;
	}
	error = errno;
	close(fd);
	errno = error;
	return -1;
}

static void only_this_signal(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGXFSZ);
}

void size_limit_hold(struct size_limit *held)
{
	sigset_t signal, pending;

	only_this_signal(&signal);
	pthread_sigmask(SIG_BLOCK, &signal, &held->before);
	/* A signal that was not blocked cannot be pending. */
	held->was_pending = sigismember(&held->before, SIGXFSZ) == 1 && sigpending(&pending) == 0 &&
	                    sigismember(&pending, SIGXFSZ) == 1;
}

/* The kernel sends the signal to the thread that made the call. */
void size_limit_release(const struct size_limit *held, bool was_exceeded)
{
	static const struct timespec at_once;
	const int error = errno;
	sigset_t signal;

	only_this_signal(&signal);
	if (was_exceeded && !held->was_pending)
		while (sigtimedwait(&signal, NULL, &at_once) < 0 && errno == EINTR)
			continue;
	pthread_sigmask(SIG_SETMASK, &held->before, NULL);
	errno = error;
}

bool path_exists(const char *path)
{
	return access(path, F_OK) == 0;
}
