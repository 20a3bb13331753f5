/*
 * A moment at which all members of a communicator begin, so that calls can be timed. The exits of a barrier are no such moment: who comes
 * last leaves first, and others follow by up to twice the latency of the network. A broadcast that takes one latency then seems to take three, or none.
 *
 *	struct coll_start start = COLL_START_UNKNOWN;
 *	double begin_s = coll_start_together(c, &start);
 *	...
 *	seconds = coll_clock_s() - begin_s;
 *
 * Clocks of nodes are compared with that of the first node by round trips along a tree, in log2(nodes) steps, and again when that was long ago. Then each
 * start costs one MPI_Allreduce, and a wait until the slowest member has learned of the moment.
 */
#ifndef TARRY_COLL_ALGORITHMS_START_H
#define TARRY_COLL_ALGORITHMS_START_H

#include "coll/algorithms/collective.h"

/* Seconds of this node. */
double coll_clock_s(void);

/* The same on all members, but for `ahead_s`. */
struct coll_start {
	double ahead_s;    /* of the first node's clock to that of this node */
	double compared_s; /* when clocks were compared, by that clock */
	double learning_s; /* how long members took at most to learn of a moment */
	bool is_compared;
};

#define COLL_START_UNKNOWN ((struct coll_start){0})

/* Collective. When all begin, by the clock of this node: it is over, or has just come. If MPI fails it is the present. */
double coll_start_together(const struct coll_comm *c, struct coll_start *start);

#endif
