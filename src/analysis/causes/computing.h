/* The computation time of each process between each pair of places, in the whole run and, as far as there is room, instance by instance. Internal to the causes.
 *
 *	uint32_t number = computing_number(&sums, key, process);
 *	computing_add(&sums, number, ns, blocked_ns);
 *	computing_of(&sums, key, process, &times);      at the end
 *	computing_release(&sums);
 *
 * Keys are those of computing without process and region. */
#ifndef TARRY_ANALYSIS_CAUSES_COMPUTING_H
#define TARRY_ANALYSIS_CAUSES_COMPUTING_H

#include "analysis/causes/work_instances.h"
#include "base/array.h"
#include "base/map.h"

struct own_computing {
	uint32_t key, process;
	int64_t ns, blocked_ns;
	uint64_t count; /* of instances */
};

/* Over all processes at a place. */
struct all_computing {
	int64_t ns;
	uint32_t processes;
	struct work_instances
		instances; /* no sums: some process comes there less often, or there are too many */
};

/* The first instance at a place of each process, the second, and so on. */
struct instance_sums {
	ARRAY(int64_t) ns;
	bool is_too_long;
};

struct computing_sums {
	struct map_index index;
	ARRAY(struct own_computing) all;
	ARRAY(struct instance_sums) instances; /* by key */
	size_t instance_count;
	ARRAY(struct all_computing) by_key; /* built by the first query */
};

/* The entry of a process at a place; adds it if it is new. */
uint32_t computing_number(struct computing_sums *sums, uint32_t key, uint32_t process);
/* `blocked_ns`: of it, blocked in the kernel. */
void computing_add(struct computing_sums *sums, uint32_t number, int64_t ns, int64_t blocked_ns);

/* Of one process at a place, and the mean over the processes that compute there. */
struct computing_times {
	int64_t own_ns, blocked_ns, mean_ns;
	uint32_t processes;
};

/* False: the process never computed there. Call it when everything is added. */
bool computing_of(struct computing_sums *sums, uint32_t key, uint32_t process, struct computing_times *times);
/* Instance by instance, of all processes that compute there; NULL: not known. Call it when everything is added. */
const struct work_instances *computing_instances(struct computing_sums *sums, uint32_t key);
/* The mean over this number of processes, including those that do not compute there. Call it when everything
 * is added. */
int64_t computing_mean(struct computing_sums *sums, uint32_t key, uint32_t processes);
void computing_release(struct computing_sums *sums);

#endif
