/* Text inside a library's file: some libraries offer neither a header nor a function for it. */
#ifndef TARRY_BENCH_TUNING_LIBRARY_TEXT_H
#define TARRY_BENCH_TUNING_LIBRARY_TEXT_H

#include "base/arena.h"

#include <stdbool.h>

struct library_text {
	const char *bytes;
	size_t size;
};

enum status library_text_open(const char *path, struct library_text *library) MUST_CHECK;
void library_text_close(struct library_text *library);

/* The NUL-terminated text that begins with `begin` and contains `part`; NULL: none. */
const char *library_text_find(const struct library_text *library, const char *beginning, const char *part,
                              struct arena *arena);

/* Names (letters, digits, underscores) with this prefix, each once; returns their number. */
size_t library_text_names(const struct library_text *library, const char *beginning, struct arena *arena,
                          const char ***names);

/* The two trees of MPICH, see tuning_file.h; NULL: not found. */
const char *mpich_selection_tree(const struct library_text *library, struct arena *arena);
const char *mpich_device_tree(const struct library_text *library, struct arena *arena);

/* The name of a collective in the settings of MPI libraries. */

/* "bcast" for "MPI_Bcast". */
const char *collective_short_name(const char *operation, struct arena *arena);

#endif
