/* Points of one operation, seen as series of plots: sorted, told apart by what differs among them, named by it. */
#ifndef TARRY_BENCH_RESULTS_VIEWS_H
#define TARRY_BENCH_RESULTS_VIEWS_H

#include "bench/results/results.h"

/* What sets points of one operation apart. The last two are what times are plotted over. */
enum trait {
	TRAIT_VARIANT,
	TRAIT_DATATYPE,
	TRAIT_REDUCTION,
	TRAIT_ROOT,
	TRAIT_COMMUNICATOR,
	TRAIT_CACHE,
	TRAIT_IN_PLACE,
	TRAIT_RANKS,
	TRAIT_BYTES,
	TRAIT_COUNT,
};

struct point_group {
	const struct result_point **points;
	size_t count;
};

struct point_groups {
	struct point_group *at;
	size_t count;
};

/* One for each operation, in the order in which they appear. */
struct point_groups group_by_operation(const struct results *results, struct arena *arena);
/* One for each series over this trait, by which its points are sorted. Only points that `is_wanted` counts. */
struct point_groups group_over(const struct point_group *of, enum trait trait,
                               bool (*is_wanted)(const struct result_point *point), struct arena *arena);

/* A set of 1 << trait: those in which points of this group differ. */
unsigned traits_that_differ(const struct point_group *group);
/* "8 ranks, warm cache"; those of `traits` that it has. */
const char *traits_name(const struct result_point *point, unsigned traits, struct arena *arena);

#endif
