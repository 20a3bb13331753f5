/* An examination of this machine: each check adds what it found. */
#ifndef TARRY_CLI_DOCTOR_H
#define TARRY_CLI_DOCTOR_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

enum verdict {
	VERDICT_OK,
	VERDICT_ABSENT,  /* does without */
	VERDICT_MISSING, /* recording cannot work */
	VERDICTS
};

enum { FINDINGS_MAX = 32 };

struct finding {
	const char *check;
	enum verdict verdict;
	const char *text;
	const char *advice; /* NULL if all is well */
};

struct examination {
	struct arena arena;
	const char *check; /* the one that is running */
	struct finding findings[FINDINGS_MAX];
	size_t count;
};

extern const char *const doctor_verdict_names[VERDICTS];

/* Runs all checks. The caller releases the arena. */
void examine(struct examination *examination);

/* Nothing that is needed for recording is missing. */
bool can_record(const struct examination *examination);

#endif
