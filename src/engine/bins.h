/* How often each of a few numbers below 256 came that lie close together, as durations of one place do in a histogram.
 *
 *	struct bins bins = {0};
 *	bins_add(&bins, 17);
 *	bins_at(&bins, 17) is 1
 *	bins_release(&bins); */
#ifndef TARRY_ENGINE_BINS_H
#define TARRY_ENGINE_BINS_H

#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* So many counts need no memory of their own: most places have no more. */
enum { BINS_WITHIN = 2 };

struct bins {
	union {
		uint32_t *many;
		uint32_t few[BINS_WITHIN];
	};
	uint8_t first, count;
};

/* Of `first` and those that follow; end at UINT32_MAX. */
static inline uint32_t *bins_counts(struct bins *bins)
{
	return bins->count > BINS_WITHIN ? bins->many : bins->few;
}

static inline void bins_release(struct bins *bins)
{
	if (bins->count > BINS_WITHIN)
		free(bins->many);
	*bins = (struct bins){0};
}

static inline void bins_widen(struct bins *bins, uint8_t bin)
{
	uint8_t first = bins->count && bins->first < bin ? bins->first : bin;
	uint8_t end = bins->count && bins->first + bins->count > bin ? bins->first + bins->count : bin + 1;
	struct bins wider = {.first = first, .count = end - first};

	if (wider.count > BINS_WITHIN)
		wider.many = memory_new(wider.count, sizeof *wider.many);
	memcpy(bins_counts(&wider) + (bins->count ? bins->first - first : 0), bins_counts(bins),
	       bins->count * sizeof(uint32_t));
	bins_release(bins);
	*bins = wider;
}

static inline void bins_add(struct bins *bins, uint8_t bin)
{
	uint32_t *count;

	if (bin < bins->first || bin >= bins->first + bins->count)
		bins_widen(bins, bin);
	count = &bins_counts(bins)[bin - bins->first];
	*count += *count < UINT32_MAX;
}

static inline struct bins bins_take(struct bins *bins)
{
	struct bins taken = *bins;

	*bins = (struct bins){0};
	return taken;
}

static inline uint32_t bins_at(const struct bins *bins, uint8_t bin)
{
	if (bin < bins->first || bin >= bins->first + bins->count)
		return 0;
	return (bins->count > BINS_WITHIN ? bins->many : bins->few)[bin - bins->first];
}

#endif
