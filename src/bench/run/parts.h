/* How buffers are divided. Operations with counts for each process get blocks that are by turns half of the size and one and a half of
 * it, so that their total is that of the others. */
#ifndef TARRY_BENCH_RUN_PARTS_H
#define TARRY_BENCH_RUN_PARTS_H

#include "bench/run/neighbourhood.h"
#include "bench/run/trial.h"

enum { MESSAGES_AT_ONCE = 64 }; /* of operations that measure rates, in each direction */

/* How many a buffer of this process holds. */
int blocks_in(const struct trial *trial, enum blocks blocks);

/* The count of a block with this number. */
int share_of(const struct trial *trial, int index);

/* Fills in `share`, `out` and `in`. */
void parts_make(struct trial *trial, const struct neighbour_lists *neighbours);

#endif
