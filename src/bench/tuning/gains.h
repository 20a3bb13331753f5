/* The gain of tuning, for people and for programs. */
#ifndef TARRY_BENCH_TUNING_GAINS_H
#define TARRY_BENCH_TUNING_GAINS_H

#include "base/text.h"
#include "bench/tuning/place.h"

/* A table per operation and number of processes, and the omissions. */
void gains_text(const struct results *results, const struct choices *choices, struct text *out);

void gains_json(const struct results *results, const struct choices *choices,
                const struct tuning_place *place, struct text *out);

#endif
