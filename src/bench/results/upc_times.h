/* Reads the output of the UPC program of `tarry bench --upc` (upc/tarry_bench.upc) as results. */
#ifndef TARRY_BENCH_RESULTS_UPC_TIMES_H
#define TARRY_BENCH_RESULTS_UPC_TIMES_H

#include "bench/results/plan.h"
#include "bench/results/results.h"

#include <stdio.h>

/* Adds points and facts. The content of the file is validated. Without its last line, the results are
 * incomplete. */
enum status upc_times_read(FILE *file, const struct bench_plan *wanted, struct results *results) MUST_CHECK;

#endif
