/* Sorts numbers, the smallest first. */
#ifndef TARRY_BASE_SORT_H
#define TARRY_BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

void sort_u32(uint32_t *numbers, size_t count);
void sort_u64(uint64_t *numbers, size_t count);
void sort_i64(int64_t *numbers, size_t count);
void sort_doubles(double *numbers, size_t count);

#endif
