/* The collectives of MPI, one row each, from which the blocking, non-blocking and persistent forms are generated.
 *
 *	X(Name, name, traits, send, receive, sources, (arguments before the communicator,), help) */
#ifndef TARRY_BENCH_RUN_COLLECTIVES_H
#define TARRY_BENCH_RUN_COLLECTIVES_H

#include "bench/run/trial.h"

#define ARGUMENTS(...) __VA_ARGS__

/* Members of `struct trial *t`. */
#define SEND t->send, t->count, t->type
#define SEND_SHARE t->send, t->share, t->type
#define SEND_PARTS t->send, t->out.counts, t->out.offsets, t->type
#define SEND_TYPES t->send, t->out.counts, t->out.bytes, t->out.types
#define SEND_PLACES t->send, t->out.counts, t->out.places, t->out.types
#define RECEIVE t->receive, t->count, t->type
#define RECEIVE_SHARE t->receive, t->share, t->type
#define RECEIVE_PARTS t->receive, t->in.counts, t->in.offsets, t->type
#define RECEIVE_TYPES t->receive, t->in.counts, t->in.bytes, t->in.types
#define RECEIVE_PLACES t->receive, t->in.counts, t->in.places, t->in.types
#define JOIN t->send, t->receive, t->count, t->type, t->reduction

#define SIZED (HAS_SIZE | CAN_BE_IN_PLACE)
#define ROOTED (SIZED | HAS_ROOT)
#define JOINED (SIZED | REDUCES)

// clang-format off
#define COLLECTIVES(X) \
	X(Barrier, barrier, 0, NO_BLOCK, NO_BLOCK, FROM_NOBODY, \
	  (), "no size") \
	X(Bcast, bcast, HAS_SIZE | HAS_ROOT, NO_BLOCK, ONE_BLOCK, FROM_ROOT, \
	  (RECEIVE, t->root,), "the buffer") \
	X(Gather, gather, ROOTED, ONE_BLOCK, BLOCK_EACH, FROM_PEER, \
	  (SEND, RECEIVE, t->root,), "data sent by each process") \
	X(Gatherv, gatherv, ROOTED | IS_UNEVEN, ONE_BLOCK, BLOCK_EACH, FROM_PEER, \
	  (SEND_SHARE, RECEIVE_PARTS, t->root,), "data sent by each process on average") \
	X(Scatter, scatter, ROOTED, BLOCK_EACH, ONE_BLOCK, FROM_ROOT, \
	  (SEND, RECEIVE, t->root,), "data received by each process") \
	X(Scatterv, scatterv, ROOTED | IS_UNEVEN, BLOCK_EACH, ONE_BLOCK, FROM_ROOT, \
	  (SEND_PARTS, RECEIVE_SHARE, t->root,), "data received by each process on average") \
	X(Allgather, allgather, SIZED, ONE_BLOCK, BLOCK_EACH, FROM_PEER, \
	  (SEND, RECEIVE,), "data sent by each process") \
	X(Allgatherv, allgatherv, SIZED | IS_UNEVEN, ONE_BLOCK, BLOCK_EACH, FROM_PEER, \
	  (SEND_SHARE, RECEIVE_PARTS,), "data sent by each process on average") \
	X(Alltoall, alltoall, SIZED, BLOCK_EACH, BLOCK_EACH, FROM_PEER, \
	  (SEND, RECEIVE,), "data sent by each process to each other: memory grows with the number of processes") \
	X(Alltoallv, alltoallv, SIZED | IS_UNEVEN, BLOCK_EACH, BLOCK_EACH, FROM_PEER, \
	  (SEND_PARTS, RECEIVE_PARTS,), "data sent by each process to each other on average") \
	X(Alltoallw, alltoallw, SIZED | IS_UNEVEN | HAS_BYTE_PLACES, BLOCK_EACH, BLOCK_EACH, FROM_PEER, \
	  (SEND_TYPES, RECEIVE_TYPES,), "data sent by each process to each other on average") \
	X(Reduce, reduce, ROOTED | REDUCES, ONE_BLOCK, ONE_BLOCK, FROM_ALL, \
	  (JOIN, t->root,), "the vector of each process") \
	X(Allreduce, allreduce, JOINED, ONE_BLOCK, ONE_BLOCK, FROM_ALL, \
	  (JOIN,), "the vector of each process") \
	X(Reduce_scatter, reduce_scatter, JOINED | IS_UNEVEN, BLOCK_EACH, ONE_BLOCK, FROM_ALL, \
	  (t->send, t->receive, t->out.counts, t->type, t->reduction,), "the part that each process gets on average") \
	X(Reduce_scatter_block, reduce_scatter_block, JOINED, BLOCK_EACH, ONE_BLOCK, FROM_ALL, \
	  (JOIN,), "the part that each process gets") \
	X(Scan, scan, JOINED, ONE_BLOCK, ONE_BLOCK, FROM_ALL_UP_TO_ME, \
	  (JOIN,), "the vector of each process") \
	X(Exscan, exscan, JOINED, ONE_BLOCK, ONE_BLOCK, FROM_ALL_BELOW_ME, \
	  (JOIN,), "the vector of each process")

#define NEIGHBOURED (HAS_SIZE | IN_NEIGHBOURHOOD)

#define NEIGHBOURHOOD_COLLECTIVES(X) \
	X(Neighbor_allgather, neighbor_allgather, NEIGHBOURED, ONE_BLOCK, BLOCK_EACH, FROM_PEER, \
	  (SEND, RECEIVE,), "data sent by each process") \
	X(Neighbor_allgatherv, neighbor_allgatherv, NEIGHBOURED | IS_UNEVEN, ONE_BLOCK, BLOCK_EACH, FROM_PEER, \
	  (SEND_SHARE, RECEIVE_PARTS,), "data sent by each process on average") \
	X(Neighbor_alltoall, neighbor_alltoall, NEIGHBOURED, BLOCK_EACH, BLOCK_EACH, FROM_PEER, \
	  (SEND, RECEIVE,), "data sent to each neighbour") \
	X(Neighbor_alltoallv, neighbor_alltoallv, NEIGHBOURED | IS_UNEVEN, BLOCK_EACH, BLOCK_EACH, FROM_PEER, \
	  (SEND_PARTS, RECEIVE_PARTS,), "data sent to each neighbour on average") \
	X(Neighbor_alltoallw, neighbor_alltoallw, NEIGHBOURED | IS_UNEVEN, BLOCK_EACH, BLOCK_EACH, FROM_PEER, \
	  (SEND_PLACES, RECEIVE_PLACES,), "data sent to each neighbour on average")
// clang-format on

/* The tables of operations.c; each ends with an entry without a name. */
extern const struct bench_operation blocking_operations[], nonblocking_operations[], persistent_operations[],
	communicator_operations[], pair_operations[], one_sided_operations[];

#endif
