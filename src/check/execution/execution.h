/* The execution of all processes by rules that are stricter than MPI's: a send lasts until it is received, a
 * collective call until all members are in it. If this execution hangs and the program does not, it is a
 * potential deadlock; if both hang, it is a deadlock (deadlocks.h). Receives with wildcards take the messages
 * that they really took. The execution matches messages and gathers collective calls; others listen to it.
 *
 *	struct execution *execution = execution_new(&known);
 *	execution_listen(execution, &listener);                      for example ordering.h
 *	if (!execution_event(execution, process, change, call, &cursor))
 *		… the process broke a rule …
 *	execution_run(execution);                                    as far as it can
 *	executed_process_ended(execution, process, END_FINALIZED);
 *	execution_free(execution);
 *
 * Events of a process become steps of its threads. A thread executes its steps in order until one
 * has to wait; later steps are queued and take a few bytes each. A process learns about other
 * processes by facts (facts.h). */
#ifndef TARRY_CHECK_EXECUTION_EXECUTION_H
#define TARRY_CHECK_EXECUTION_EXECUTION_H

#include "check/known/known.h"

struct executed_process;
struct executed_thread;
struct executed_collective;
struct executed_operation;
struct executed_window;
struct carried_fact;

/* The state of one process */

enum operation_state {
	OPERATION_BEGUN = 1,      /* its thread has executed its begin */
	OPERATION_RESOLVED = 2,   /* source and tag of a receive or probe are known */
	OPERATION_MATCHED = 4,    /* it has its partner, or the collective call has all necessary members */
	OPERATION_OVER = 8,       /* its process knows that it is complete */
	OPERATION_DROPPED = 16,   /* no call will wait for it */
	OPERATION_VOID = 32,      /* it never happened */
	OPERATION_BUFFERED = 64,  /* it does not wait for its partner: MPI_Bsend, or execution_let_pass */
	OPERATION_RETURNED = 128, /* the program has left the call that waits for it: it is really complete */
	OPERATION_LISTED = 256,   /* it waits in a list for its partner */
	OPERATION_TABLED = 512,   /* its process may still refer to it */
	OPERATION_COUNTED = 1024, /* the `sequence` of a collective call is known before it begins */
	OPERATION_UNORDERED = 2048, /* its partner is a guess: operations may have overtaken each other */
	OPERATION_RESUMED = 4096,   /* another execution matched it: its partner is unknown here */
	OPERATION_CONTINUED = 8192, /* it began in another execution */
};

/* Lists that an operation may be in. */
enum operation_list_kind {
	LIST_WAITING, /* operations that wait for the same partner */
	LIST_INBOX,   /* sends to the same receiver */
	OPERATION_LISTS,
};

struct operation_links {
	struct executed_operation *next, *previous;
};

/* A send, receive, collective call or probe. */
struct executed_operation {
	struct analysed_call *call; /* kept */
	struct executed_process *process;
	struct executed_thread *thread;         /* the thread that began it */
	uint64_t number;                        /* in its process, from 0 */
	uint64_t began;                         /* execution->now at its beginning */
	uint32_t state;                         /* enum operation_state */
	int32_t source, tag;                    /* of a receive or probe: -1 for an unresolved wildcard */
	struct executed_operation *partner;     /* of a send or receive that is matched */
	struct executed_collective *collective; /* of a collective call */
	uint64_t sequence; /* OPERATION_COUNTED; of a send: its position in its channel, from 1 */
	uint64_t hash;     /* of the data of a send; 0: unknown */
	void *ordering;    /* of ordering.h: its clocks */
	uint32_t references;
	uint32_t missing;               /* of a neighbourhood call: neighbours that have not arrived */
	struct executed_thread *waiter; /* the thread that waits for it */
	struct operation_links links[OPERATION_LISTS];
	struct message_channel *channel; /* the owner of its list */
	/* For a receive with a wildcard whose message is unknown: a send that it could take, and vice versa.
	 * Each has at most one such partner. */
	struct executed_operation *candidate;
	struct executed_operation *chained; /* in the table of its process */
	const struct analysed_call
		*expected; /* in a process with threads, before it begins: kept by its step */
};

static inline bool is_receive(const struct executed_operation *operation)
{
	return operation->call->operation == OPERATION_RECEIVE ||
	       operation->call->operation == OPERATION_MATCHED_PROBE;
}

/* Why a thread is blocked. */
enum blocked_on {
	BLOCKED_NOT,
	BLOCKED_OPERATIONS, /* `waits`: all of them, or any */
	BLOCKED_WINDOW,     /* MPI_Win_start, MPI_Win_wait, MPI_Win_lock… */
	BLOCKED_THREAD,     /* another thread of its process must first reach the step it really reached */
};

/* Steps that wait for an earlier step, as bytes. */
struct step_queue {
	uint8_t *bytes;
	size_t head, tail, room;
	uint64_t put_base, take_base; /* numbers are stored as differences */
};

struct executed_thread {
	struct executed_process *process;
	uint32_t number;
	enum blocked_on blocked;
	bool is_any;                /* one of `waits` is enough */
	bool is_tested;             /* a test or probe found `waits` complete: the program did not wait */
	struct analysed_call *call; /* the current or last call; kept; NULL: none yet */
	uint64_t call_step;         /* step_count at the start of that call */
	ARRAY(struct executed_operation *) waits;
	uint64_t blocked_since; /* execution->now when it was blocked */
	bool has_more;          /* it has later steps: the program has left the call */
	uint64_t step_count;    /* executed steps */
	uint32_t missing;       /* of `waits`, or of the partners of a window synchronisation */
	bool is_ready;          /* it is in the list of threads that can continue */
	bool has_returned;      /* blocked with later steps: the consequences were drawn */
	struct step_queue steps;
	struct window_wait *window;      /* BLOCKED_WINDOW: the awaited synchronisation */
	struct executed_thread *earlier; /* BLOCKED_THREAD: waits until it has executed that many steps */
	uint64_t earlier_steps;
	uint64_t arrived_steps, left_steps; /* arrived steps, and those that the program has left */
	struct analysed_call
		*open_call;   /* a message whose call it has not left yet, as far as reported; kept */
	uint64_t open_number; /* of its operation */
	struct executed_thread *next_ready;
};

enum { WINDOW_LOOKS = 8 };

/* A call that only reads, to see whether a window has changed */
struct window_look {
	uint64_t call; /* its serial */
	uint64_t first;
};

struct executed_process {
	struct analysed_process *known;
	ARRAY(struct executed_thread *) threads; /* by number; NULL: no event so far */
	bool has_ended;                          /* its BYE has arrived, or its connection is closed */
	enum process_end end;
	bool is_final;    /* it is in MPI_Finalize, or has left it: it begins no more operations */
	uint64_t visit;   /* the last visit that saw it */
	bool is_threaded; /* it has more than one thread */
	bool is_image;    /* owned by another execution: facts.h */
	bool is_routed;   /* owned by this execution, but facts for it go through the carrier */
	struct executed_thread *current; /* the thread of the next events */
	uint64_t arrived;                /* reported operations */
	uint64_t begun;                  /* executed operations; with one thread, the first ones */
	uint64_t begun_below;            /* with threads: all operations below this number have begun */
	uint32_t early;                  /* operations in the table that have not begun */
	/* Operations that it may refer to: by number, in lists. */
	struct executed_operation **table;
	uint32_t table_count, table_room; /* a power of two, or 0 */
	void *ordering;                   /* of ordering.h: its clock */
	struct window_look *looks;        /* the last WINDOW_LOOKS different ones; NULL: none */
	uint32_t look_count;
};

/* The state that processes share, gathered from facts */

/* The n-th collective call of a communicator, window or file. */
struct executed_collective {
	struct analysed_comm *comm;
	uint64_t sequence;
	uint32_t arrived;
	bool differs; /* members called different functions: it is never complete */
	/* Arguments differ, or an earlier call on the communicator differs: members that leave it continue,
	 * and the needs of the others are unknown. Set by a listener in `all_there`. */
	bool disagrees;
	bool has_leavers;                    /* some members called MPI_Finalize: kept to the end */
	bool is_neighbourhood;               /* each member waits for its neighbours only */
	bool is_complete;                    /* all members have arrived */
	const struct analysed_call *first;   /* the first to arrive; kept by its operation */
	uint32_t open;                       /* members that are not over */
	uint32_t unsent;                     /* in a part: members known only to this part … */
	struct collective_summary summary;   /* … and their arguments */
	struct executed_operation **members; /* by place, as analysed_comm.members; NULL: not arrived yet */
};

static inline bool collective_is_wrong(const struct executed_collective *collective)
{
	return collective && (collective->differs || collective->disagrees);
}

/* Messages of one channel (communicator, source, destination and tag) match in order. `peer` and `tag` are
 * those of the message. */
struct map_key message_channel_key(const struct analysed_call *call, int32_t peer, int32_t tag);

/* True if both have the same base and form: MPI_Bcast and MPI_Bcast_c, but not MPI_Ibcast. */
bool is_same_collective(const struct analysed_call *a, const struct analysed_call *b);

/* Events of the execution. A cause precedes its effects. */
struct execution_listener {
	void *owner;
	void (*began)(void *owner, struct executed_operation *operation);
	void (*matched)(void *owner, struct executed_operation *send, struct executed_operation *receive);
	void (*over)(void *owner, struct executed_operation *operation); /* its process knows it */
	/* Other threads of the process used its channel at the same time: the order of their
	 * messages is unknown. */
	void (*unordered)(void *owner, const struct analysed_call *call, int32_t peer, int32_t tag);
	void (*all_there)(void *owner, struct executed_collective *collective);
	/* All members have made a call, equal or not; in the order of the communicator. */
	void (*gathered)(void *owner, struct executed_collective *collective);
	void (*cancelled)(void *owner,
	                  struct executed_operation *operation); /* a message that never happened */
	/* An access or synchronisation of a window, when it is executed; `first` is the
	 * first byte of an access. */
	void (*window)(void *owner, struct executed_thread *thread, struct analysed_call *call,
	               uint64_t first);
	void (*window_gone)(void *owner, struct executed_window *window); /* all members have freed it */
	void (*freed)(void *owner, struct executed_operation *operation); /* no references are left */
	void (*ended)(void *owner, struct executed_process *process);
};

/* Questions of an execution of some processes to its owner (check/parts). */
struct execution_part {
	void *owner;
	/* The receiver of a send: a process of this execution, or an image. */
	struct executed_process *(*receiver)(void *owner, struct analysed_call *send);
	/* A member has made a collective call. The others may be elsewhere: execution_complete follows. */
	void (*joined)(void *owner, struct executed_collective *collective,
	               struct executed_operation *operation);
};

enum {
	EXECUTION_LISTENERS = 8,
	/* If more bytes of steps are queued, sends and collective calls that the
	 * program has left may pass. */
	EXECUTION_BYTES_QUEUED = 48 << 20,
};

struct execution {
	struct known *known;
	uint64_t now;            /* counts executed steps */
	uint64_t repeated_looks; /* of these: reads in a polling loop, which are not progress */
	ARRAY(struct executed_process *) processes;
	ARRAY(struct executed_window *) windows;
	struct execution_listener listeners[EXECUTION_LISTENERS];
	uint32_t listener_count;
	uint64_t queued; /* all queued steps */
	uint64_t queued_bytes;
	uint64_t operation_count; /* existing operations */
	struct executed_thread *first_ready, *last_ready;
	ARRAY(uint64_t) arriving, executing; /* numbers of operations of a step */
	struct executed_operation *free_operations;
	struct map channel_numbers;
	ARRAY(struct message_channel *) channels;
	ARRAY(uint32_t) free_channels;
	uint64_t tested_count; /* threads that are blocked and tested */
	uint64_t last_visit;
	ARRAY(struct executed_process *) visited;
	/* Facts for images of processes; NULL: this execution owns all processes. See facts.h. */
	void (*carry)(void *owner, struct executed_process *to, const struct carried_fact *fact);
	void *carrier;
	bool is_stopped;                   /* no thread continues: the state is being handed over */
	const struct execution_part *part; /* NULL: this execution has all processes, or images of them */
	bool has_takers;      /* in a part: some process of the run receives with MPI_ANY_SOURCE */
	size_t channels_kept; /* above this number, empty ones are removed */
	uint64_t next_relief; /* execution->now at which queues are examined again */
};

struct execution *execution_new(struct known *known);
void execution_free(struct execution *execution);
void execution_listen(struct execution *execution, const struct execution_listener *listener);
/* Before all current listeners. */
void execution_listen_first(struct execution *execution, const struct execution_listener *listener);

/* An event: a `change`, or 0 if the operation of `call` begins. False: it violates a rule. */
bool execution_event(struct execution *execution, struct analysed_process *process, uint64_t change,
                     struct analysed_call *call, struct cursor *in);
/* For a part: all members have made this collective call. False: it is not the next one
 * of the communicator. */
bool execution_complete(struct execution *execution, const struct analysed_comm *comm, uint64_t sequence);
/* The operation at this distance is a receive that has begun and has no message. */
bool receive_lacks_message(const struct analysed_process *process, uint64_t distance);
/* False: a send of this channel that began later, or this one, is known. Only for processes with one thread. */
bool message_is_new(const struct execution *execution, const struct analysed_call *send, uint64_t number);
/* Another execution had so many messages of this channel, which are not under way. */
void message_channel_resume(struct execution *execution, const struct comm_member *receiver, uint32_t source,
                            uint32_t tag, uint64_t sent, bool is_unordered);
/* The key of that channel. */
struct map_key message_channel_to(const struct comm_member *receiver, uint32_t source, uint32_t tag);
/* In a part: processes of other parts may receive with MPI_ANY_SOURCE from now on. */
void execution_has_takers(struct execution *execution);
/* Executes as much as possible. */
void execution_run(struct execution *execution);
/* At the end: executes all steps, whatever the strict execution still waits for. Only the listener of
 * this owner is notified. */
void execution_finish(struct execution *execution, const void *owner);
/* Incomplete calls, from the first; NULL: no more. */
struct executed_collective *execution_open_collective(const struct analysed_comm *comm, uint32_t number);
/* Sends and receives without a partner. A receive with a wildcard that received nothing has
 * no source or tag (-1). */
void execution_visit_unmatched(struct execution *execution,
                               void (*visit)(void *owner, struct executed_operation *), void *owner);
void executed_process_ended(struct execution *execution, struct analysed_process *process,
                            enum process_end end);
/* The number of reported operations. */
static inline uint64_t executed_operations_of(const struct analysed_process *process)
{
	return process->execution ? process->execution->arrived : 0;
}

/* An unreceived message that differs from the receive only in the tag; NULL: none. */
const struct executed_operation *execution_other_tag(const struct executed_operation *receive);

/* NULL: no event so far. */
struct executed_process *executed_process_of(struct execution *execution,
                                             const struct analysed_process *process);
/* The process with this rank in a communicator; NULL: unknown. */
struct executed_process *execution_member(struct execution *execution, const struct analysed_comm *comm,
                                          uint32_t side, uint32_t rank);

/* For threads that only this execution blocks, because a test or probe succeeded: buffered sends,
 * and everything else needed for that success, continue without a finding. Call it before blocked
 * threads are examined. */
void execution_help_tested(struct execution *execution);

/* The thread continues as if its wait were satisfied: because the program did, or as a what-if. */
void execution_let_pass(struct execution *execution, struct executed_thread *thread);

/* The waits of a blocked thread: one call of `add` for each process that could end the wait, finalized ones
 * included. `process` NULL: any member of `comm`'s other side (a wildcard). With `is_one_of` one of them is
 * enough, otherwise all are needed. `group` separates needs: all groups must be satisfied, a group with
 * is_one_of by a single member. */
typedef void wait_add(void *owner, struct executed_thread *thread, uint32_t group, bool is_one_of,
                      struct executed_process *process, const struct analysed_comm *comm, const char *why,
                      struct executed_operation *operation);
void execution_waits(struct execution *execution, struct executed_thread *thread, wait_add *add, void *owner);

#endif
