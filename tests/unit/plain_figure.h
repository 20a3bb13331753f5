/* What a figure is over rows that are all there, written as plainly as can be. */
#ifndef TARRY_TESTS_PLAIN_FIGURE_H
#define TARRY_TESTS_PLAIN_FIGURE_H

#include "analysis/engine/operator.h"

/* Takes part: rows of `width` words, those of them with a filter word that is not 0. Writes figure_words() words. */
void plain_figure(const struct figure *figure, const int64_t *rows, uint32_t width, uint32_t count,
                  int64_t *result);

#endif
