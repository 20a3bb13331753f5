/* A placement: the core of each rank of a job.
 *
 *	struct placement placement = {0};
 *	TRY(placement_fill(&placement, machine, 16, PLACE_BLOCK, 0));
 *	placement.cores[rank].node, placement.cores[rank].core
 *	placement_release(&placement); */
#ifndef TARRY_TOPO_MACHINE_PLACEMENT_H
#define TARRY_TOPO_MACHINE_PLACEMENT_H

#include "topo/machine/machine.h"

/* Above the core count of any machine. */
enum { RANKS_MAX = 1 << 26 };

enum place_order {
	PLACE_BLOCK,  /* fill one node after another */
	PLACE_CYCLIC, /* deal ranks to nodes in turn */
};

struct placement {
	struct core *cores; /* by rank */
	uint32_t count;
	bool is_crowded; /* some node has more ranks than cores */
};

/* Places `count` ranks (0: as many as fit), at most `per_node` on a node (0: one per core). Fails if the machine is too small. */
enum status placement_fill(struct placement *placement, const struct machine *machine, uint64_t count,
                           enum place_order order, uint64_t per_node) MUST_CHECK;

/* The recorded location of a rank. */
struct rank_place {
	const char *host; /* NULL: unknown */
	const char *cpus; /* allowed CPUs, "0-3,8"; NULL: unknown */
};

/* Places each rank on the node where the job ran it: on the core it was bound to if every rank of the node
 * had its own, otherwise in rank order. Fails if the machine lacks one of the hosts. */
enum status placement_of_job(struct placement *placement, const struct machine *machine,
                             const struct rank_place *ranks, uint32_t count) MUST_CHECK;
void placement_release(struct placement *placement);

/* Ranks sorted by node, core and rank. The caller frees the result. */
uint32_t *placement_order(const struct placement *placement);

#endif
