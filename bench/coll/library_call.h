/* Calls the MPI library's own collective operation, from the description for algorithms of
 * src/coll/algorithms. It calls MPI_ functions, so that a preloaded library sees them. */
#ifndef TARRY_BENCH_COLL_LIBRARY_CALL_H
#define TARRY_BENCH_COLL_LIBRARY_CALL_H

#include "coll/algorithms/collective.h"

static inline int library_call(const struct coll_call *c, MPI_Comm comm)
{
	switch (c->operation) {
	case COLL_ALLGATHER:
		return MPI_Allgather(c->send, c->send_count, c->send_type, c->receive, c->receive_count,
		                     c->receive_type, comm);
	case COLL_ALLGATHERV:
		return MPI_Allgatherv(c->send, c->send_count, c->send_type, c->receive, c->counts,
		                      c->displacements, c->receive_type, comm);
	case COLL_ALLREDUCE:
		return MPI_Allreduce(c->send, c->receive, c->receive_count, c->receive_type, c->op, comm);
	case COLL_BCAST:
		return MPI_Bcast(c->receive, c->receive_count, c->receive_type, c->root, comm);
	case COLL_REDUCE:
		return MPI_Reduce(c->send, c->receive, c->receive_count, c->receive_type, c->op, c->root,
		                  comm);
	case COLL_ALLTOALL:
		return MPI_Alltoall(c->send, c->send_count, c->send_type, c->receive, c->receive_count,
		                    c->receive_type, comm);
	case COLL_GATHER:
		return MPI_Gather(c->send, c->send_count, c->send_type, c->receive, c->receive_count,
		                  c->receive_type, c->root, comm);
	case COLL_SCATTER:
		return MPI_Scatter(c->send, c->send_count, c->send_type, c->receive, c->receive_count,
		                   c->receive_type, c->root, comm);
	case COLL_REDUCE_SCATTER:
		return MPI_Reduce_scatter(c->send, c->receive, c->counts, c->receive_type, c->op, comm);
	case COLL_REDUCE_SCATTER_BLOCK:
		return MPI_Reduce_scatter_block(c->send, c->receive, c->receive_count, c->receive_type, c->op,
		                                comm);
	default:
		return MPI_Barrier(comm);
	}
}

#endif
