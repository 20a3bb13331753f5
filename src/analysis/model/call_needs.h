/* The needs of an open call: the processes that it waits for, derived from the call, the members of
 * communicators, and earlier calls.
 *
 *	struct call_needs needs = {.ways = &ways, .context = self, .processes = all, .process_count = count, .arena = &arena};
 *	struct needed_partners partners = call_needs_find(&needs, process);
 *	call_needs_release(&needs);
 *
 * Members of one collective call that wait for the same processes share a list. So time and memory grow with
 * the members of the communicator, not with their square. */
#ifndef TARRY_ANALYSIS_MODEL_CALL_NEEDS_H
#define TARRY_ANALYSIS_MODEL_CALL_NEEDS_H

#include "analysis/model/comms.h"
#include "base/array.h"
#include "calls/calls.h"
#include "calls/epochs.h"

/* One end of a message: the send, receive or probe of a call or a request. */
struct message_need {
	uint64_t comm;
	int64_t peer; /* rank in the communicator; RANK_ANY, RANK_NULL */
	int64_t tag;
	bool is_send;
};

/* Those of a call: MPI_Sendrecv has two. */
struct message_needs {
	struct message_need of[2];
	uint32_t count;
};

struct message_needs message_needs_of(const struct call *call, const struct call_info *info);

/* Collective calls that all members make in the same order: on a communicator, or on a window
 * or file created on it. */
struct call_order {
	uint64_t identity;
	uint64_t comm;
};

/* False: the call is not collective, or its communicator is unknown. */
bool call_order_of(const struct process *recorded, const struct call *call, const struct call_info *info,
                   struct call_order *order);

/* Starts an operation and returns without waiting for it. Persistent requests count, UPC does not. */
bool call_makes_request(const struct call_info *info);
/* MPI_Init, MPI_Init_thread */
bool call_starts_mpi(const struct call_info *info);

/* The epochs of a process with another member of a window. */
struct waiting_peer {
	struct peer_epochs epochs;
	struct epoch_counts counts;
};

/* A window as seen by one of its processes. */
struct waiting_window {
	uint64_t win;
	struct window_epochs epochs;
	struct map peer_numbers; /* by rank */
	ARRAY(struct waiting_peer) peers;
	ARRAY(int64_t) groups[2]; /* ranks in the last MPI_Win_start, and in the last MPI_Win_post */
};

/* The progress of a process that others may wait for, and its current call. */
struct waiting_process {
	const struct process *recorded;
	const struct call *call; /* the waiting call; NULL: none */
	const struct call_info *info;
	bool has_started;                     /* MPI_Init has returned */
	bool has_ended;                       /* MPI_Finalize has returned */
	bool is_incomplete;                   /* calls were skipped: counts do not show its progress */
	struct map entered;                   /* completed collective calls, by the identity of their order */
	ARRAY(struct message_needs) requests; /* by number; empty for requests that are not pending */
	/* Windows (window_needs.h) */
	ARRAY(struct waiting_window) windows;
	struct map window_numbers;
	uint64_t peers; /* of all windows */
};

void waiting_process_release(struct waiting_process *process);

static inline void count_entered(struct waiting_process *process, uint64_t order)
{
	uint32_t *count = map_put(&process->entered, map_key(order, 0));

	*count = *count == MAP_NONE ? 1 : *count + 1;
}

/* True if the call changes the waits of others in a window. */
bool window_needs_wants(const struct call_info *info);
/* Such a call has ended. */
void window_needs_note(struct waiting_process *process, const struct call *call,
                       const struct call_info *info);

/* A communicator as seen by one of its members. The members of an intercommunicator are
 * those of both groups. */
struct member_group {
	const void *comm; /* the owner's data */
	uint32_t process; /* the asking process */
	uint32_t own;     /* its rank */
	uint64_t size;
	bool is_inter;
};

/* Callbacks to the owner of the processes. */
struct need_ways {
	/* False: unknown. */
	bool (*group)(void *context, uint32_t process, uint64_t comm, struct member_group *group);
	/* NO_PROCESS: not seen. */
	uint32_t (*member)(void *context, const struct member_group *group, uint64_t rank);
	/* True if the peer has already done its part; NULL: never known. */
	bool (*is_met)(void *context, uint32_t process, const struct message_need *message, uint32_t peer);
};

struct needed_partners {
	const uint32_t *items; /* numbers of processes: by request, or by rank */
	uint32_t count;
	bool needs_one;  /* one of them is enough; otherwise all are needed */
	bool needs_any;  /* it also, or only, receives from any rank */
	bool is_certain; /* required by MPI; otherwise the usual behaviour of libraries */
	uint32_t misfit; /* the first partner that is in another collective call; NO_PROCESS */
};

/* Partners shared by all processes in one collective call. */
struct shared_partners {
	uint32_t *items;
	uint32_t *ranks; /* of the items */
	uint32_t count;
	uint32_t misfit;
};

struct call_needs {
	const struct need_ways *ways;
	void *context;
	struct waiting_process **processes;
	uint32_t process_count;
	struct arena *arena;  /* for lists of partners */
	bool is_running;      /* processes continue meanwhile: different calls may only seem different */
	bool splits_barriers; /* of UPC: after notify a thread may do other work */
	uint64_t steps;       /* visited members: the cost of all answers so far */

	/* Internal */
	ARRAY(uint32_t) found;
	ARRAY(uint32_t) marks; /* by process: the last asker that has it in its list, + 1 */
	ARRAY(struct shared_partners) shared;
	struct map shared_numbers;
};

struct needed_partners call_needs_find(struct call_needs *needs, uint32_t process);
void call_needs_release(struct call_needs *needs);

#endif
