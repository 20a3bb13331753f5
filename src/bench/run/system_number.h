/* Numbers that the system tells in files. */
#ifndef TARRY_BENCH_RUN_SYSTEM_NUMBER_H
#define TARRY_BENCH_RUN_SYSTEM_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* The number behind a word at the begin of a line; without a word, that at the begin of the file. */
bool system_number(const char *path, const char *word, uint64_t *number);

#endif
