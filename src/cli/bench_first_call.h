/* `tarry bench --first-call`: fresh jobs, each with the first and the second call of one operation, put together. */
#ifndef TARRY_CLI_BENCH_FIRST_CALL_H
#define TARRY_CLI_BENCH_FIRST_CALL_H

#include "cli/bench_launch.h"

/* The operations and the size of the paper, unless the user gave others. */
void first_call_defaults(struct bench_plan *wanted);

/* An exit code. */
int bench_first_call(const struct bench_request *request, const struct bench_plan *wanted,
                     struct arena *arena);

#endif
