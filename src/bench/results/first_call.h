/* First and second call of an operation in a fresh job. Libraries connect processes in the first call, so
 * it may take thousands of times as long. Both calls are ordinary points with different variants; the
 * ratio is computed. */
#ifndef TARRY_BENCH_RESULTS_FIRST_CALL_H
#define TARRY_BENCH_RESULTS_FIRST_CALL_H

#include "base/text.h"
#include "bench/results/results.h"

/* In the order in which a job adds its points. */
enum first_call_variant { FIRST_SLOWEST, SECOND_SLOWEST, FIRST_RANK_0, SECOND_RANK_0, FIRST_CALL_VARIANTS };

extern const char *const first_call_variants[FIRST_CALL_VARIANTS];

/* Whether these are results of `tarry bench --first-call`. */
bool has_first_calls(const struct results *results);

/* One line per operation: both times and their ratio, for the slowest rank and for rank 0. */
void first_call_table(const struct results *results, struct text *out);

#endif
