/* The program's files: found by path, or in a folder that was named for them, and only those that really ran. */
#ifndef TARRY_ANALYSIS_MODEL_OBJECT_FILES_H
#define TARRY_ANALYSIS_MODEL_OBJECT_FILES_H

#include "base/arena.h"
#include "trace/reader.h"

#include <elfutils/libdwfl.h>

/* One file, whichever processes loaded it. */
struct object_file {
	const char *path;    /* as recorded */
	uint64_t changed_ns; /* since 1970; 0: not known */
	Dwfl *dwfl;
	Dwfl_Module *opened; /* NULL: cannot be used, and a warning says why */
	bool warned;         /* that it has no debug information */
	bool warned_source;  /* that a source is missing */
};

struct warnings {
	struct arena *arena;
	const char **sentences;
	size_t count;
};

void warn(struct warnings *warnings, const char *format, ...) PRINTF_LIKE(2, 3);

/* `folder` is looked into first; NULL: there is none. */
void object_file_open(struct object_file *file, const struct module *module, const char *folder,
                      struct warnings *warnings);
void object_file_close(struct object_file *file);

#endif
