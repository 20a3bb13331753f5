/* What an MPI library allocates as ranks grow: a job for each number of them, put together. An exit code. */
#ifndef TARRY_CLI_BENCH_MEMORY_H
#define TARRY_CLI_BENCH_MEMORY_H

#include "cli/bench_launch.h"

int bench_memory(const struct bench_request *request, const struct bench_plan *wanted, struct arena *arena);

#endif
