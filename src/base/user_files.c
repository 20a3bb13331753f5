#include "base/user_files.h"

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

/* A pipe of the shell's has no name, or is one of the three streams. */
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

/* The reader of the user's own pipe may have just been started. */
static int open_at_once(const char *path, int flags)
{
	const int without_waiting = flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
	int fd = open(path, without_waiting, USER_FILE_MODE);
	struct stat about;

	for (int i = 0; fd < 0 && errno == ENXIO && i < READER_SECONDS * LOOKS_A_SECOND; i++) {
		if (stat(path, &about) != 0 || !is_own_pipe(&about))
			return close_and_refuse(-1, FILE_NOT_REGULAR);
		wait_a_little();
		fd = open(path, without_waiting, USER_FILE_MODE);
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
