/* Files that the user names on the command line, to read or to write. Besides regular files these may be
 * devices and pipes that are open already: /dev/stdout, the shell's <(…) and >(…). A named pipe is refused as
 * input. As output it must belong to this user, and a reader must appear within a few seconds. So no command
 * waits for another user.
 *
 *	FILE *rules = open_user_stream("my.rules", "r");
 *	if (!rules)
 *		return fail("cannot open '%s': %s", "my.rules", file_error()); */
#ifndef TARRY_BASE_USER_FILES_H
#define TARRY_BASE_USER_FILES_H

#include "base/files.h"
#include "base/text.h"

/* New files get USER_FILE_MODE. -1, NULL: errno, see file_error(). */
int open_user_file(const char *path, int flags);
FILE *open_user_stream(const char *path, const char *mode); /* "r" or "w" */

/* Locks an open file for this process alone. False: another process held the lock during all these seconds.
 * On a file system without locks it succeeds. */
bool lock_within(int fd, int seconds);

/* Adds the rest of an open file or pipe. False: errno, and the part read so far is added. EFBIG:
 * more than `most` bytes. */
bool text_add_rest(struct text *text, int fd, size_t most);
/* The same for a file that the user names. */
bool text_add_user_file(struct text *text, const char *path, size_t most);

#endif
