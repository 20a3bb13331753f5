/* Which processors processes of one node may use. */
#ifndef TARRY_BENCH_RUN_PROCESSORS_H
#define TARRY_BENCH_RUN_PROCESSORS_H

#include <stdbool.h>

/* One bit for each processor: as many as Linux can have. */
struct processors {
	unsigned char bits[1024];
};

struct core_sharing {
	int processes;  /* on the most crowded node */
	int processors; /* which they may use there */
	bool is_crowded;
};

/* Of one node: where each of its processes may run. Crowded are more processes than processors, and two that are bound to
 * the same one. */
struct core_sharing crowding_judge(const struct processors *allowed, int processes);

#endif
