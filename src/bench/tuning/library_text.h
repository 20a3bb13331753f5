/* What is written inside a library's file: some tell neither by a header nor by a function what they know. */
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

/* The text, from one zero byte to the next, that begins so and holds `part`; NULL if there is none. */
const char *library_text_find(const struct library_text *library, const char *beginning, const char *part,
                              struct arena *arena);

/* Names (letters, digits, underscores) that begin so, wherever they stand, each once; returns how many. */
size_t library_text_names(const struct library_text *library, const char *beginning, struct arena *arena,
                          const char ***names);

/* The two trees of MPICH, see tuning_file.h; NULL if they are not there. */
const char *mpich_selection_tree(const struct library_text *library, struct arena *arena);
const char *mpich_device_tree(const struct library_text *library, struct arena *arena);

/* What MPI libraries call a collective operation in their settings. */

/* "bcast" of "MPI_Bcast". */
const char *collective_short_name(const char *operation, struct arena *arena);

#endif
