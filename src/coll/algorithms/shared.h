/* Memory shared by the processes of a node (MPI_Win_allocate_shared), for steps inside nodes.
 *
* All processes of a node take part in each step: each writes its part, announces it by its step counter, waits for the counters
 * of the others, and reads their parts. The two halves of the memory alternate: a process that writes to a half has seen that all
 * processes began the step after its last use, so all of them have read it.
 *
* Waiting processes yield, because there may be more processes than cores. They also let MPI progress, because a late process may
 * wait for one of the program's messages. */
#ifndef TARRY_COLL_ALGORITHMS_SHARED_H
#define TARRY_COLL_ALGORITHMS_SHARED_H

#include "coll/algorithms/collective.h"
#include "coll/algorithms/group.h"

/* For `applies`: false if it was found to be unavailable. Always false in the simulator, which does not model memory. */
bool shared_may_be_used(const struct coll_comm *c);
/* Allocates it at the first use, collectively. COLL_DECLINED on all members: a node has no shared memory. */
int shared_begin(struct coll_comm *c);
void shared_release(struct coll_comm *c);

/* group_bruck() for the processes of this node. */
int shared_exchange(struct coll_comm *c, const struct coll_group *node, char *parts);
/* A barrier on the node. */
int shared_wait(struct coll_comm *c);

#endif
