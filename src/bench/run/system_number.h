/* Numbers from system files. */
#ifndef TARRY_BENCH_RUN_SYSTEM_NUMBER_H
#define TARRY_BENCH_RUN_SYSTEM_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* The number after a word at the start of a line; without a word, that at the start of the file. */
bool system_number(const char *path, const char *word, uint64_t *number);

#endif
