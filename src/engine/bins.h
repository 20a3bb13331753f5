/* How often each of a few numbers below 256 came that lie close together, as durations of one place do in a histogram.
 *
 *	struct bins bins = {0};
 *	bins_add(&bins, 17);
 *	bins_spread(&bins, counts);            counts[17] is 1
 *	free(bins.counts); */
#ifndef TARRY_ENGINE_BINS_H
#define TARRY_ENGINE_BINS_H

#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct bins {
	uint32_t *counts; /* of `first` and those that follow; end at UINT32_MAX */
	uint8_t first, count;
};

static inline void bins_widen(struct bins *bins, uint8_t bin)
{
	uint8_t first = bins->count && bins->first < bin ? bins->first : bin;
	uint8_t end = bins->count && bins->first + bins->count > bin ? bins->first + bins->count : bin + 1;
	uint32_t *counts = memory_new(end - first, sizeof *counts);

	if (bins->count)
		memcpy(counts + (bins->first - first), bins->counts, bins->count * sizeof *counts);
	free(bins->counts);
	*bins = (struct bins){.counts = counts, .first = first, .count = end - first};
}

static inline void bins_add(struct bins *bins, uint8_t bin)
{
	uint32_t *count;

	if (bin < bins->first || bin >= bins->first + bins->count)
		bins_widen(bins, bin);
	count = &bins->counts[bin - bins->first];
	*count += *count < UINT32_MAX;
}

/* Into zeros. */
static inline void bins_spread(const struct bins *bins, uint32_t *counts)
{
	if (bins->count)
		memcpy(counts + bins->first, bins->counts, bins->count * sizeof *counts);
}

#endif
