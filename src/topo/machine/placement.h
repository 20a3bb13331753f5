/* The ranks of a job on the cores of a machine.
 *
 *	struct placement placement = {0};
 *	TRY(placement_fill(&placement, machine, 16, PLACE_BLOCK, 0));
 *	placement.cores[rank].node, placement.cores[rank].core
 *	placement_release(&placement); */
#ifndef TARRY_TOPO_MACHINE_PLACEMENT_H
#define TARRY_TOPO_MACHINE_PLACEMENT_H

#include "topo/machine/machine.h"

/* More than any machine has cores. */
enum { RANKS_MOST = 1 << 26 };

enum place_order {
	PLACE_BLOCK,  /* a node is filled before the next */
	PLACE_CYCLIC, /* one for each node, then again */
};

struct placement {
	struct core *cores; /* by rank */
	uint32_t count;
	bool is_crowded; /* there are more ranks than cores on some node */
};

/* `count` ranks (0: as many as there is room for) with at most `per_node` on a node (0: one for each core). Fails if the machine has not
 * enough of them. */
enum status placement_fill(struct placement *placement, const struct machine *machine, uint64_t count,
                           enum place_order order, uint64_t per_node) MUST_CHECK;

/* A rank as the job tells of it. */
struct rank_place {
	const char *host; /* NULL: not known */
	const char *cpus; /* processors that it may run on, "0-3,8"; NULL: not known */
};

/* Each rank where the job ran it. On a node they get the cores that they were bound to, if each had its own; otherwise cores in the order
 * of their ranks. Fails if the machine does not have one of the hosts. */
enum status placement_of_job(struct placement *placement, const struct machine *machine,
                             const struct rank_place *ranks, uint32_t count) MUST_CHECK;
void placement_release(struct placement *placement);

/* The ranks by where they are: by node, then by core, then by rank. To be freed. */
uint32_t *placement_order(const struct placement *placement);

#endif
