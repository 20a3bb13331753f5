/* Collective operations made of point-to-point messages that take nodes into account.
 *
 * coll_comm_make() describes a communicator once, collectively. An algorithm is a row of `coll_algorithms`:
 *
 *	struct coll_comm c;
 *	if (coll_comm_make(&c, comm) == MPI_SUCCESS) {
 *		size_t bytes = coll_bytes(&c, &call);
 *		if (algorithm->applies(&c, &call, bytes))
 *			code = algorithm->run(&c, &call);
 *		...
 *		coll_comm_release(&c);
 *	}
 *
 * Invariants:
*   - All members use the same algorithm. `applies` returns the same on all members, because it uses only values
 *     that are equal on all of them.
*   - `run` returns an MPI error code, or COLL_DECLINED on all members, before any data has moved; the caller then
 *     uses the MPI library. Private communicators return errors, and the caller raises them on the program's
 *     communicator.
 *   - Arguments are valid. The caller excludes intercommunicators, wrong counts and communicators of one process.
 *   - Memory is kept for the next call, at most COLL_SCRATCH_MAX per process.
 *
 * Only PMPI_ functions are called. The sources are compiled for each MPI library, and for SimGrid. */
#ifndef TARRY_COLL_ALGORITHMS_COLLECTIVE_H
#define TARRY_COLL_ALGORITHMS_COLLECTIVE_H

#include "coll/algorithms/order.h"
#include "topo/mapping/layout.h"

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum coll_operation {
	COLL_ALLGATHER,
	COLL_ALLGATHERV,
	COLL_ALLREDUCE,
	COLL_BCAST,
	COLL_REDUCE,
	COLL_ALLTOALL,
	COLL_GATHER,
	COLL_SCATTER,
	COLL_REDUCE_SCATTER,
	COLL_REDUCE_SCATTER_BLOCK,
	COLL_BARRIER,
	COLL_OPERATIONS
};

/* "allgather" and so on. */
extern const char *const coll_operation_names[COLL_OPERATIONS];

/* Returned by `run` on all members if one of them is out of memory: nothing was done. MPI's codes are not negative. */
#define COLL_DECLINED (-1)

/* The largest scratch memory of a process. Algorithms that need more do not apply. */
#ifndef COLL_SCRATCH_MAX /* a benchmark may set another limit */
#define COLL_SCRATCH_MAX ((size_t)32 << 20)
#endif

/* The arguments of a call, MPI_IN_PLACE included.
 *   bcast: `receive`, `receive_count` and `receive_type` describe the buffer, on the root as well.
 *   allreduce, reduce, reduce_scatter_block: `receive_count` and `receive_type` describe both buffers.
 *   allgatherv: `counts` and `displacements` belong to `receive`. reduce_scatter: `counts` has one entry per process. */
struct coll_call {
	enum coll_operation operation;
	int root;
	const void *send;
	int send_count;
	MPI_Datatype send_type;
	void *receive;
	int receive_count;
	MPI_Datatype receive_type;
	const int *counts, *displacements;
	MPI_Op op;
};

/* The location of a process in the machine, in addition to MPI's information. */
enum { COLL_TIERS_MAX = 4 };
struct coll_location {
	int node; /* equal for processes of a node, which must be on one machine; -1: nodes are processes that can share memory */
	int socket;                   /* number in the node; -1: unknown, or several */
	int tiers;                    /* tiers of switches; 0: unknown */
	int switches[COLL_TIERS_MAX]; /* outermost first: the number of each switch above this node */
};
#define COLL_LOCATION_UNKNOWN \
	{ \
		.node = -1, .socket = -1 \
	}

/* The partners of a process at a level of the machine: see levels.c. */
struct coll_heads {
	int count, me;
	int *ranks; /* NULL: this process takes no part */
};

/* A communicator as algorithms see it. */
struct coll_comm {
	MPI_Comm comm; /* a private duplicate: same processes and ranks */
	MPI_Comm node; /* the processes of this node, in the order of `comm` */
	int rank, size;
	int my_node, my_index; /* this process's node, and its index there */
	struct layout layout;
	struct rank_tree
		tree; /* the nodes, and levels above and below that divide processes further; order.c makes the tables */
	int lowest[TREE_LEVELS_MAX]; /* lowest rank of this process's group at each level */
	struct coll_order orders[2]; /* by enum mapping_graph; see coll_order */
	bool ordered[2];
	struct coll_heads heads[TREE_LEVELS_MAX + 1];
	bool has_heads;
	void *scratch; /* see coll_scratch */
	size_t scratch_bytes;
	MPI_Request *requests; /* see coll_requests */
	size_t request_count;
	MPI_Win window; /* memory shared by the node: see shared.h */
	void *shared;
	int sharing;    /* 0: not tried yet; 1: available; -1: unavailable */
	uint64_t steps; /* number of steps that used it */
};

/* Collective over `of`. On failure nothing is left allocated. COLL_DECLINED: a member is out of memory. */
int coll_comm_make(struct coll_comm *, MPI_Comm of);
/* The same with a known location. Levels that some member does not know are ignored. */
int coll_comm_make_at(struct coll_comm *, MPI_Comm of, const struct coll_location *here);
/* For tests: processes with equal `node_key` are treated as one node. They must be on one machine. */
int coll_comm_make_as(struct coll_comm *, MPI_Comm of, int node_key);
void coll_comm_release(struct coll_comm *);

struct coll_algorithm {
	enum coll_operation operation;
	const char *name;
	bool (*applies)(const struct coll_comm *, const struct coll_call *, size_t bytes);
	int (*run)(struct coll_comm *, const struct coll_call *);
};

/* Ordered by operation. */
extern const struct coll_algorithm coll_algorithms[];
extern const int coll_algorithm_count;

/* NULL: unknown. */
const struct coll_algorithm *coll_algorithm_find(enum coll_operation, const char *name);

/* The size that selects an algorithm, equal on all members: the bytes that a process contributes (allgather, gather, reductions,
 * reduce_scatter: its whole vector), receives (scatter, bcast, reduce_scatter_block) or sends to each other process (alltoall).
 * allgatherv: the mean, rounded up. barrier: 0. */
size_t coll_bytes(const struct coll_comm *, const struct coll_call *);

#endif
