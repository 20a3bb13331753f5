/* The communication semantics of a distinct call, computed once from the table of calls and its fields:
 * whether it sends, receives, begins or completes operations, or is collective.
 *
 *	struct semantics_table table = {.arena = &arena};
 *	const struct call_semantics *semantics = semantics_of(&table, comms, process_index, event.call);
 *	if (semantics->does & CALL_SENDS) … semantics->dest, semantics->kind->tag …
 *	semantics_release(&table);                one for each process */
#ifndef TARRY_ANALYSIS_MODEL_CALL_SEMANTICS_H
#define TARRY_ANALYSIS_MODEL_CALL_SEMANTICS_H

#include "analysis/model/comms.h"
#include "calls/calls.h"

enum call_does {
	CALL_SENDS = 1,           /* a message is sent when the call begins (prepared: when it is started) */
	CALL_RECEIVES = 2,        /* a receive is posted when the call begins */
	CALL_PROBES = 4,          /* ends when a matching message is available */
	CALL_TAKES = 8,           /* the probe takes the message, under a number */
	CALL_BY_NUMBER = 16,      /* receives the message of that number */
	CALL_HAS_REQUEST = 32,    /* the operation ends with a request, not with this call */
	CALL_PREPARES = 64,       /* and begins only when the request is started */
	CALL_STARTS = 128,        /* starts prepared requests */
	CALL_COMPLETES = 256,     /* has groups of completed requests */
	CALL_IS_COLLECTIVE = 512, /* is a collective call */
	CALL_NEEDS_NOBODY = 1024, /* although its kind needs others: it receives nothing */
	CALL_PASSED_OVER = 2048,  /* sends or receives, but `without_messages` */
	CALL_IS_OPEN = 4096,      /* a receive whose source is known only when its request completes */
	CALL_COMMUNICATES = 8192, /* counts in the position of calls (model/relations.h) */
	CALL_GIVES_NOTHING = 16384,  /* in a collective call: no other member needs it */
	CALL_GIVES_SOME = 32768,     /* in a collective call: some members receive nothing from it */
	CALL_TESTS = 65536,          /* a test or probe that does not wait */
	CALL_FINDS_NOTHING = 131072, /* an unsuccessful one */
};

/* Calls that do one thing only and know all of it from the start; the others are ACT_ANY. ACT_TELL: other sessions need to know it, and nobody else
 * (model/remote_facts.h). */
enum act { ACT_ANY, ACT_NONE, ACT_SEND, ACT_RECEIVE, ACT_ISEND, ACT_IRECEIVE, ACT_COMPLETE, ACT_TELL };

/* Whom a member needs, according to the table of calls. */
enum collective_needs collective_needs_of(const struct call_info *info);

/* The members that one of them needs. Some: the call does not say which. */
enum needed_members { MEMBERS_NONE, MEMBERS_SOME, MEMBERS_ALL, MEMBERS_ROOT, MEMBERS_OTHERS, MEMBERS_LOWER };
enum needed_members needed_members(enum collective_needs needs, bool is_root);

/* The request of upc_notify, which upc_wait completes: a thread has at most one. */
enum { REQUEST_NOTIFIED = -2 };

/* The outcome of a completed request: the fields of one group of a call. */
struct outcome {
	int32_t request;            /* INT32_MAX: invalid */
	int32_t source, source_tag; /* RANK_ANY, TAG_ANY: unknown */
	bool cancelled;
};

/* The part that is common to processes that do the same. */
struct completed {
	int32_t request;
	uint32_t cancelled; /* or 0; has no padding, because equal ones are found by their bytes */
};

/* The part that is usually the same for all processes of a run. */
struct semantics_kind {
	uint64_t comm;   /* identity of the communicator */
	uint64_t object; /* of a collective call on a window or file, its identity; otherwise 0 */
	const struct completed *completed; /* the requests that it completes */
	const struct call_info *info;      /* NULL: not a function of MPI */
	uint32_t completed_count;
	int32_t tag, source_tag; /* the actual ones, if known; otherwise TAG_ANY */
	int32_t message;
	int32_t root;
	uint32_t own_comm, own_side; /* of the caller, in the call's communicator; NO_COMM */
	uint32_t unused;
};

/* A trace of many processes has millions of them, so they have no padding. */
struct call_semantics {
	uint8_t act : 4;      /* enum act */
	uint8_t needs : 3;    /* enum collective_needs; rank 0 may be the root */
	uint8_t sum_kind : 3; /* enum sum_kind */
	uint8_t is_local : 1; /* is_local_call() */
	/* Data of the replay, for fast lookup. */
	uint16_t followers; /* one bit per follower that wants its calls, CALL_ROW_BIT and COUNTED_BIT */
	uint32_t does;
	uint32_t process; /* index in the reader */
	/* The number of its queue (model/match.h) + 1 or, because a collective call sends no message, of the
	 * member in the order of its collective calls (model/collectives.h) + 1; 0: not looked up yet. */
	union {
		uint32_t sends_to, member;
	};
	uint32_t receives_from;
	uint32_t dest_process, source_process; /* NO_PROCESS: not in the trace, or not known yet */
	uint32_t number;                       /* among all distinct calls, from 0 */
	const struct semantics_kind *kind;
	int32_t request;
	int32_t dest, source; /* the actual ones, if known; otherwise RANK_ANY */
	uint32_t own_rank;    /* in the call's communicator */
	const struct call *call;
};

_Static_assert(sizeof(struct call_semantics) == 64, "one cache line");

/* In the call's communicator. */
static inline struct membership membership_of(const struct call_semantics *semantics)
{
	return (struct membership){semantics->kind->own_comm, semantics->kind->own_side, semantics->own_rank};
}

static inline bool is_open(const struct call_semantics *semantics)
{
	return semantics->does & CALL_IS_OPEN;
}

/* Shared parts of the semantics of calls, in an arena of the owner, and the last used entries
 * of the table of calls. */
struct known_kinds {
	struct known_info {
		const char *name;
		const struct call_info *info;
	} infos[64];
	struct interner kinds, completed;
};

struct semantics_table {
	struct arena *arena;           /* may be shared with other processes */
	struct call_semantics **items; /* by the call's id; NULL: not computed yet */
	uint64_t count;
	struct known_kinds *known; /* may be shared with other processes, or NULL */
	bool without_messages;     /* messages cannot be matched: no semantics has any */
	bool any_open;             /* among those computed so far */
	/* Called for each new one; may be NULL. `room` returns the number of zeroed bytes
	 * to reserve after it. */
	size_t (*room)(void *context, struct call_semantics *semantics);
	void (*met)(void *context, struct call_semantics *semantics);
	void *context;
};

/* Valid as long as the arena. */
struct call_semantics *semantics_of(struct semantics_table *table, const struct comm_table *comms,
                                    uint32_t process, const struct call *call);
/* NULL: not computed yet. */
static inline struct call_semantics *find_semantics(const struct semantics_table *table, uint64_t call_id)
{
	return call_id < table->count ? table->items[call_id] : NULL;
}

void semantics_release(struct semantics_table *table);

/* True if it involves no other process, or is not an MPI or UPC function (NULL): its time is computation. */
static inline bool is_local_call(const struct call_info *info)
{
	return !info || call_is_local(info);
}

/* A wait for other OpenMP threads. */
static inline bool waits_for_threads(const struct call_info *info)
{
	return info && call_is_openmp(info) && info != &all_calls[CALL_omp_task];
}

/* True if a scheduling delay inside is a delay of the computing: a thread that waits for other OpenMP threads loses nothing by it. */
static inline bool delays_computing(const struct call_info *info)
{
	return is_local_call(info) && !waits_for_threads(info);
}

/* CALL_SENDS and CALL_RECEIVES, according to the table of calls. */
uint32_t call_flow(const struct call_info *info);

/* Moves `at`, initially 0, after the next group. */
bool next_outcome(const struct call *call, uint32_t *at, struct outcome *outcome);

/* Reads the outcomes of calls in order; going back is slow. Initialize with zeros. */
struct outcome_cursor {
	const struct call *call;
	uint32_t at, count;
	struct outcome last;
};

const struct outcome *outcome_at(struct outcome_cursor *cursor, const struct call *call, uint32_t index);

#endif
