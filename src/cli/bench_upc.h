/* `tarry bench --upc`: compiles upc/tarry_bench.upc with the user's UPC compiler, runs it, and shows its results. */
#ifndef TARRY_CLI_BENCH_UPC_H
#define TARRY_CLI_BENCH_UPC_H

#include "cli/bench_launch.h"

/* Options of the plan that this program does not have. */
enum status bench_upc_check(const struct bench_plan *wanted) MUST_CHECK;

/* `compiler` as the user wrote it; NULL: the first that is found. An exit code. */
int bench_upc(const struct bench_request *request, const char *compiler, const struct bench_plan *wanted,
              struct arena *arena);

#endif
