/* Files: read and written whole, and kept private.
 *
 * Reading and writing whole is done as often as it takes, through interruptions and calls that do less than asked. */
#ifndef TARRY_BASE_FILES_H
#define TARRY_BASE_FILES_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/types.h>

/* False: errno; a file that ends too early is EIO. EFBIG: the limit of file sizes, without its signal (base/size_limit.h). */
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

#endif
