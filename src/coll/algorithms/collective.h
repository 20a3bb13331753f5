/*
 * Collective operations made of point-to-point messages that know which processes share a node.
 *
 * A communicator is described once, collectively (coll_comm_make). An algorithm is a row of `coll_algorithms`; whoever chooses
 * asks `applies` and calls `run`:
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
 *   - All members call with the same algorithm, and `applies` says the same to all of them: it looks only at what is equal everywhere.
 *   - `run` returns an MPI error code, or COLL_DECLINED on all members, before any data moved: then the MPI library has to do
 *     the call. The private communicators return errors; raising them on the program's communicator is the caller's part.
 *   - Arguments are valid: intercommunicators, wrong counts and communicators of one process never come here.
 *   - Memory is kept for the next call, and bounded by COLL_SCRATCH_MAX a process.
 *
 * Only PMPI_ functions are called. The sources are compiled for each MPI library, and for SimGrid.
 */
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

/* What `run` returns if memory is short on some member: nothing was done, on any member. MPI's codes are not negative. */
#define COLL_DECLINED (-1)

/* The largest scratch memory of a process. Algorithms that would need more do not apply. */
#ifndef COLL_SCRATCH_MAX /* a benchmark may want to measure beyond it */
#define COLL_SCRATCH_MAX ((size_t)32 << 20)
#endif

/*
 * A call as the program made it, MPI_IN_PLACE included.
 *   bcast: `receive`, `receive_count` and `receive_type` are the buffer, on the root as well.
 *   allreduce, reduce, reduce_scatter_block: `receive_count` and `receive_type` are the operation's; `send` is a buffer only.
 *   allgatherv: `counts` and `displacements` belong to `receive`. reduce_scatter: `counts` has one entry for each process.
 */
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
enum { COLL_TIERS_MOST = 4 };
struct coll_location {
	int node; /* equal for the processes of one node, which must be on one machine; -1: those that can share memory */
	int socket;                    /* of the node; -1: not known, or not one alone */
	int tiers;                     /* of switches; 0: not known */
	int switches[COLL_TIERS_MOST]; /* outermost first: a number of each switch that has this node */
};
#define COLL_LOCATION_UNKNOWN \
	{ \
		.node = -1, .socket = -1 \
	}

/* The processes that this one works together with on a level of the machine: see levels.c. */
struct coll_heads {
	int count, me;
	int *ranks; /* NULL: this process takes no part */
};

/* What algorithms know of a communicator. */
struct coll_comm {
	MPI_Comm comm; /* same processes and ranks as the program's; its messages meet nobody else's */
	MPI_Comm node; /* the processes of this node, in the order of their ranks in `comm` */
	int rank, size;
	int my_node, my_index; /* this process's node, and its number there */
	struct layout layout;
	struct rank_tree
		tree; /* the nodes, and levels above and below them that divide processes further; see order.c for tables */
	int lowest[TREE_LEVELS_MOST]; /* the lowest rank of this process's group at each level */
	struct coll_order orders[2];  /* see coll_order; by enum mapping_graph */
	bool ordered[2];
	struct coll_heads heads[TREE_LEVELS_MOST + 1];
	bool has_heads;
	void *scratch; /* see coll_scratch */
	size_t scratch_bytes;
	MPI_Request *requests; /* see coll_requests */
	size_t request_count;
	MPI_Win window; /* memory shared by the node: see shared.h */
	void *shared;
	int sharing;    /* 0: not tried yet; 1: there is some; -1: there is none */
	uint64_t steps; /* that used it */
};

/* Collective over `of`. On failure nothing is left behind. COLL_DECLINED: a member has no memory. */
int coll_comm_make(struct coll_comm *, MPI_Comm of);
/* The same with a known location. Levels that some members do not know are left out. */
int coll_comm_make_at(struct coll_comm *, MPI_Comm of, const struct coll_location *here);
/* For tests: processes of equal `node_key` are taken to share a node. They must be on one machine. */
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

/* NULL: there is no such algorithm. */
const struct coll_algorithm *coll_algorithm_find(enum coll_operation, const char *name);

/*
 * The size by which algorithms are chosen, equal on all members: what a process contributes (allgather, gather, reductions,
 * reduce_scatter: its whole vector), gets (scatter, bcast, reduce_scatter_block) or sends to each other one (alltoall). allgatherv: the
 * mean, rounded up. barrier: 0.
 */
size_t coll_bytes(const struct coll_comm *, const struct coll_call *);

#endif
