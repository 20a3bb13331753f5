/* Counts of numbers below 256 that are close together, such as the bins of the durations at one place.
 *
 *	struct histogram histogram = {0};
 *	histogram_add(&histogram, 17);
 *	histogram_at(&histogram, 17) is 1
 *	histogram_release(&histogram); */
#ifndef TARRY_ANALYSIS_ENGINE_HISTOGRAM_H
#define TARRY_ANALYSIS_ENGINE_HISTOGRAM_H

#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Up to this many small counts are stored in the struct itself: most places have fewer. */
enum { HISTOGRAM_WITHIN = 8 };

struct histogram {
	union {
		uint32_t *wide;
		uint8_t *many;
		uint8_t few[HISTOGRAM_WITHIN];
	};
	uint16_t first, count;
	bool is_wide; /* a count does not fit into a byte */
};

static inline bool histogram_are_within(const struct histogram *histogram)
{
	return !histogram->is_wide && histogram->count <= HISTOGRAM_WITHIN;
}

/* The counts from `first` on, unless they are wide; each is at most UINT8_MAX. */
static inline uint8_t *histogram_small(struct histogram *histogram)
{
	return histogram_are_within(histogram) ? histogram->few : histogram->many;
}

static inline uint32_t histogram_at(const struct histogram *histogram, uint8_t bin)
{
	if (bin < histogram->first || bin >= histogram->first + histogram->count)
		return 0;
	bin -= histogram->first;
	return histogram->is_wide                ? histogram->wide[bin]
	       : histogram_are_within(histogram) ? histogram->few[bin]
	                                         : histogram->many[bin];
}

static inline void histogram_release(struct histogram *histogram)
{
	if (!histogram_are_within(histogram))
		free(histogram->wide);
	*histogram = (struct histogram){0};
}

/* `other` has room for all counts. */
static inline void histogram_move(struct histogram *histogram, struct histogram *other)
{
	if (!histogram_are_within(other))
		other->wide = memory_new(other->count, other->is_wide ? sizeof *other->wide : 1);
	for (uint32_t i = 0; i < histogram->count; i++) {
		uint32_t at = histogram->first + i, count = histogram_at(histogram, (uint8_t)at);
		if (other->is_wide)
			other->wide[at - other->first] = count;
		else
			histogram_small(other)[at - other->first] = (uint8_t)count;
	}
	histogram_release(histogram);
	*histogram = *other;
}

static inline void histogram_extend(struct histogram *histogram, uint8_t bin)
{
	uint16_t first = histogram->count && histogram->first < bin ? histogram->first : bin;
	uint16_t end = histogram->count && histogram->first + histogram->count > bin
	                       ? histogram->first + histogram->count
	                       : bin + 1;
	struct histogram longer = {.first = first, .count = end - first, .is_wide = histogram->is_wide};

	histogram_move(histogram, &longer);
}

static inline void histogram_widen(struct histogram *histogram)
{
	struct histogram wider = {.first = histogram->first, .count = histogram->count, .is_wide = true};

	histogram_move(histogram, &wider);
}

/* Counts saturate at UINT32_MAX. */
static inline void histogram_add(struct histogram *histogram, uint8_t bin)
{
	if (bin < histogram->first || bin >= histogram->first + histogram->count)
		histogram_extend(histogram, bin);
	if (!histogram->is_wide && histogram_small(histogram)[bin - histogram->first] == UINT8_MAX)
		histogram_widen(histogram);
	if (histogram->is_wide)
		histogram->wide[bin - histogram->first] += histogram->wide[bin - histogram->first] <
		                                           UINT32_MAX;
	else
		histogram_small(histogram)[bin - histogram->first]++;
}

static inline void histogram_add_many(struct histogram *histogram, uint8_t bin, uint32_t count)
{
	if (!count)
		return;
	histogram_add(histogram, bin);
	count--;
	if (!histogram->is_wide &&
	    count > UINT8_MAX - (uint32_t)histogram_small(histogram)[bin - histogram->first])
		histogram_widen(histogram);
	if (histogram->is_wide)
		histogram->wide[bin - histogram->first] += count;
	else
		histogram_small(histogram)[bin - histogram->first] += (uint8_t)count;
}

static inline struct histogram histogram_take(struct histogram *histogram)
{
	struct histogram taken = *histogram;

	*histogram = (struct histogram){0};
	return taken;
}

#endif
