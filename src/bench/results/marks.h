/* What the marks of a point are called, and what they mean. */
#ifndef TARRY_BENCH_RESULTS_MARKS_H
#define TARRY_BENCH_RESULTS_MARKS_H

#include "base/text.h"
#include "bench/results/results.h"

struct mark_kind {
	enum mark mark;
	const char *name; /* one short word: in tables and files */
	const char *help; /* what the reader has to know */
};

extern const struct mark_kind mark_kinds[]; /* ends with an entry without a name */

/* The names of these, joined by `separator`. */
void text_add_marks(struct text *text, unsigned marks, const char *separator);

#endif
