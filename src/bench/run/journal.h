/* What is being tried right now, for whoever has to find out what ended or stopped a job. */
#ifndef TARRY_BENCH_RUN_JOURNAL_H
#define TARRY_BENCH_RUN_JOURNAL_H

#include <stdint.h>

/* Adds a line, "MPI_Bcast 4 1024 binomial"; `path` may be NULL. */
void journal_write(const char *path, const char *operation, int ranks, uint64_t bytes, const char *variant);

#endif
