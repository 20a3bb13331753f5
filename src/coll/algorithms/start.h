/* A common start of all members, for measuring calls. A barrier does not give one: the last process to arrive leaves it first, and the
 * others follow within up to twice the network's latency. A broadcast that takes one latency then seems to take three, or none.
 *
 *	struct coll_start start = COLL_START_UNKNOWN;
 *	double begin_s = coll_start_together(c, &start);
 *	...
 *	seconds = coll_clock_s() - begin_s;
 *
* The clocks of nodes are compared with the first node's by round trips along a tree, in log2(nodes) steps, and again after some time.
 * Each start costs one MPI_Allreduce, and the time until the slowest member has learnt of it. */
#ifndef TARRY_COLL_ALGORITHMS_START_H
#define TARRY_COLL_ALGORITHMS_START_H

#include "coll/algorithms/collective.h"

/* Seconds on this node's clock. */
double coll_clock_s(void);

/* Equal on all members, except `ahead_s`. */
struct coll_start {
	double ahead_s;    /* first node's clock minus this node's */
	double compared_s; /* when clocks were compared, on the first node's clock */
	double learning_s; /* the longest time a member needed to learn of a start */
	bool is_compared;
};

#define COLL_START_UNKNOWN ((struct coll_start){0})

/* Collective. Returns the common start on this node's clock, which has just passed; if MPI fails, the present time. */
double coll_start_together(const struct coll_comm *c, struct coll_start *start);

#endif
