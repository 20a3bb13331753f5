/* Collective calls: the k-th calls of all members of a communicator form one collective. A member can leave
 * it when the members that it needs have entered.
 *
 *	uint32_t member = collective_member(&collectives, comm, ORDER_CALLS, process);
 *	uint32_t collective = collective_enter(&collectives, member, &entry);
 *	if (!collective_may_leave(&collectives, collective, &entry))
 *		… later: collective_next_woken() returns it …
 *	struct arrival cause = collective_cause(&collectives, collective, &entry);
 *	collective_leave(&collectives, collective);
 *
 * Prepared calls match by the order in which they were prepared, at each start. MPI_Init and MPI_Finalize
 * have their own order, and so have UPC barriers, split or not, and calls on each window and file. Unrecorded
 * collectives of a member are skipped by their number: the member is missing in them. Memory is needed only
 * for pending collectives. */
#ifndef TARRY_ANALYSIS_MODEL_COLLECTIVES_H
#define TARRY_ANALYSIS_MODEL_COLLECTIVES_H

#include "analysis/model/call_semantics.h"
#include "analysis/relations/rows.h"

#define NO_COLLECTIVE UINT32_MAX

/* The arrival of a process in a collective. */
struct arrival {
	int64_t moment;
	uint32_t process; /* NO_PROCESS: none arrived */
};

struct collective {
	uint32_t order;
	uint64_t sequence; /* in its order */
	enum collective_needs needs;
	uint32_t entered[2]; /* members of each side */
	uint32_t missing[2]; /* members of each side that will never arrive */
	uint32_t left;
	struct arrival last[2]; /* of each side */
	struct arrival root;
	uint32_t root_process;                /* NO_PROCESS: it will not arrive */
	bool is_mixed;                        /* members made calls of different kinds: none waits */
	bool is_skipped;                      /* a member was not recorded in it */
	struct scan *scan;                    /* of lower_first */
	uint32_t first_asleep;                /* linked by `next_asleep` */
	uint32_t next;                        /* in the list of free ones */
	struct collective_call *participants; /* only with an `over` callback */
	uint32_t participant_count, participant_room;
};

/* A member of a collective. */
struct collective_entry {
	struct membership own;
	enum collective_needs needs;
	int64_t root;
	bool needs_nobody;
	bool gives_nothing; /* no other member needs it */
	uint32_t process;
	int64_t moment;
};

enum { ORDER_CALLS = 0, ORDER_ENVIRONMENT = 1, ORDER_BARRIERS = 2, ORDER_PREPARED = 3 };

/* Collectives of one order on a communicator. */
struct collective_order {
	uint32_t comm;
	uint32_t next; /* of the same communicator */
	uint64_t base; /* all below this sequence are over */
	/* A ring by sequence: consecutive, unless members skip some. */
	struct ordered_collective {
		uint64_t sequence;
		uint32_t collective; /* NO_COLLECTIVE: already over */
	} * collectives;
	uint32_t first, count, room;
	struct skipped_range {
		uint64_t first, end; /* sequences */
		uint32_t process, side;
	} * skipped;
	uint32_t skipped_count, skipped_room;
	uint64_t skipped_end; /* of all ranges */
	uint32_t gone[2];     /* members of each side that will enter none of the next */
	uint64_t size[2];     /* of each side */
};

struct order_member {
	uint32_t order;
	uint32_t process;
	uint64_t next; /* sequence of its next collective */
};

struct collectives {
	const struct comm_table *comms;
	struct collective *items;
	uint32_t count, room, free;
	struct collective_order *orders;
	uint32_t order_count, order_room;
	uint32_t *comm_orders; /* by communicator: its first order */
	struct map by_order;   /* communicator and number to order */
	struct map by_member;  /* order and process to … */
	struct order_member *members;
	uint32_t member_count, member_room;
	struct map prepared;   /* communicator and process to the number of its prepared calls */
	bool *gone;            /* by process */
	uint32_t *next_asleep; /* by process */
	uint32_t *woken;       /* a stack */
	uint32_t woken_count, woken_room;
	uint64_t finished, incomplete, mixed, skipped; /* skipped: by a member */
	/* Called for each collective when all have left, or at the end; may be NULL. */
	void (*over)(void *context, const struct collective *collective);
	void *context;
};

void collectives_init(struct collectives *collectives, const struct comm_table *comms, size_t processes);
void collectives_release(struct collectives *collectives);

/* The number of a process in an order of a communicator. */
uint32_t collective_member(struct collectives *collectives, uint32_t comm, uint32_t order, uint32_t process);
/* The same for the order of a window or file. */
uint32_t collective_member_of_object(struct collectives *collectives, uint32_t comm, uint64_t object,
                                     uint32_t process);
/* In the order of the next call that this process prepares. */
uint32_t collective_prepare(struct collectives *collectives, uint32_t comm, uint32_t process);
/* NO_COLLECTIVE: it is over without this member, in a damaged trace. */
uint32_t collective_enter(struct collectives *collectives, uint32_t member,
                          const struct collective_entry *entry);
/* A member took part in so many unrecorded collectives: others do not wait for it there. */
void collective_skip(struct collectives *collectives, uint32_t member, uint32_t side, uint64_t count);
/* True if all members of a side have arrived, or never will. */
static inline bool collective_is_complete(const struct collectives *collectives,
                                          const struct collective *collective, uint32_t side)
{
	return (uint64_t)collective->entered[side] + collective->missing[side] >=
	       collectives->orders[collective->order].size[side];
}

/* Adds a participant; `wait` is the call, until it is set. */
uint32_t collective_add_participant(struct collectives *collectives, uint32_t collective,
                                    const struct occurrence *call);
/* The number of collectives of the same order that some member has not left. */
uint32_t collectives_under_way(const struct collectives *collectives, uint32_t collective);
bool collective_may_leave(const struct collectives *collectives, uint32_t collective,
                          const struct collective_entry *entry);
/* The last arrival among the members that this one needed, or none. */
struct arrival collective_cause(const struct collectives *collectives, uint32_t collective,
                                const struct collective_entry *entry);
void collective_leave(struct collectives *collectives, uint32_t collective);

/* The process sleeps until the collective lets this member leave; then it is returned once. */
void collective_sleep(struct collectives *collectives, uint32_t collective,
                      const struct collective_entry *entry);
/* It continues although members are missing. */
void collective_forget(struct collectives *collectives, uint32_t collective,
                       const struct collective_entry *entry);
bool collective_next_woken(struct collectives *collectives, uint32_t *process);
/* The process will enter no further collective. */
void collective_process_gone(struct collectives *collectives, uint32_t process);
/* Pending collectives cannot be completed any more. */
void collectives_end(struct collectives *collectives);
/* The number of members on both sides. */
uint64_t collective_size(const struct collectives *collectives, const struct collective *collective);
uint32_t collective_comm(const struct collectives *collectives, const struct collective *collective);

#endif
