/* The allowed CPUs of the processes of a node. */
#ifndef TARRY_BENCH_RUN_PROCESSORS_H
#define TARRY_BENCH_RUN_PROCESSORS_H

#include <stdbool.h>

/* One bit per CPU, up to the limit of Linux. */
struct processors {
	unsigned char bits[1024];
};

struct core_sharing {
	int processes;  /* on the most crowded node */
	int processors; /* that they may use there */
	bool is_crowded;
};

/* For one node, from the allowed CPUs of its processes. Crowded: more processes than CPUs, or two
 * processes bound to the same CPU. */
struct core_sharing crowding_of(const struct processors *allowed, int processes);

#endif
