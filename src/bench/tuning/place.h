/* Tuning files on disk, and the variables that make a library read them. */
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
	int rules;           /* enum rules_version; 0: the library reads something else */
	struct variable variables[VARIABLES_MAX];
	size_t count;
};

/* "tuned.rules" or "tuned.json" if the user has given no name and the version of the library is not known. */
const char *tuning_default_path(const char *library);

/* The file for the library of these results; `path` becomes absolute, because jobs may run anywhere.
 * MPICH's device has a second file beside it. */
enum status tuning_place(const struct results *results, const char *path, struct arena *arena,
                         struct tuning_place *place) MUST_CHECK;

/* Writes the taken choices; drops choices that the file cannot express. */
enum status tuning_write(const struct results *results, struct choices *choices,
                         const struct tuning_place *place) MUST_CHECK;
/* Removes the files. */
void tuning_remove(const struct tuning_place *place);

/* In this process and its children. */
void tuning_set(const struct tuning_place *place);
void tuning_unset(const struct tuning_place *place);

/* The format that the library reads: "a rule file of version 2 for coll/tuned". */
void tuning_format(const struct tuning_place *place, struct text *out);

/* The line for the user: "export NAME=VALUE …". */
void tuning_line(const struct tuning_place *place, struct text *out);

#endif
