/* The measurement in progress, to find out what ended or blocked a job. */
#ifndef TARRY_BENCH_RUN_JOURNAL_H
#define TARRY_BENCH_RUN_JOURNAL_H

#include <stdint.h>

/* Appends a line, "MPI_Bcast 4 1024 binomial"; `path` may be NULL. */
void journal_write(const char *path, const char *operation, int ranks, uint64_t bytes, const char *variant);

#endif
