/* How long each process waited for each other one. Internal to the causes, which hand out what was added up (causes_pairs()).
 *
 *	struct pair_sums sums = {0};
 *	pair_sums_add(&sums, waiting, late, ns);
 *	for (size_t i = 0; i < sums.all.count; i++)
 *		show(&sums.all.items[i]);
 *	pair_sums_release(&sums);
 *
 * Memory is bounded: what belongs to more than PAIRS_MOST pairs is only added up. */
#ifndef TARRY_ANALYSIS_CAUSES_PAIR_WAITS_H
#define TARRY_ANALYSIS_CAUSES_PAIR_WAITS_H

#include "analysis/causes/causes.h"
#include "base/array.h"
#include "base/map.h"

enum { PAIRS_MOST = 1 << 20 };

struct pair_sums {
	struct map numbers; /* by both processes */
	ARRAY(struct pair_wait) all;
	int64_t left_out_ns;
};

void pair_sums_add(struct pair_sums *sums, uint32_t waiting, uint32_t late, int64_t ns);
void pair_sums_release(struct pair_sums *sums);

#endif
