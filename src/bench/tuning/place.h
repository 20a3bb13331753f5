/* Tuning files on disk, and the variables by which a library is told to read them. */
#ifndef TARRY_BENCH_TUNING_PLACE_H
#define TARRY_BENCH_TUNING_PLACE_H

#include "base/text.h"
#include "bench/tuning/choice.h"

enum { VARIABLES_MAX = 3 };

struct variable {
	const char *name;
	const char *value;
};

struct tuning_place {
	const char *library; /* "openmpi" */
	struct variable variables[VARIABLES_MAX];
	size_t count;
};

/* "tuned.rules" or "tuned.json" where the user has named none. */
const char *tuning_default_path(const char *library);

/* Where the library of these results would read from; `path` becomes absolute, as jobs may run anywhere. MPICH's device has a
 * second file beside it. */
enum status tuning_place(const struct results *results, const char *path, struct arena *arena,
                         struct tuning_place *place) MUST_CHECK;

/* Writes what is taken. What the file cannot say is taken no more. */
enum status tuning_write(const struct results *results, struct choices *choices,
                         const struct tuning_place *place) MUST_CHECK;
/* Takes the files away again. */
void tuning_remove(const struct tuning_place *place);

/* In this process and all that it starts. */
void tuning_set(const struct tuning_place *place);
void tuning_unset(const struct tuning_place *place);

/* The line that a user needs: "export NAME=VALUE …". */
void tuning_line(const struct tuning_place *place, struct text *out);

#endif
