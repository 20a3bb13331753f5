/* Files: read and written whole, and kept private.
 *
 * Reading and writing whole is done as often as it takes, through interruptions and calls that do less than asked. */
#ifndef TARRY_BASE_FILES_H
#define TARRY_BASE_FILES_H

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/types.h>

/* False: errno; a file that ends too early is EIO. EFBIG: the limit of file sizes, without its signal (struct size_limit). */
bool write_fully(int fd, const void *bytes, size_t size);
bool pwrite_fully(int fd, const void *bytes, size_t size, off_t offset);
bool pread_fully(int fd, void *bytes, size_t size, off_t offset);

/* Opens a file that a trace, a folder or a user names. A pipe, a socket or a device under that name is refused, where open() could
 * wait for ever; so is a folder. The folder may be AT_FDCWD. -1: errno, which file_error() puts into words. */
int open_regular(int folder, const char *name, int flags);
/* The same, to be read as a stream; NULL: errno. */
FILE *open_regular_stream(int folder, const char *name);

/* errno for a file that is not regular. This error of tape drives has no other use here. */
enum { FILE_NOT_REGULAR = EMEDIUMTYPE };
/* Closes the file and sets errno; -1. */
int close_and_refuse(int fd, int error);
/* Takes the file over; NULL: errno, and it is closed. -1 stays an error. */
FILE *file_stream(int fd, const char *mode);
/* strerror(errno), and why open_regular() refused the file. */
const char *file_error(void);

/* Files that only this user can have made or changed, in a folder of this user (base/own_folder.h).
 *
 *	int folder = private_folder_open("run.tarry.parts");            made if it is not there
 *	int file = private_file_create(folder, "claim", 0600);           fails with EEXIST if the name is taken
 *	int notes = private_file_open(folder, "notes", O_RDWR | O_APPEND);
 *
 * All return -1 with the reason in errno. EPERM: it belongs to another user, or others can write to it. */

/* Modes of what the user asks for: traces, exports, reports. The umask decides who can read them. */
enum { USER_FILE_MODE = 0666, USER_FOLDER_MODE = 0777 };

/* A new file, to be read and written. The folder may be AT_FDCWD. */
int private_file_create(int folder, const char *name, mode_t mode);

/* The same where a file of this name may be left over from an earlier run: that one goes, and what a link points to stays. */
int private_file_replace(int folder, const char *name, mode_t mode);

/* A file that is there, or a new one; a link is not followed. */
int private_file_open(int folder, const char *name, int flags);

/* Is it ours, and can nobody else write to it? */
bool is_private(const struct stat *about);
bool path_exists(const char *path);

/* The limit of file sizes (RLIMIT_FSIZE, ulimit -f). A call that would make a file longer fails with EFBIG, and SIGXFSZ ends the
 * process unless it has a handler. User programs have none, so a signal that a call of ours causes is removed; a signal
 * that the program itself has caused stays.
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
	bool was_pending; /* the program holds SIGXFSZ back, and has caused one */
};

void size_limit_hold(struct size_limit *held);
void size_limit_release(const struct size_limit *held, bool was_exceeded);

#endif
