/*
 * The functions of all algorithms, each in the file of its operation. To add one, write its two functions, and add a
 * line here and a row in coll/choice/algorithms.def.
 */
#ifndef TARRY_COLL_ALGORITHMS_TABLE_H
#define TARRY_COLL_ALGORITHMS_TABLE_H

#include "coll/algorithms/collective.h"

#define COLL_ALGORITHM(function) \
	bool function##_applies(const struct coll_comm *, const struct coll_call *, size_t bytes); \
	int function(struct coll_comm *, const struct coll_call *)

/* allgather_ring and the following ones also implement allgatherv. */
COLL_ALGORITHM(allgather_doubling_exchange);
COLL_ALGORITHM(allgather_doubling_reorder);
COLL_ALGORITHM(allgather_bruck_exchange);
COLL_ALGORITHM(allgather_bruck_reorder);
COLL_ALGORITHM(allgather_doubling);
COLL_ALGORITHM(allgather_bruck);
COLL_ALGORITHM(allgather_ring);
COLL_ALGORITHM(allgather_leaders);
COLL_ALGORITHM(allgather_locality);
COLL_ALGORITHM(allgather_binary);
COLL_ALGORITHM(allgather_direct);
COLL_ALGORITHM(allgather_lanes);
COLL_ALGORITHM(allgather_shared);
COLL_ALGORITHM(bcast_leaders);
COLL_ALGORITHM(bcast_direct);
COLL_ALGORITHM(bcast_pipeline);
COLL_ALGORITHM(bcast_relays);
COLL_ALGORITHM(bcast_shared);
COLL_ALGORITHM(gather_leaders);
COLL_ALGORITHM(gather_direct);
COLL_ALGORITHM(scatter_leaders);
COLL_ALGORITHM(scatter_direct);
COLL_ALGORITHM(barrier_leaders);
COLL_ALGORITHM(barrier_direct);
COLL_ALGORITHM(barrier_shared);

COLL_ALGORITHM(allreduce_leaders);
COLL_ALGORITHM(allreduce_levels);
COLL_ALGORITHM(allreduce_direct);
COLL_ALGORITHM(allreduce_lanes_direct);
COLL_ALGORITHM(reduce_direct);
COLL_ALGORITHM(reduce_lanes_direct);
COLL_ALGORITHM(reduce_scatter_lanes_halving);
COLL_ALGORITHM(allreduce_lanes);
COLL_ALGORITHM(allreduce_lanes_halving);
COLL_ALGORITHM(allreduce_lanes_ring);
COLL_ALGORITHM(reduce_leaders);
COLL_ALGORITHM(reduce_lanes_halving);
COLL_ALGORITHM(reduce_leaders_direct);
COLL_ALGORITHM(allreduce_leaders_direct);
COLL_ALGORITHM(alltoall_nodes);
COLL_ALGORITHM(alltoall_pairwise);
COLL_ALGORITHM(reduce_scatter_leaders);
COLL_ALGORITHM(reduce_scatter_lanes);

#endif
