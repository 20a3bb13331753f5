/* Epochs of one-sided communication (MPI 4.0, 12.5): the state of a window in one process, and the
 * matching between processes.
 *
 *	struct window_epochs own = {0};               the epochs of a process in a window
 *	struct peer_epochs there = {0};               its state with one other member; one for each
 *
 *	epoch_in_the_way(&own, &there, RMA_START)     an open epoch that forbids the call
 *	epoch_missing(&own, &there, RMA_UNLOCK)       an epoch that the call needs, and that is not open
 *	epochs_follow(&own, &there, &call)            after the call
 *	epoch_of_access(&own, &there)                 the epoch of an access to this target
 *	epoch_is_answered(RMA_WAIT, &own, &other)     true if the other process has done its part
 *
 * `there` belongs to the call's target; NULL if the call has none, or if the process has not used this
 * target yet. Nothing here allocates memory: the module works in the user's job, too.
 *
 * A fence may open an epoch, or may be the last one: only accesses tell. So a fence without accesses after it
 * may be followed by any other synchronisation, and then no longer counts as open.
 *
 * Processes match by counts: the n-th MPI_Win_start of an origin that names a target belongs to the n-th
 * MPI_Win_post of the target that names the origin, and likewise MPI_Win_complete and MPI_Win_wait. */
#ifndef TARRY_CALLS_EPOCHS_H
#define TARRY_CALLS_EPOCHS_H

#include "calls/ids.h"

#include <stdbool.h>
#include <stdint.h>

/* EPOCH_LOCK is a lock of one target. Traces contain these numbers (FIELD_EPOCH). */
enum epoch_kind { EPOCH_NONE, EPOCH_FENCE, EPOCH_START, EPOCH_LOCK, EPOCH_LOCK_ALL, EPOCH_POST, EPOCH_KINDS };

struct window_epochs {
	uint32_t open;             /* a bit for each kind; EPOCH_LOCK: at any target */
	bool has_accessed;         /* since the last fence, in its epoch */
	uint32_t locks, exclusive; /* targets that are locked, and of those by an exclusive lock */
	uint32_t starts;           /* MPI_Win_start so far */
};

static inline bool epoch_is_open(const struct window_epochs *own, enum epoch_kind kind)
{
	return own->open >> kind & 1;
}

struct peer_epochs {
	uint32_t started; /* window_epochs.starts when a start named it last */
	bool is_locked, is_exclusive;
};

/* How many calls of a process named another one. */
struct epoch_counts {
	uint32_t posts, starts, completes;
};

/* The processes that a call waits for: the group of its epoch, until epoch_is_answered(); or the holders of conflicting locks (locks_exclude). A
 * fence is a collective call. */
enum epoch_partners { PARTNERS_NONE, PARTNERS_GROUP, PARTNERS_HOLDERS };

/* The effect of a call on the epochs of its process. */
struct epoch_effect {
	enum epoch_kind opens, closes;
	enum epoch_partners waits_for;
	uint32_t excluded_by; /* epochs that must not be open; EPOCH_FENCE: with accesses in it */
};

extern const struct epoch_effect epoch_effects[RMA_VALUES];

/* An open epoch that must end before the call. EPOCH_NONE: the call is allowed. */
static inline enum epoch_kind epoch_in_the_way(const struct window_epochs *own,
                                               const struct peer_epochs *there, enum rma_action action)
{
	uint32_t open = (own->open & ~(1u << EPOCH_FENCE)) | (uint32_t)own->has_accessed << EPOCH_FENCE;

	if (action == RMA_LOCK && !(there && there->is_locked))
		open &= ~(1u << EPOCH_LOCK);
	open &= epoch_effects[action].excluded_by;
	return open ? (enum epoch_kind)__builtin_ctz(open) : EPOCH_NONE;
}

/* The epoch that the call ends or flushes, if it is not open. EPOCH_LOCK of a flush: no lock is open. */
static inline enum epoch_kind epoch_missing(const struct window_epochs *own, const struct peer_epochs *there,
                                            enum rma_action action)
{
	enum epoch_kind closes = epoch_effects[action].closes;
	bool is_locked = there && there->is_locked;

	if (action == RMA_UNLOCK)
		return is_locked ? EPOCH_NONE : EPOCH_LOCK;
	if (action == RMA_FLUSH || action == RMA_FLUSH_ALL)
		return is_locked || epoch_is_open(own, EPOCH_LOCK_ALL) ||
		                       (action == RMA_FLUSH_ALL && own->locks)
		               ? EPOCH_NONE
		               : EPOCH_LOCK;
	return epoch_is_open(own, closes) ? EPOCH_NONE : closes;
}

/* The epoch of an access to this target. EPOCH_START of a target that the start does not name: see
 * peer_is_started. */
static inline enum epoch_kind epoch_of_access(const struct window_epochs *own,
                                              const struct peer_epochs *there)
{
	if (there && there->is_locked)
		return EPOCH_LOCK;
	if (epoch_is_open(own, EPOCH_LOCK_ALL))
		return EPOCH_LOCK_ALL;
	if (epoch_is_open(own, EPOCH_START))
		return EPOCH_START;
	return epoch_is_open(own, EPOCH_FENCE) ? EPOCH_FENCE : EPOCH_NONE;
}

struct epoch_call {
	enum rma_action action;
	bool is_last;      /* of a fence: with MPI_MODE_NOSUCCEED */
	bool is_exclusive; /* of a lock */
};

/* Without `there` locks are only counted. */
void epochs_follow(struct window_epochs *own, struct peer_epochs *there, const struct epoch_call *call);

/* After epochs_follow, for each member of the group of MPI_Win_start. */
static inline void peer_start(const struct window_epochs *own, struct peer_epochs *there)
{
	there->started = own->starts;
}

static inline bool peer_is_started(const struct window_epochs *own, const struct peer_epochs *there)
{
	return epoch_is_open(own, EPOCH_START) && there && there->started == own->starts;
}

/* For each member of the group of MPI_Win_post, MPI_Win_start or MPI_Win_complete. */
void epoch_count(struct epoch_counts *counts, enum rma_action action);
/* The other process has done its part of the epoch that this MPI_Win_start, MPI_Win_complete or MPI_Win_wait
 * begins or ends. The call is not counted yet. */
bool epoch_is_answered(enum rma_action action, const struct epoch_counts *own,
                       const struct epoch_counts *other);

enum lock_kind { LOCKED_NOT, LOCKED_SHARED, LOCKED_EXCLUSIVE };

/* The lock that the process has at a target. */
static inline enum lock_kind epochs_lock(const struct window_epochs *own, const struct peer_epochs *there)
{
	if (there && there->is_locked)
		return there->is_exclusive ? LOCKED_EXCLUSIVE : LOCKED_SHARED;
	return epoch_is_open(own, EPOCH_LOCK_ALL) ? LOCKED_SHARED : LOCKED_NOT;
}

/* Two processes cannot hold both at one target. */
static inline bool locks_exclude(enum lock_kind a, enum lock_kind b)
{
	return a && b && (a == LOCKED_EXCLUSIVE || b == LOCKED_EXCLUSIVE);
}

#endif
