/* Windows in the state that their processes have executed: open epochs, and the calls that opened them.
 * Listeners of the execution read this state, and store their own data in it.
 *
 *	struct executed_window *window = executed_window_find(comm);
 *	epoch_of_access(&window->members[origin].epochs, window_peer_epochs(window, origin, target))
 *
 * A listener is notified of a call before the call changes the window. */
#ifndef TARRY_CHECK_EXECUTION_WINDOWS_H
#define TARRY_CHECK_EXECUTION_WINDOWS_H

#include "calls/epochs.h"
#include "check/execution/execution.h"

/* Epochs of one member with another one, as seen by the member */
struct window_pair {
	struct peer_epochs epochs;
	struct epoch_counts counts;
	struct executed_thread *starter,
		*waiter;            /* of the member: blocked for the other's post or complete */
	struct pair_order *order;   /* of window_order.c */
	struct window_access *open; /* of window_races.c: accesses that are not complete */
};

struct executed_window_member {
	struct window_epochs epochs;
	struct analysed_call *start, *post, *fence; /* the last ones; kept */
	struct lock_order *order;                   /* of window_order.c: locks of its memory */
	ARRAY(struct window_pair *) pairs;
};

struct executed_window {
	struct execution *execution;
	struct known *known;
	uint32_t number; /* in execution->windows */
	uint32_t member_count;
	uint32_t blocked_count;                 /* threads */
	struct executed_window_member *members; /* by place */
	struct map pair_numbers;
	ARRAY(struct window_pair *) pairs;
	struct locked_target *targets; /* by place; the last one is for locks of all */
	uint64_t exclusive_count, last_order;
	ARRAY(struct executed_thread *) lock_waiters;
	struct lock_order *order; /* of window_order.c: of locks of all */
	struct raced_window *races;
	struct asserted_window *assertions;
};

struct executed_window *executed_window_get(struct execution *execution, struct analysed_comm *comm);
/* NULL: not used yet, or gone. */
struct executed_window *executed_window_find(const struct analysed_comm *comm);
/* NULL: it is gone, or the ranks of the call are outside it. */
struct executed_window *executed_window_of(const struct analysed_call *call);
struct window_pair *window_pair_get(struct executed_window *window, uint32_t member, uint32_t peer);
/* NULL: the two have not interacted. */
struct window_pair *window_pair_find(const struct executed_window *window, uint32_t member, uint32_t peer);

static inline const struct peer_epochs *window_peer_epochs(const struct executed_window *window,
                                                           uint32_t member, uint32_t peer)
{
	const struct window_pair *pair = window_pair_find(window, member, peer);

	return pair ? &pair->epochs : NULL;
}

/* Replaces a kept call by another one, or by NULL. */
void call_replace(struct known *known, struct analysed_call **place, struct analysed_call *call);

#endif
