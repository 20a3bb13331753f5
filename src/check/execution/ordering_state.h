/* Shared by the files of ordering.h: clocks of processes, and data of operations. */
#ifndef TARRY_CHECK_EXECUTION_ORDERING_STATE_H
#define TARRY_CHECK_EXECUTION_ORDERING_STATE_H

#include "check/execution/clock_changes.h"
#include "check/execution/ordering.h"

#define NO_COMPONENT UINT32_MAX

struct race_channel;
struct race_reports;

/* A process; executed_process.ordering. Its own component of `clock` is not up to date: it is `count`. */
struct ordered_process {
	struct executed_process *process;
	struct vector_clock *clock;
	uint64_t count; /* of its events that can be queried */
	uint32_t component;
	ARRAY(struct race_channel *) channels; /* by communicator: its receives there */
	struct map channel_numbers;
};

/* A moment of a process: everything that happened before it. */
struct ordered_moment {
	struct ordered_process *process; /* NULL: none */
	struct vector_clock *clock;
	uint64_t count;
};

/* For a send, receive, probe or collective call; executed_operation.ordering. */
struct operation_order {
	struct ordered_moment begin;
	struct ordered_moment incoming; /* order from its completion: for a receive, the begin of the send */
	/* The list of unmatched receives, or of unmatched sends */
	struct executed_operation *next, *previous;
	struct race_channel *channel;      /* of a receive in that list */
	struct wildcard_receive *wildcard; /* of a receive with a wildcard */
	uint64_t receive_number : 63;      /* of a synchronous send that is matched */
	uint64_t is_proof : 1;             /* its completion proves something in another part */
	uint64_t over_count; /* of a synchronous send: the event of its completion; 0: not yet, or unneeded */
};

/* What is known here about the messages of one process to another one, of which one is elsewhere: the moment of the last message. */
struct order_pair {
	struct vector_clock *clock;
	uint64_t count;
};

/* The order of an operation that began in another execution. */
struct resumed_order {
	struct vector_clock *begin_clock;
	uint64_t begin_count;
	struct ordered_moment incoming;
	uint64_t receive_number, over_count;
};

struct ordered_operations {
	struct executed_operation *first, *last;
};

struct ordering {
	struct execution *execution;
	struct known *known;
	struct findings_log *log;
	ARRAY(struct ordered_process *) processes;
	uint32_t component_count;
	ARRAY(struct ordered_process *) components; /* whose they are */
	struct order_elsewhere elsewhere;
	struct map pair_numbers; /* by sender and receiver */
	ARRAY(struct order_pair) pairs;
	struct map ranks;           /* by world and rank: known processes … */
	uint32_t rank_count;        /* … so many of them */
	struct map resumed_numbers; /* by process and number of the operation */
	ARRAY(struct resumed_order) resumed;
	struct wildcard_choices *choices; /* NULL: nobody looks for other choices */
	struct ordered_operations unmatched_sends;
	struct race_reports *reports;
	bool has_windows;   /* processes may synchronise by shared memory */
	struct map unready; /* findings, by the serials of a ready send and its receive */
};

/* ordering.c */
struct ordered_process *ordered_process_of(struct ordering *ordering, struct executed_process *process);
/* Its events can be queried. */
void process_counts(struct ordering *ordering, struct ordered_process *process);
/* A new event of the process, which can be queried. */
uint64_t process_tick(struct ordering *ordering, struct ordered_process *process);
struct ordered_moment moment_now(struct ordered_process *process);
struct ordered_moment moment_keep(const struct ordered_moment *moment);
void moment_release(struct ordered_moment *moment);
/* The process knows the moment from now on. */
void process_learns(struct ordered_process *process, const struct ordered_moment *moment);
/* True if the count-th event of the process precedes the moment. */
static inline bool is_known_at(const struct ordered_moment *moment, const struct ordered_process *process,
                               uint64_t count)
{
	return moment->process == process           ? moment->count >= count
	       : process->component != NO_COMPONENT ? clock_get(moment->clock, process->component) >= count
	                                            : false;
}
void operations_add(struct ordered_operations *list, struct executed_operation *operation);
void operations_remove(struct ordered_operations *list, struct executed_operation *operation);

static inline struct operation_order *order_of(const struct executed_operation *operation)
{
	return operation->ordering;
}

/* message_races.c */
void ready_matched(struct ordering *ordering, const struct executed_operation *send,
                   const struct executed_operation *receive);

/* collective_order.c: the knowledge of a member after a collective call. */
void collective_learn(struct ordering *ordering, struct executed_operation *operation);
/* All members have arrived: those that need all of them share one clock. */
void collective_all_there(struct ordering *ordering, struct executed_collective *collective);

/* ordering.c: members of a communicator have freed it, if this is that call. */
void collective_freed(struct ordering *ordering, const struct executed_collective *collective);

/* order_parts.c: of the world of a process; NULL: unknown */
struct ordered_process *ordered_by_rank(struct ordering *ordering, uint64_t world, uint32_t rank);
void order_parts_release(struct ordering *ordering);

/* order_handover.c: the order of an operation that began in another execution */
void order_resume(struct ordering *ordering, const struct executed_operation *operation);
void order_resumed_release(struct ordering *ordering);

/* window_order.c */
void window_ordered(struct ordering *ordering, struct executed_thread *thread, struct analysed_call *call);
void window_order_gone(struct executed_window *window);

#endif
