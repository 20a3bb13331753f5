/* How often each of a few numbers below 256 came that lie close together, as durations of one place do in a histogram.
 *
 *	struct bins bins = {0};
 *	bins_add(&bins, 17);
 *	bins_at(&bins, 17) is 1
 *	bins_release(&bins); */
#ifndef TARRY_ANALYSIS_ENGINE_BINS_H
#define TARRY_ANALYSIS_ENGINE_BINS_H

#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* So many counts need no memory of their own, as long as they are small: most places have no more. */
enum { BINS_WITHIN = 8 };

struct bins {
	union {
		uint32_t *wide;
		uint8_t *many;
		uint8_t few[BINS_WITHIN];
	};
	uint16_t first, count;
	bool is_wide; /* one of them has more than a byte can tell */
};

static inline bool bins_are_within(const struct bins *bins)
{
	return !bins->is_wide && bins->count <= BINS_WITHIN;
}

/* Of `first` and those that follow, unless they are wide; end at UINT8_MAX. */
static inline uint8_t *bins_small(struct bins *bins)
{
	return bins_are_within(bins) ? bins->few : bins->many;
}

static inline uint32_t bins_at(const struct bins *bins, uint8_t bin)
{
	if (bin < bins->first || bin >= bins->first + bins->count)
		return 0;
	bin -= bins->first;
	return bins->is_wide ? bins->wide[bin] : bins_are_within(bins) ? bins->few[bin] : bins->many[bin];
}

static inline void bins_release(struct bins *bins)
{
	if (!bins_are_within(bins))
		free(bins->wide);
	*bins = (struct bins){0};
}

/* `other` has room for all of them. */
static inline void bins_move(struct bins *bins, struct bins *other)
{
	if (!bins_are_within(other))
		other->wide = memory_new(other->count, other->is_wide ? sizeof *other->wide : 1);
	for (uint32_t i = 0; i < bins->count; i++) {
		uint32_t at = bins->first + i, count = bins_at(bins, (uint8_t)at);
		if (other->is_wide)
			other->wide[at - other->first] = count;
		else
			bins_small(other)[at - other->first] = (uint8_t)count;
	}
	bins_release(bins);
	*bins = *other;
}

static inline void bins_extend(struct bins *bins, uint8_t bin)
{
	uint16_t first = bins->count && bins->first < bin ? bins->first : bin;
	uint16_t end = bins->count && bins->first + bins->count > bin ? bins->first + bins->count : bin + 1;
	struct bins longer = {.first = first, .count = end - first, .is_wide = bins->is_wide};

	bins_move(bins, &longer);
}

static inline void bins_widen(struct bins *bins)
{
	struct bins wider = {.first = bins->first, .count = bins->count, .is_wide = true};

	bins_move(bins, &wider);
}

/* They end at UINT32_MAX. */
static inline void bins_add(struct bins *bins, uint8_t bin)
{
	if (bin < bins->first || bin >= bins->first + bins->count)
		bins_extend(bins, bin);
	if (!bins->is_wide && bins_small(bins)[bin - bins->first] == UINT8_MAX)
		bins_widen(bins);
	if (bins->is_wide)
		bins->wide[bin - bins->first] += bins->wide[bin - bins->first] < UINT32_MAX;
	else
		bins_small(bins)[bin - bins->first]++;
}

static inline struct bins bins_take(struct bins *bins)
{
	struct bins taken = *bins;

	*bins = (struct bins){0};
	return taken;
}

#endif
