/* Internals of model/rma.c.
 *
 * Each process of a window has its open epochs (`window_member`) and, for each target that it used, the
 * pending operations with that target (`member_target`). */
#ifndef TARRY_ANALYSIS_MODEL_RMA_H
#define TARRY_ANALYSIS_MODEL_RMA_H

#include "analysis/model/follower.h"
#include "base/map.h"
#include "calls/epochs.h"

#include <string.h>

#define NO_TARGET UINT32_MAX

/* Nodes of one size in an arena; released ones are reused. */
struct store {
	struct arena *arena;
	size_t size; /* at least that of a pointer */
	void *free;  /* each begins with a pointer to the next */
};

static inline void *store_take(struct store *store)
{
	void *node = store->free;

	if (!node)
		return arena_alloc(store->arena, 1, store->size);
	memcpy(&store->free, node, sizeof store->free);
	return memset(node, 0, store->size);
}

static inline void store_give(struct store *store, void *node)
{
	memcpy(node, &store->free, sizeof store->free);
	store->free = node;
}

/* The latest unlocks of two different processes: for any asking process, one of them
 * belongs to another process. */
struct last_unlocks {
	struct occurrence last[2]; /* semantics NULL: none */
};

/* Locks at one target. */
struct lock_place {
	struct last_unlocks shared, exclusive;
};

struct window {
	uint64_t identity;
	uint32_t comm;    /* number; NO_COMM */
	uint32_t freed;   /* processes that have freed it */
	uint32_t pending; /* holds that are not written yet */
	uint32_t number;
	struct map by_target; /* to lock places */
	struct lock_place *places;
	uint32_t place_count, place_room;
	struct lock_place all;      /* shared: of lock_all; exclusive: at any target */
	struct fence_epoch *fences; /* pending ones, in order */
	uint64_t first_fence;       /* number of the first of them */
	uint32_t fence_count;
};

/* A call that may have waited for any of several targets. */
struct passive_choice {
	uint32_t missing;         /* targets whose absence is not known yet */
	struct passive_call last; /* of the target that returned last; no `absent`: none */
};

struct passive_row {
	struct passive_row *next;
	struct passive_choice *choice; /* NULL: this is the only target */
	struct passive_call values;
};

/* A hold of a lock, until it is written. */
struct hold {
	struct lock_hold values;
	struct window *window;
	bool is_unchecked;
	bool has_waited; /* for `before` */
	bool is_flushed; /* at least once */
	struct passive_row *rows;
};

enum epoch_side { SIDE_ACCESS, SIDE_EXPOSURE, EPOCH_SIDES };

/* From MPI_Win_start to MPI_Win_complete, or from MPI_Win_post to MPI_Win_wait. */
struct epoch {
	uint64_t window;
	struct occurrence begin, end;
	enum epoch_side side;
	bool is_over; /* `end` is set */
	bool is_void; /* it has no end, or one of its pairs will never match */
	uint32_t count;
	uint32_t missing; /* pairs that are not settled */
	struct epoch_pair *pairs;
};

/* An origin and a target: part of an access epoch and of an exposure epoch. */
struct epoch_pair {
	struct epoch_pair *next[EPOCH_SIDES], *next_queued;
	struct epoch *epochs[EPOCH_SIDES]; /* NULL: not begun, or written */
	struct exposure values;
	struct occurrence post;
	uint32_t target;
	uint32_t process; /* the process of the queued side */
	bool is_begun[EPOCH_SIDES];
	bool is_complete; /* the access epoch has ended */
	bool is_orphan;   /* its target has ended, or is not in the trace */
};

enum { CHAIN_WINDOW, CHAIN_TARGET, CHAINS };

/* An open access, in two lists at once. */
struct open_access {
	struct {
		struct open_access *next, *previous;
	} links[CHAINS];
	struct access values;
	int64_t request; /* -1: none */
	struct window_member *member;
	uint32_t target_index;
};

struct access_chain {
	struct open_access *first, *last;
};

struct member_target {
	struct peer_epochs epochs;
	struct access_chain accesses;
	struct epoch_pair *pair; /* of the access epoch begun by MPI_Win_start */
	struct hold *hold;
	uint32_t rank;
	bool is_unflushed; /* accessed under a lock, and perhaps not complete there */
	bool is_listed;    /* in `unflushed` */
	uint64_t fences;   /* number of the fence after its last access + 1 */
};

struct window_member {
	struct window_member *next; /* of the same process */
	struct window *window;
	uint32_t rank; /* in the window's communicator; UINT32_MAX */
	struct map by_target;
	struct window_epochs epochs;
	struct member_target *targets;
	uint32_t target_count, target_room;
	struct access_chain accesses;
	struct epoch *epoch[EPOCH_SIDES]; /* the open one */
	struct hold *hold_all;
	uint64_t fences;     /* number of passed fences */
	uint32_t *unflushed; /* numbers of targets that may be unflushed */
	uint32_t unflushed_count, unflushed_room;
};

/* Times at which a process was outside MPI: a ring of the latest. */
struct gaps {
	struct gap *items;
	uint32_t first, count, room;
	bool has_begun;
	int64_t last_end;
};

struct rma_process {
	struct window_member *members;
	size_t next_object; /* position of the next window's record */
	struct open_access **by_request;
	uint64_t request_room, requests;
	uint64_t waiting; /* its holds, epochs and fences that wait for others */
	bool is_gone;
	struct gaps gaps;
	struct passive_row *rows; /* calls of others, until it has reached their time */
};

/* Pairs of one origin and one target that only one of them has begun, always the same one. */
struct pair_queue {
	struct epoch_pair *first, *last;
	uint32_t next_free;
};

struct rma {
	const struct reader *reader;
	const struct comm_table *comms;
	struct row_writer *rows;
	struct arena arena;
	struct store members, window_store, holds, pairs, epochs, accesses, passive_rows, choices;
	struct rma_process *processes; /* by process */
	struct map by_window;
	struct window **windows; /* by number */
	uint32_t window_count, window_room;
	uint32_t *free_numbers; /* of freed windows */
	uint32_t free_number_count, free_number_room;

	struct map by_pair; /* window and target, origin */
	struct pair_queue *queues;
	uint32_t queue_count, queue_room, free_queue;
	uint64_t exposures_open;
	uint64_t pair_count; /* in all queues */

	struct hold **heap; /* of completed holds, the earliest unlock first */
	size_t heap_count, heap_room, full_at;
	size_t exclusive_count; /* in the heap */

	uint64_t waiting_limit;
	struct replay_counts *counts;
};

int64_t field_of(const struct occurrence *call, enum field_key key, int64_t otherwise);
struct member_target *target_of(struct window_member *member, uint32_t target);
/* The process of a rank in the window; NO_PROCESS. */
uint32_t process_at(const struct rma *rma, const struct window_member *member, uint32_t rank);
void forget_window(struct rma *rma, struct window *window);

/* `there` is the target; NULL: the call has none. */
typedef void rma_act(struct rma *rma, struct window_member *member, struct member_target *there,
                     const struct occurrence *call);

rma_act exposure_post, exposure_wait, exposure_start, exposure_complete, fence_access, fence_pass, lock_take,
	lock_access, lock_flush, lock_give;
void exposure_access(struct epoch_pair *pair, const struct occurrence *call);
void fences_release(struct window *window);
/* The lock of an access to the target; NULL: none is followed. */
struct hold *hold_of(const struct window_member *member, const struct member_target *there);
void lock_write_all(struct rma *rma);

/* Notes each call of a process of a window. */
void gap_note(struct rma *rma, struct rma_process *own, const struct occurrence *call);
void passive_add(struct rma *rma, struct hold *hold, uint32_t target, const struct occurrence *call);
/* The lock has ended; not written: its end is missing. */
void passive_end(struct rma *rma, struct hold *hold, bool is_written);
/* An access, which is not complete before a flush. */
rma_act passive_access;
/* A call that completes all open accesses. */
void passive_add_unflushed(struct rma *rma, struct window_member *member, const struct occurrence *call);
void passive_flushed(struct window_member *member, struct member_target *there);
/* MPI_Win_lock_all and MPI_Win_unlock_all. */
void passive_add_all(struct rma *rma, struct window_member *member, const struct occurrence *call);
/* A call that completes only these accesses, of one process. */
void passive_complete(struct rma *rma, struct open_access *const *accesses, uint32_t count,
                      const struct occurrence *call);
void passive_finish(struct rma *rma, struct rma_process *own);

rma_act access_open;
/* All accesses to a target, or of a window. */
void access_close(struct rma *rma, struct access_chain *chain, const struct occurrence *call);
void access_close_request(struct rma *rma, struct rma_process *own, int64_t request,
                          const struct occurrence *call);
/* Before it closes them. */
void access_wait(struct rma *rma, const struct rma_process *own, const struct occurrence *call);
/* They will not be closed. */
void access_abandon(struct rma *rma, struct window_member *member, struct rma_process *own);

/* Locks are written in time order, so they wait until all processes have reached that time. */
bool rma_is_full(void *self);
void rma_settle(void *self, const int64_t *now);

#endif
