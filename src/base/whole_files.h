/* Whole files in memory.
 *
 *	struct text bytes = {0};
 *	if (!text_add_user_file(&bytes, "machine.xml", 64 << 20))
 *		return fail("cannot read '%s': %s", "machine.xml", file_error()); */
#ifndef TARRY_BASE_WHOLE_FILES_H
#define TARRY_BASE_WHOLE_FILES_H

#include "base/text.h"

/* Adds the rest of an open file, also of a pipe. False: errno, and the part that was read is added. EFBIG: it has more than `most` bytes. */
bool text_add_rest(struct text *text, int fd, size_t most);
/* The same for a file that the user names (base/user_files.h). */
bool text_add_user_file(struct text *text, const char *path, size_t most);

#endif
