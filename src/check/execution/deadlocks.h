/* Findings from the execution: deadlocks, potential deadlocks, waits for finalized processes, hangs.
 *
 *	struct deadlocks *deadlocks = deadlocks_new(execution, ordering, log, &callbacks);
 *	deadlocks_tick(deadlocks, now_ms);              after events were taken, and every few milliseconds
 *	deadlocks_answer(deadlocks, process, &answer);  the answer of an agent
 *	execution_free(execution);
 *	deadlocks_free(deadlocks);                      after the execution, to which it listens
 *
 * A knot is a set of threads that are blocked in the strict execution at two consecutive looks (LOOK_MS
 * apart) and wait only for each other. If the program has left one of their calls (its thread has more
 * steps), the knot is a potential deadlock: it is reported once per set of calls, and its sends or collective
 * calls may pass. Otherwise the agents of its processes are asked (`callbacks.ask`) where their threads are.
 * If all are in exactly those calls, and still are one round later, no pending message can end the knot: it
 * is a deadlock and is reported at once. Before the run is ended (`callbacks.stop`), other knots are
 * examined, and processes that are not stuck have OTHERS_MS to run into one of their own. */
#ifndef TARRY_CHECK_EXECUTION_DEADLOCKS_H
#define TARRY_CHECK_EXECUTION_DEADLOCKS_H

#include "check/execution/ordering.h"
#include "check/known/findings_log.h"
#include "check/known/process_ends.h"

enum {
	LOOK_MS = 10,
	ROUND_MS = 20, /* between the two questions about a knot … */
	/* … of calls with mismatched arguments: MPI may survive that. Longer for more
	 * members and more data. */
	MISMATCH_MS = 1000,
	MISMATCH_MEMBER_MS = 10,
	MISMATCH_BYTES_PER_MS = 100000,
	POTENTIAL_MS = 100,   /* until a knot is a potential deadlock: a new thread may explain it */
	UNANSWERED_MS = 2000, /* until an answer counts as missing */
	OTHERS_MS = 200, /* from the first deadlock to the end of the run, if not all processes are stuck … */
	LAST_MS = 1000,          /* … or others are being asked */
	DOUBTFUL_MS = 500,       /* until a knot that was not confirmed is asked about again */
	HANG_TIMEOUT_S = 300,    /* the default */
	HANG_MISMATCH_MS = 5000, /* without progress, if a tag differs and the sender polls */
	HANG_ROUND_MS = 1000,    /* between questions about a hang: polling processes make calls meanwhile */
	HANG_ANSWERS_MS = 5000,  /* for answers and stacks */
};

/* Functions of the analyser */
struct deadlock_callbacks {
	void *owner;
	void (*ask)(void *owner, struct analysed_process *process, uint64_t question, bool wants_stacks);
	/* A finding was written that ends the run. These processes wait for ever. */
	void (*stop)(void *owner, struct analysed_process *const *stuck, uint32_t count);
};

struct deadlocks;

/* Without `ordering`, alternative messages of wildcards are not evaluated. */
struct deadlocks *deadlocks_new(struct execution *execution, struct ordering *ordering,
                                struct findings_log *log, const struct deadlock_callbacks *callbacks);
void deadlocks_free(struct deadlocks *deadlocks);
/* Seconds without any progress after which the run is ended; 0: never. */
void deadlocks_set_hang_timeout(struct deadlocks *deadlocks, uint32_t seconds);
/* `heard` counts events of processes; processes that only poll send none. */
void deadlocks_tick(struct deadlocks *deadlocks, uint64_t now_ms, uint64_t heard);
/* True if a look is needed soon, even without new events. */
bool deadlocks_looks_again(const struct deadlocks *deadlocks);
void deadlocks_answer(struct deadlocks *deadlocks, struct analysed_process *process,
                      const struct check_answer *answer);
/* After an answer: MESSAGE_STACK. False: damaged. */
bool deadlocks_stacks(struct deadlocks *deadlocks, struct analysed_process *process, struct cursor *in);
/* All processes are gone: evaluates the remaining potential deadlocks. */
void deadlocks_end(struct deadlocks *deadlocks);

#endif
