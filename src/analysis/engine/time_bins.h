/* Time over a run whose length is not known yet, in bins. When a time is after the last bin, all bins become
 * twice as long.
 *
 *	struct time_bins bins = {0};
 *	time_bins_add(&bins, 1000, 3000, 500);            500 ns, somewhere in these 2000 ns since the start of the run
 *	bins.ns[i] is the sum from i * time_bins_width(&bins) on
 *	time_bins_merge(&sum, &bins); */
#ifndef TARRY_ANALYSIS_ENGINE_TIME_BINS_H
#define TARRY_ANALYSIS_ENGINE_TIME_BINS_H

#include <stdbool.h>
#include <stdint.h>

enum { TIME_BINS = 64, TIME_BINS_SHORTEST = 16 };

struct time_bins {
	uint32_t doublings; /* of the shortest width, 2^TIME_BINS_SHORTEST ns */
	int64_t ns[TIME_BINS];
};

static inline int64_t time_bins_width(const struct time_bins *bins)
{
	return (int64_t)1 << (TIME_BINS_SHORTEST + bins->doublings);
}

/* Saturates. */
static inline void time_bins_put(struct time_bins *bins, int64_t number, int64_t ns)
{
	if (__builtin_add_overflow(bins->ns[number], ns, &bins->ns[number]))
		bins->ns[number] = INT64_MAX;
}

static inline void time_bins_double(struct time_bins *bins)
{
	struct time_bins longer = {.doublings = bins->doublings + 1};

	for (int64_t i = 0; i < TIME_BINS; i++)
		time_bins_put(&longer, i / 2, bins->ns[i]);
	*bins = longer;
}

/* Distributes `ns` evenly over the interval. Time before the start of the run counts at the start. */
static inline void time_bins_add(struct time_bins *bins, int64_t from, int64_t to, int64_t ns)
{
	int64_t at, put = 0;

	from = from < 0 ? 0 : from;
	if (to <= from)
		return;
	while ((to - 1) / time_bins_width(bins) >= TIME_BINS)
		time_bins_double(bins);
	for (at = from; at < to;) {
		int64_t number = at / time_bins_width(bins), before = put;
		bool is_last = to - number * time_bins_width(bins) <= time_bins_width(bins);
		at = is_last ? to : (number + 1) * time_bins_width(bins);
		put = (int64_t)((__int128)ns * (at - from) / (to - from));
		time_bins_put(bins, number, put - before);
	}
}

static inline void time_bins_merge(struct time_bins *sum, const struct time_bins *more)
{
	struct time_bins other = *more;

	while (other.doublings < sum->doublings)
		time_bins_double(&other);
	while (sum->doublings < other.doublings)
		time_bins_double(sum);
	for (int64_t i = 0; i < TIME_BINS; i++)
		time_bins_put(sum, i, other.ns[i]);
}

#endif
