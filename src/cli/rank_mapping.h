/* Places ranks by their traffic: on the cores of the job, but in another order.
 *
 *	struct rank_mapping mapping = {.machine = machine, .traffic = graph, .before = placement};
 *	TRY(rank_mapping_make(&mapping));
 *	mapping.sums_before.between_nodes_bytes, mapping.sums_after.…
 *	mapping.after.cores[rank]
 *	rank_mapping_release(&mapping); */
#ifndef TARRY_CLI_RANK_MAPPING_H
#define TARRY_CLI_RANK_MAPPING_H

#include "analysis/model/traffic_graph.h"
#include "cli/job_machine.h"
#include "topo/machine/placement.h"

/* The traffic of a placement. */
struct mapping_sums {
	struct traffic_amount levels[MACHINE_LEVELS_MAX]; /* by where the two ends meet */
	double bytes, between_nodes_bytes;
	double distance; /* bytes times weights of levels */
	/* Time of the messages of a rank, one after the other, by the costs of levels, if the machine has
	 * them. */
	double busiest_s, mean_s;
};

struct rank_mapping {
	const struct machine *machine;
	const struct traffic_graph *traffic;
	struct placement before, after; /* owned */
	struct mapping_sums sums_before, sums_after;
	uint32_t moved; /* ranks that are on another core */
};

/* Computes the other fields from `machine`, `traffic` and `before`. */
enum status rank_mapping_make(struct rank_mapping *mapping) MUST_CHECK;
void rank_mapping_release(struct rank_mapping *mapping);

/* Reads the traffic of the ranks of a job, with corrected times. */
struct traffic_graph *read_traffic(struct analysis_session *session, const struct job_ranks *ranks);

#endif
