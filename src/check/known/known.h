/* Definitions that processes announced to an analyser: communicators, datatypes and distinct calls. Ranks of
 * one program announce nearly the same: types and the texts of calls are shared, with reference counts. A
 * call is kept as long as its process may make it again, or one of its operations waits for its partner.
 *
 *	struct known known = {0};
 *	struct analysed_process *process = process_new(&known, &hello);
 *	known_comm_add(&known, process, &cursor), known_type_add(…), known_call_add(…)
 *	struct analysed_call *call = process_call(process, number);
 *
 * Memory comes from base/memory.h: when it is exhausted, the analyser ends, and agents step aside. */
#ifndef TARRY_CHECK_KNOWN_KNOWN_H
#define TARRY_CHECK_KNOWN_KNOWN_H

#include "base/array.h"
#include "base/map.h"
#include "check/known/sequence_ring.h"
#include "check/protocol/messages.h"
#include "check/signature/signature.h"

struct executed_comm;
struct executed_process;
struct part_process;
struct peer;

/* The call of a finding as received, from its function on. */
struct known_text {
	uint32_t references, slot;
	uint64_t hash;
	uint32_t size;
	uint8_t bytes[];
};

struct known_type {
	uint32_t references, slot;
	uint64_t hash;
	struct signature *signature;
	struct checked_type announced; /* its parts are replaced by the pointers below */
	struct known_type *parts[];
};

/* Stores equal content once. Of two different items with the same hash, one is outside the pool. */
struct known_pool {
	struct map by_hash;
	ARRAY(void *) slots;
	ARRAY(uint32_t) free;
};

/* A communicator, window or file. Collective calls on it have an order: instance n is the n-th call of each member. */
struct analysed_comm {
	uint64_t identity;
	uint32_t number;  /* unique, never reused */
	uint32_t slot;    /* in known.comms */
	uint32_t size[2]; /* of both sides; an intracommunicator has one */
	const char *name;
	bool has_collectives; /* collective calls on it were made */
	bool is_broken;       /* members called different functions: later calls are not compared */
	bool has_rejected;    /* MPI rejected collective calls of members */
	uint64_t broken_at;   /* sequence of that instance */
	struct analysed_process **members;  /* by side and rank; NULL: unknown */
	uint64_t fitting;                   /* hash of the calls of the last instance whose lists match */
	struct executed_comm *execution;    /* data of the execution; NULL: none */
	uint32_t references;                /* references: members, and calls on it */
	uint32_t member_count, ended_count; /* processes that announced it, and those that have freed it */
};

/* Collective calls of a member that MPI rejected. */
struct rejected_run {
	uint64_t next; /* sequence of the next collective call of the member */
	uint64_t count;
};

struct comm_member {
	struct analysed_comm *comm;
	uint32_t rank, side;
	uint32_t references;       /* its process, until all have freed the communicator, and calls */
	bool has_ended;            /* its process has freed it */
	uint64_t collective_count; /* collective calls that arrived */
	uint64_t next_collective;  /* sequence of the next one to be executed */
	/* Rejected calls: their number before the last compared instance, and those after it,
	 * from `rejected_head` on. */
	uint64_t rejected_count;
	ARRAY(struct rejected_run) rejected;
	size_t rejected_head;
	/* Neighbours in a topology, in the order of neighbourhood calls; -1: none */
	uint32_t source_count, dest_count;
	int32_t *sources, *dests;
};

/* The index of a member among both sides. */
static inline uint32_t place_of(const struct comm_member *member)
{
	return (member->side ? member->comm->size[0] : 0) + member->rank;
}

static inline uint32_t comm_places(const struct analysed_comm *comm)
{
	return comm->size[0] + comm->size[1];
}

static inline bool comm_is_inter(const struct analysed_comm *comm)
{
	return comm->size[0] && comm->size[1];
}

struct known_data {
	struct known_type *type; /* NULL: no data */
	uint64_t count;
};

/* The arguments of members of a collective call, for analysers that know only some of the members. Calls agree if form, data and root are equal, where
 * both have one, and if the sum of `balance` over all members is 0. */
struct collective_summary {
	uint64_t form; /* hash of the function, and of arguments that all members pass */
	uint64_t data; /* hash of the data that must be equal; 0: none */
	uint64_t root; /* of an intercommunicator, + 1; 0: none */
	/* Lists of v-collectives and neighbourhood calls: hashes of the data that members give to each other, minus hashes of the data that they expect from each other */
	uint64_t balance;
	bool is_wrong; /* they contradict each other */
};

struct analysed_call {
	uint64_t serial; /* unique, never reused */
	uint32_t references;
	uint32_t flags;
	uint32_t function;
	enum check_operation operation;
	struct analysed_process *process;
	struct comm_member *member;
	struct known_text *text;
	int32_t peer, peer_in_world, tag, root;
	uint64_t operator;
	struct known_data send, receive;
	uint32_t send_list_count, receive_list_count;
	struct known_data *send_list, *receive_list;
	uint64_t receive_list_hash;
	enum window_operation window;
	uint32_t rank_count;
	int64_t *ranks;
	const char *detail;
	bool is_passed;     /* in the execution: it does not wait longer than the program does */
	bool is_uncompared; /* of a send: no conclusions are drawn from its data */
	bool is_announced;  /* to the part that has its receiver */
	uint32_t number;    /* in its process */
	union {
		struct executed_process *receiver;  /* of a send of a part, once it is known */
		struct collective_summary *summary; /* of a collective call of a part, once it is needed */
	};
	/* The result for the last partner: a receive of a send, the reference of a collective. */
	uint64_t partner;
	uint32_t finding; /* its number in the log; FINDING_NONE: they match */
};

#define FINDING_NONE UINT32_MAX

/* The signal that ended a process, and where. */
struct process_crash {
	char *cause;
	struct check_call call;
};

struct analysed_process {
	uint64_t world;
	uint32_t rank, size;
	bool is_image;               /* owned by another analyser; it has announced what its messages need */
	bool has_vanished;           /* according to this analyser, which is that of its node */
	bool vanished_outside;       /* it was outside any reported call */
	uint64_t received_until;     /* position in its ring: CHANGE_POSITION */
	struct analysed_call *last;  /* its last known call; valid until it is gone */
	struct process_crash *crash; /* NULL: unknown */
	ARRAY(struct analysed_call *) calls;
	ARRAY(struct known_type *) types;
	ARRAY(struct comm_member *) memberships; /* NULL: a free place */
	ARRAY(uint32_t) free_memberships;
	struct map by_comm;                 /* identity to number in memberships */
	struct executed_process *execution; /* on the first analyser; NULL: it has reported nothing */
	struct peer *agent;                 /* its connection, or that of its analyser; NULL: it has ended */
	uint32_t relay;                     /* its number on the connection of its analyser */
	struct part_process *part;          /* of a part of the run: check/parts */
};

struct known {
	struct known_pool texts, types;
	struct map comm_slots;               /* by identity */
	uint32_t last_comm;                  /* number */
	ARRAY(struct analysed_comm *) comms; /* NULL: a free place */
	ARRAY(uint32_t) free_comms;
	ARRAY(struct analysed_process *) processes;
	uint64_t last_serial;
	uint64_t call_count; /* existing calls */
	bool is_part;        /* some processes belong to other analysers */
	void (*release_comm)(struct analysed_comm *comm,
	                     void *owner); /* the communicator is freed; NULL: no listener */
	void *comm_owner;
};

struct analysed_process *process_new(struct known *known, uint64_t world, uint32_t rank, uint32_t size);

/* Reads the content of struct unsent_crash. False: invalid. */
bool process_crashed(struct analysed_process *process, struct cursor *in);

/* Frames of a process. False: it violated a rule. */
bool known_comm_add(struct known *known, struct analysed_process *process, struct cursor *in);
bool known_type_add(struct known *known, struct analysed_process *process, struct cursor *in);
bool known_call_add(struct known *known, struct analysed_process *process, struct cursor *in);
/* NULL: the process has not announced it, or all have freed it. */
struct comm_member *process_membership(const struct analysed_process *process, uint64_t identity);
/* The process has freed it. It is freed here when all processes that announced it have freed it, and
 * no call refers to it. */
void known_comm_ended(struct known *known, struct analysed_process *process, uint64_t identity);
/* For callers that drop calls on it, and need it afterwards. */
static inline void known_comm_keep(struct analysed_comm *comm)
{
	comm->references++;
}

void known_comm_drop(struct known *known, struct analysed_comm *comm);
/* Numbers are restarted, or the process is gone. */
void process_forget(struct known *known, struct analysed_process *process);

static inline struct analysed_call *process_call(const struct analysed_process *process, uint64_t number)
{
	return number < process->calls.count ? process->calls.items[number] : NULL;
}

static inline struct analysed_call *call_keep(struct analysed_call *call)
{
	call->references++;
	return call;
}

/* True if the event of the call has a hash of its data. */
static inline bool call_has_hash(const struct analysed_call *call)
{
	return call->flags & CHECK_CALL_CONTENT && call->operation == OPERATION_SEND;
}

void call_drop_last(struct known *known, struct analysed_call *call);

static inline void call_drop(struct known *known, struct analysed_call *call)
{
	if (--call->references == 0)
		call_drop_last(known, call);
}

/* The call for a finding; release it after use. */
struct check_call call_to_show(const struct analysed_call *call, const char *note);

void known_release(struct known *known);

#endif
