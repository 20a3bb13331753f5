/* Points for people. */
#ifndef TARRY_BENCH_RESULTS_POINT_NAME_H
#define TARRY_BENCH_RESULTS_POINT_NAME_H

#include "base/text.h"
#include "bench/results/results.h"

/* What sets the point apart, but for size and ranks: "MPI_Reduce, root 1, double, sum"; usual choices are left out. */
void text_add_point_name(struct text *text, const struct result_point *point);

/* As users write it: "64K", "1000"; "-": there is none. */
void text_add_point_size(struct text *text, const struct result_point *point);

#endif
