/* The division of buffers. Operations with counts per process get blocks of alternately 0.5 and 1.5 times
 * the size, so the total is that of the others. */
#ifndef TARRY_BENCH_RUN_PARTS_H
#define TARRY_BENCH_RUN_PARTS_H

#include "bench/run/neighbourhood.h"
#include "bench/run/trial.h"

enum { MESSAGES_AT_ONCE = 64 }; /* of operations that measure rates, in each direction */

/* Number of blocks in a buffer of this process. */
int blocks_in(const struct trial *trial, enum blocks blocks);

/* The count of the block with this number. */
int share_of(const struct trial *trial, int index);

/* Fills in `share`, `out` and `in`. */
void parts_make(struct trial *trial, const struct neighbour_lists *neighbours);

#endif
