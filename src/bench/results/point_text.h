/* Points as text. */
#ifndef TARRY_BENCH_RESULTS_POINT_TEXT_H
#define TARRY_BENCH_RESULTS_POINT_TEXT_H

#include "base/text.h"
#include "bench/results/results.h"

/* The parameters of a point except size and ranks: "MPI_Reduce, root 1, double, sum"; defaults are
 * omitted. */
void text_add_point_name(struct text *text, const struct result_point *point);

/* In the user's notation: "64K", "1000"; "-": none. */
void text_add_point_size(struct text *text, const struct result_point *point);

/* Names and meanings of marks. */
struct mark_kind {
	enum mark mark;
	const char *name; /* one short word, for tables and files */
	const char *help; /* explanation for the reader */
};

extern const struct mark_kind mark_kinds[]; /* ends with an entry without a name */

/* Their names, joined by `separator`. */
void text_add_marks(struct text *text, unsigned marks, const char *separator);

#endif
