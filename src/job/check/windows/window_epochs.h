/* The epochs of a window in one process: detects calls that violate their order (MPI 4.0, 12.5).
 * calls/epochs.h keeps track of open epochs.
 *
 *	struct checked_window *window = …;
 *	epoch_check(call, window);            before the call: reports errors
 *	epoch_follow(call, window);           after MPI has accepted it
 *	epochs_check_closed(call, window);    before MPI_Win_free and MPI_Finalize */
#ifndef TARRY_JOB_CHECK_WINDOWS_WINDOW_EPOCHS_H
#define TARRY_JOB_CHECK_WINDOWS_WINDOW_EPOCHS_H

#include "calls/calls.h"
#include "calls/epochs.h"
#include "job/check/wire/agent_call.h"

/* The call that opened an epoch, if `is_set`. */
struct opening_call {
	bool is_set;
	enum call_id by;
	uint32_t at; /* place */
};

struct member_memory {
	int64_t bytes, unit;
	int64_t base; /* address of shared memory in this process */
};

struct window_target {
	struct peer_epochs epochs;
	struct opening_call lock;
};

enum { WINDOW_CALLS = 16 };

/* The location of the program's memory of a window (window_memory.h). */
struct window_home {
	enum { WINDOW_HOME_UNKNOWN, WINDOW_HOME_HEAP, WINDOW_HOME_STACK, WINDOW_HOME_MAPPED } kind;
	uintptr_t block;                   /* start of the heap block */
	const struct agent_thread *thread; /* the thread whose stack it is */
	uintptr_t frame_end;
	struct {
		const void *site, *frame;
	} found[WINDOW_CALLS]; /* frames that calls have already found, by a hash */
};

struct checked_window {
	uint64_t handle;
	enum window_memory memory;
	struct member_memory own;
	struct member_memory *members; /* memory of each member of a shared window; otherwise NULL */
	int32_t rank, size;            /* in the window's group */
	struct opening_call created;

	struct window_epochs epochs;
	struct window_target *targets;           /* by rank; NULL: no lock or start so far */
	struct opening_call opened[EPOCH_KINDS]; /* the last call that opened such an epoch, except locks */
	struct opening_call fence_access;        /* the first access after the last fence */
	int fence_assertion;
	struct opening_call fence_lock; /* the first lock after a fence that may have opened an epoch */
	bool is_fence_broken; /* an access since the last fence violated the assertion of that fence, or of this one */
	uint32_t accumulate_hints; /* enum accumulate_hint */
	bool group_is_known;       /* the group of the last start is known */
	bool is_uncertain;         /* a call was wrong: the open epochs are unknown and not checked */
	int64_t base;              /* address of this process's memory; 0: unknown */
	bool is_doubled;           /* other windows share some of this memory */
	struct window_home home;
	bool wants_content, has_content;
	uint64_t content;  /* hash of this process's memory after the last synchronisation */
	void *announced;   /* of window_events.c: its identity for analysers; NULL: not asked yet */
	uint64_t accesses; /* number of accesses reported to analysers */
	/* For repeated_reads.h, about reported accesses: */
	uint32_t writes;
	bool has_open,
		has_open_writes; /* there are accesses that no flush has completed, and writes among them */
	int32_t open_target;     /* the target of these accesses */
	struct local_memory *local;     /* of local_accesses.h; NULL: none */
	struct watched_window *watched; /* of watched_windows.h; NULL: not watched */
	struct window_part *parts;      /* of window_buffers.h */
};

void epoch_check(struct agent_call *call, struct checked_window *window);
void epoch_follow(const struct agent_call *call, struct checked_window *window);
void epochs_check_closed(struct agent_call *call, struct checked_window *window);
/* Ranks of the members of a group in the window, on the heap; -1: unknown. */
int epoch_group(const struct checked_window *window, uint64_t handle, int **found);
/* NULL: the process has never locked or started this target. */
struct peer_epochs *epoch_peer(const struct checked_window *window, int64_t target);
struct opening_call opening_call(const struct agent_call *call);
void epochs_release(struct checked_window *window);

#endif
