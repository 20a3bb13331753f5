/* Files: read and written whole, and kept private.
 *
 * Interrupted and partial reads and writes are repeated until everything is done. */
#ifndef TARRY_BASE_FILES_H
#define TARRY_BASE_FILES_H

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

/* False: errno; EIO: the file ends too early. EFBIG: the limit of file sizes, without its signal
 * (struct size_limit). */
bool write_fully(int fd, const void *bytes, size_t size);
bool pwrite_fully(int fd, const void *bytes, size_t size, off_t offset);
bool pread_fully(int fd, void *bytes, size_t size, off_t offset);

/* openat() as a system call. Code in the user's job opens its files in this way: other tools in the job (Darshan) count the files that
 * are opened through the C library. */
static inline int open_uncounted(int folder, const char *name, int flags, mode_t mode)
{
	return (int)syscall(SYS_openat, folder, name, flags, mode);
}

/* Reads the start of a small file, such as one of /proc, by one read, and ends it with a zero byte. Returns the number of bytes, or -1: errno. The
 * text is then empty. */
ssize_t read_small_file(int folder, const char *name, char *text, size_t room);

/* Opens a file that a trace, a folder or a user names. Refuses folders, and pipes, sockets and devices, on
 * which open() could block for ever. The folder may be AT_FDCWD. -1: errno; file_error() describes it. */
int open_regular(int folder, const char *name, int flags);
/* The same as a stream for reading; NULL: errno. */
FILE *open_regular_stream(int folder, const char *name);

/* errno for a file that is not regular; the error of tape drives has no other use here. */
enum { FILE_NOT_REGULAR = EMEDIUMTYPE };
/* Closes the file and sets errno; returns -1. */
int close_and_refuse(int fd, int error);
/* Takes ownership of the file; NULL: errno, and the file is closed. -1 stays an error. */
FILE *file_stream(int fd, const char *mode);
/* strerror(errno), or why open_regular() refused the file. */
const char *file_error(void);

/* Files that only this user can create or change, in a folder of this user (base/own_folder.h).
 *
 *	int folder = private_folder_open("run.tarry.parts");            made if it is not there
 *	int file = private_file_create(folder, "claim", 0600);           fails with EEXIST if the name is taken
 *	int notes = private_file_open(folder, "notes", O_RDWR | O_APPEND);
 *
 * All return -1 with the reason in errno. EPERM: it belongs to another user, or others can write to it. */

/* Modes of the user's output: traces, exports, reports. The umask decides who can read them. */
enum { USER_FILE_MODE = 0666, USER_FOLDER_MODE = 0777 };

/* A new file for reading and writing. The folder may be AT_FDCWD. */
int private_file_create(int folder, const char *name, mode_t mode);

/* The same where an earlier run may have left a file of this name: replaces it. The target of a
 * link is not touched. */
int private_file_replace(int folder, const char *name, mode_t mode);

/* An existing file, or a new one; links are not followed. */
int private_file_open(int folder, const char *name, int flags);

/* True if the file belongs to this user and nobody else can write to it. */
bool is_private(const struct stat *about);
bool path_exists(const char *path);

/* The limit of file sizes (RLIMIT_FSIZE, ulimit -f). A call that would make a file longer fails with EFBIG,
 * and SIGXFSZ ends the process unless it has a handler. User programs have none, so a signal caused by our
 * own call is removed; a signal caused by the program itself stays.
 *
 *	struct size_limit held;
 *
 *	size_limit_hold(&held);
 *	result = ftruncate(fd, bytes);
 *	size_limit_release(&held, result != 0 && errno == EFBIG);        errno stays
 *
 * write_fully() and pwrite_fully() do this by themselves. */
struct size_limit {
	sigset_t before;
	bool was_pending; /* the program blocks SIGXFSZ and has caused one */
};

void size_limit_hold(struct size_limit *held);
void size_limit_release(const struct size_limit *held, bool was_exceeded);

#endif
