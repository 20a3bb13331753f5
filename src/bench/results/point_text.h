/* Points for people. */
#ifndef TARRY_BENCH_RESULTS_POINT_TEXT_H
#define TARRY_BENCH_RESULTS_POINT_TEXT_H

#include "base/text.h"
#include "bench/results/results.h"

/* What sets the point apart, but for size and ranks: "MPI_Reduce, root 1, double, sum"; usual choices are left out. */
void text_add_point_name(struct text *text, const struct result_point *point);

/* As users write it: "64K", "1000"; "-": there is none. */
void text_add_point_size(struct text *text, const struct result_point *point);

/* What the marks of a point are called, and what they mean. */
struct mark_kind {
	enum mark mark;
	const char *name; /* one short word: in tables and files */
	const char *help; /* what the reader has to know */
};

extern const struct mark_kind mark_kinds[]; /* ends with an entry without a name */

/* The names of these, joined by `separator`. */
void text_add_marks(struct text *text, unsigned marks, const char *separator);

#endif
