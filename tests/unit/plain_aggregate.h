/* What an aggregate is over tuples that are all there, written as plainly as can be. */
#ifndef TARRY_TESTS_PLAIN_AGGREGATE_H
#define TARRY_TESTS_PLAIN_AGGREGATE_H

#include "analysis/engine/operator.h"

/* Of `count` tuples of `width` words. */
int64_t plain_aggregate(const struct tuple_aggregate *aggregate, const int64_t *tuples, uint32_t width,
                        uint32_t count);

int64_t word_of_real(double real);
double real_of_word(int64_t word);

#endif
