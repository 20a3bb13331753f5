#include "coll/algorithms/table.h"

#include <string.h>

#define ROW(operation, name, function) \
	{ \
		operation, name, function##_applies, function \
	}

const struct coll_algorithm coll_algorithms[] = {
	ROW(COLL_ALLGATHER, "doubling_exchange", allgather_doubling_exchange),
	ROW(COLL_ALLGATHER, "doubling_reorder", allgather_doubling_reorder),
	ROW(COLL_ALLGATHER, "bruck_exchange", allgather_bruck_exchange),
	ROW(COLL_ALLGATHER, "bruck_reorder", allgather_bruck_reorder),
	ROW(COLL_ALLGATHER, "ring", allgather_ring),
	ROW(COLL_ALLGATHER, "leaders", allgather_leaders),
	ROW(COLL_ALLGATHER, "locality", allgather_locality),
	ROW(COLL_ALLGATHER, "binary", allgather_binary),
	ROW(COLL_ALLGATHER, "direct", allgather_direct),
	ROW(COLL_ALLGATHER, "lanes", allgather_lanes),
	ROW(COLL_ALLGATHER, "shared", allgather_shared),
	ROW(COLL_ALLGATHERV, "ring", allgather_ring),
	ROW(COLL_ALLGATHERV, "leaders", allgather_leaders),
	ROW(COLL_ALLGATHERV, "locality", allgather_locality),
	ROW(COLL_ALLGATHERV, "binary", allgather_binary),
	ROW(COLL_ALLGATHERV, "direct", allgather_direct),
	ROW(COLL_ALLGATHERV, "lanes", allgather_lanes),
	ROW(COLL_ALLGATHERV, "shared", allgather_shared),
	ROW(COLL_ALLREDUCE, "leaders", allreduce_leaders),
	ROW(COLL_ALLREDUCE, "leaders_direct", allreduce_leaders_direct),
	ROW(COLL_ALLREDUCE, "direct", allreduce_direct),
	ROW(COLL_ALLREDUCE, "lanes", allreduce_lanes),
	ROW(COLL_ALLREDUCE, "lanes_halving", allreduce_lanes_halving),
	ROW(COLL_ALLREDUCE, "lanes_ring", allreduce_lanes_ring),
	ROW(COLL_ALLREDUCE, "lanes_direct", allreduce_lanes_direct),
	ROW(COLL_BCAST, "leaders", bcast_leaders),
	ROW(COLL_BCAST, "direct", bcast_direct),
	ROW(COLL_BCAST, "pipeline", bcast_pipeline),
	ROW(COLL_BCAST, "relays", bcast_relays),
	ROW(COLL_BCAST, "shared", bcast_shared),
	ROW(COLL_REDUCE, "direct", reduce_direct),
	ROW(COLL_REDUCE, "lanes_direct", reduce_lanes_direct),
	ROW(COLL_REDUCE, "leaders", reduce_leaders),
	ROW(COLL_REDUCE, "lanes_halving", reduce_lanes_halving),
	ROW(COLL_REDUCE, "leaders_direct", reduce_leaders_direct),
	ROW(COLL_ALLTOALL, "nodes", alltoall_nodes),
	ROW(COLL_ALLTOALL, "pairwise", alltoall_pairwise),
	ROW(COLL_GATHER, "leaders", gather_leaders),
	ROW(COLL_GATHER, "direct", gather_direct),
	ROW(COLL_SCATTER, "leaders", scatter_leaders),
	ROW(COLL_SCATTER, "direct", scatter_direct),
	ROW(COLL_REDUCE_SCATTER, "leaders", reduce_scatter_leaders),
	ROW(COLL_REDUCE_SCATTER, "lanes", reduce_scatter_lanes),
	ROW(COLL_REDUCE_SCATTER, "lanes_halving", reduce_scatter_lanes_halving),
	ROW(COLL_REDUCE_SCATTER_BLOCK, "leaders", reduce_scatter_leaders),
	ROW(COLL_REDUCE_SCATTER_BLOCK, "lanes", reduce_scatter_lanes),
	ROW(COLL_REDUCE_SCATTER_BLOCK, "lanes_halving", reduce_scatter_lanes_halving),
	ROW(COLL_BARRIER, "leaders", barrier_leaders),
	ROW(COLL_BARRIER, "direct", barrier_direct),
	ROW(COLL_BARRIER, "shared", barrier_shared),
};

const int coll_algorithm_count = sizeof coll_algorithms / sizeof *coll_algorithms;

const struct coll_algorithm *coll_algorithm_find(enum coll_operation operation, const char *name)
{
	for (int i = 0; i < coll_algorithm_count; i++) {
		const struct coll_algorithm *a = &coll_algorithms[i];
		if (a->operation == operation && !strcmp(a->name, name))
			return a;
	}
	return NULL;
}
