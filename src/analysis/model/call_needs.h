/* What an open call needs of other processes before it can return. The answer comes from the call, the members of communicators, and
 * what processes did before.
 *
 *	struct call_needs needs = {.ways = &ways, .context = self, .processes = all, .process_count = count, .arena = &arena};
 *	struct needed_partners partners = call_needs_find(&needs, process);
 *	call_needs_release(&needs);
 *
 * Members of one collective call that wait for the same processes share a list. So time and memory grow with the members of the
 * communicator, not with their square. */
#ifndef TARRY_ANALYSIS_MODEL_CALL_NEEDS_H
#define TARRY_ANALYSIS_MODEL_CALL_NEEDS_H

#include "analysis/model/comms.h"
#include "base/array.h"
#include "calls/calls.h"
#include "calls/epochs.h"

/* One end of a message: what a call or a request sends, receives or looks for. */
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

/* Collective calls that all members make in the same order: on a communicator, or on a window or file that was made on it. */
struct call_order {
	uint64_t identity;
	uint64_t comm;
};

/* False: the call is not a collective one, or its communicator is not known. */
bool call_order_of(const struct process *told, const struct call *call, const struct call_info *info,
                   struct call_order *order);

/* Starts an operation and returns without waiting for it. Persistent requests count, UPC does not. */
bool call_makes_request(const struct call_info *info);
/* MPI_Init, MPI_Init_thread */
bool call_starts_mpi(const struct call_info *info);

/* What a process has with another member of a window. */
struct waiting_peer {
	struct peer_epochs epochs;
	struct epoch_counts counts;
};

/* A window as one of its processes sees it. */
struct waiting_window {
	uint64_t win;
	struct window_epochs epochs;
	struct map peer_numbers; /* by rank */
	ARRAY(struct waiting_peer) peers;
	ARRAY(int64_t) groups[2]; /* ranks that the last MPI_Win_start named, and the last MPI_Win_post */
};

/* What a process has done, as far as others may wait for it, and the call that it is in. */
struct waiting_process {
	const struct process *told;
	const struct call *call; /* that waits; NULL: it is in none */
	const struct call_info *info;
	bool has_started;   /* MPI_Init is over */
	bool has_ended;     /* MPI_Finalize is over */
	bool is_incomplete; /* calls were skipped: counts do not tell how far it is */
	struct map entered; /* collective calls that have ended, by the identity of their order */
	ARRAY(struct message_needs) requests; /* by number; those that are not under way have none */
	/* Of windows (window_needs.h) */
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

/* The call changes what others can wait for in a window. */
bool window_needs_wants(const struct call_info *info);
/* Such a call has ended. */
void window_needs_note(struct waiting_process *process, const struct call *call,
                       const struct call_info *info);

/* A communicator as one of its members sees it. The members of an intercommunicator are those of both groups. */
struct member_group {
	const void *comm; /* as its owner knows it */
	uint32_t process; /* that asks */
	uint32_t own;     /* its rank */
	uint64_t size;
	bool is_inter;
};

/* What the owner of the processes knows. */
struct need_ways {
	/* False: not known. */
	bool (*group)(void *context, uint32_t process, uint64_t comm, struct member_group *group);
	/* NO_PROCESS: it is not seen. */
	uint32_t (*member)(void *context, const struct member_group *group, uint64_t rank);
	/* Whether the peer has done its part already; NULL: that is never known. */
	bool (*is_met)(void *context, uint32_t process, const struct message_need *message, uint32_t peer);
};

struct needed_partners {
	const uint32_t *items; /* numbers of processes: by request, or by rank */
	uint32_t count;
	bool needs_one;  /* of them; otherwise all */
	bool needs_any;  /* it also, or only, receives from any rank */
	bool is_certain; /* MPI says that it waits; otherwise libraries mostly do so */
	uint32_t misfit; /* the first of the partners that is in another collective call; NO_PROCESS */
};

/* Partners of all that are in one collective call. */
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
	struct arena *arena; /* for lists of partners */
	bool is_running; /* processes go on while they are read, so two may only seem to be in different calls */
	bool splits_barriers; /* of UPC: who has notified may do something else, so nobody knows who is missing */
	uint64_t steps;       /* members that were looked at: what all answers cost so far */

	/* Internal */
	ARRAY(uint32_t) found;
	ARRAY(uint32_t) marks; /* by process: the last asker that has it in its list, + 1 */
	ARRAY(struct shared_partners) shared;
	struct map shared_numbers;
};

struct needed_partners call_needs_find(struct call_needs *needs, uint32_t process);
void call_needs_release(struct call_needs *needs);

#endif
