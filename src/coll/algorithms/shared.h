/*
 * Memory that the processes of a node share (MPI_Win_allocate_shared), for steps inside of nodes.
 *
 * All processes of a node take part in each step: each writes its part, announces it by its number of steps, waits until all others have
 * announced theirs, and reads them. Halves of the memory are used in turn: whoever writes into a half has seen that all have begun the step
 * after the one that used it last, and so have read it.
 *
 * Waiting is polite, as there may be more processes than processors, and lets MPI go on with the program's messages: a process that is
 * to come may wait for one of them.
 */
#ifndef TARRY_COLL_ALGORITHMS_SHARED_H
#define TARRY_COLL_ALGORITHMS_SHARED_H

#include "coll/algorithms/collective.h"
#include "coll/algorithms/group.h"

/* Whether it was not found to be missing; for `applies`. Not in the simulator, which does not know what memory costs. */
bool shared_may_be_used(const struct coll_comm *c);
/* Makes it at its first use, by all members of the communicator. COLL_DECLINED on all of them: some node has none. */
int shared_begin(struct coll_comm *c);
void shared_release(struct coll_comm *c);

/* What group_bruck does, for the processes of this node. */
int shared_exchange(struct coll_comm *c, const struct coll_group *node, char *parts);
/* Until all processes of the node have come. */
int shared_wait(struct coll_comm *c);

#endif
