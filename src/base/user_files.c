#include "base/user_files.h"

#include "base/files.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/file.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

enum { LOOKS_A_SECOND = 50, READER_SECONDS = 5 };

static void wait_a_little(void)
{
	static const struct timespec step = {.tv_nsec = 1000000000L / LOOKS_A_SECOND};

	nanosleep(&step, NULL);
}

static bool is_own_pipe(const struct stat *about)
{
	return S_ISFIFO(about->st_mode) && about->st_uid == geteuid();
}

/* A pipe of the shell has no name, or is one of the three streams. */
static bool is_open_already(int fd, const struct stat *about)
{
	struct statfs system;
	struct stat stream;

	if (fstatfs(fd, &system) == 0 && system.f_type == PIPEFS_MAGIC)
		return true;
	for (int i = 0; i <= STDERR_FILENO; i++)
		if (fstat(i, &stream) == 0 && stream.st_dev == about->st_dev &&
		    stream.st_ino == about->st_ino)
			return true;
	return false;
}

/* The reader of the user's own pipe may just have been started. */
static int open_at_once(const char *path, int flags)
{
	const int without_waiting = flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
	int fd = open_uncounted(AT_FDCWD, path, without_waiting, USER_FILE_MODE);
	struct stat about;

	for (int i = 0; fd < 0 && errno == ENXIO && i < READER_SECONDS * LOOKS_A_SECOND; i++) {
		if (stat(path, &about) != 0 || !is_own_pipe(&about))
			return close_and_refuse(-1, FILE_NOT_REGULAR);
		wait_a_little();
		fd = open_uncounted(AT_FDCWD, path, without_waiting, USER_FILE_MODE);
	}
	return fd;
}

int open_user_file(const char *path, int flags)
{
	const bool is_output = (flags & O_ACCMODE) != O_RDONLY;
	int fd = open_at_once(path, flags);
	struct stat about;

	if (fd < 0)
		return -1;
	if (fstat(fd, &about) != 0)
		return close_and_refuse(fd, errno);
	if (S_ISFIFO(about.st_mode) && !(is_output && is_own_pipe(&about)) && !is_open_already(fd, &about))
		return close_and_refuse(fd, FILE_NOT_REGULAR);
	if (!S_ISREG(about.st_mode) && fcntl(fd, F_SETFL, flags & ~(O_CREAT | O_TRUNC)) != 0)
		return close_and_refuse(fd, errno);
	return fd;
}

FILE *open_user_stream(const char *path, const char *mode)
{
	return file_stream(open_user_file(path, *mode == 'w' ? O_WRONLY | O_CREAT | O_TRUNC : O_RDONLY),
	                   mode);
}

bool lock_within(int fd, int seconds)
{
	bool locked;

	for (int i = 0; !(locked = flock(fd, LOCK_EX | LOCK_NB) == 0) && i < seconds * LOOKS_A_SECOND; i++) {
		if (errno != EWOULDBLOCK && errno != EINTR)
			break;
		wait_a_little();
	}
	return locked || errno != EWOULDBLOCK;
}

bool text_add_rest(struct text *text, int fd, size_t most)
{
	char part[1 << 14];
	ssize_t got;

	while ((got = read(fd, part, sizeof part)) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return false;
		if ((size_t)got > most) {
			text_add_bytes(text, part, most);
			errno = EFBIG;
			return false;
		}
		text_add_bytes(text, part, (size_t)got);
		most -= (size_t)got;
	}
	return true;
}

bool text_add_user_file(struct text *text, const char *path, size_t most)
{
	int fd = open_user_file(path, O_RDONLY), error;
	bool is_whole = fd >= 0 && text_add_rest(text, fd, most);

	error = errno;
	if (fd >= 0)
		close(fd);
	errno = error;
	return is_whole;
}
