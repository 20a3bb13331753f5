/* From the execution to findings: deadlocks, potential ones, processes that others wait for in vain, hangs.
 *
 *	struct deadlocks *deadlocks = deadlocks_new(execution, ordering, log, &callbacks);
 *	deadlocks_tick(deadlocks, now_ms);              after events were taken, and every few milliseconds
 *	deadlocks_answer(deadlocks, process, &answer);  what an agent said to a question
 *	execution_free(execution);
 *	deadlocks_free(deadlocks);                      it listens to the execution
 *
 * Threads that are blocked in the strict execution for two looks (LOOK_MS apart) and that form a knot are evaluated. If the program has left one of
 * their calls (its thread has more steps), the knot is a potential deadlock: it is reported once for its calls, and its sends or
 * collective calls are let pass. Otherwise the agents of its processes are asked (`callbacks.ask`) where their threads are: when all are in those very
 * calls, and still are a round later, nothing is on its way that could end it. Then it is a deadlock: reported at once. Before the run is ended (`callbacks.stop`)
 * other knots are asked about, and processes that are not stuck have OTHERS_MS to show whether they get into one of their own. */
#ifndef TARRY_CHECK_EXECUTION_DEADLOCKS_H
#define TARRY_CHECK_EXECUTION_DEADLOCKS_H

#include "check/execution/ordering.h"
#include "check/known/findings_log.h"
#include "check/known/process_ends.h"

enum {
	LOOK_MS = 10,
	ROUND_MS = 20, /* between the two questions about a knot … */
	/* … of calls whose arguments do not match: MPI may survive that. More for each member, and for its data. */
	MISMATCH_MS = 1000,
	MISMATCH_MEMBER_MS = 10,
	MISMATCH_BYTES_PER_MS = 100000,
	POTENTIAL_MS = 100,   /* until a knot is a potential deadlock: a new thread may explain it */
	UNANSWERED_MS = 2000, /* for an agent to answer */
	OTHERS_MS = 200, /* from the first deadlock to the end of the run, if not all processes are stuck … */
	LAST_MS = 1000,          /* … or others are being asked */
	DOUBTFUL_MS = 500,       /* until a knot that was not confirmed is asked about again */
	HANG_TIMEOUT_S = 300,    /* unless the user says otherwise */
	HANG_MISMATCH_MS = 5000, /* without progress, if a tag differs and the sender polls */
	HANG_ROUND_MS = 1000,    /* between the questions about a hang: who polls makes calls meanwhile */
	HANG_ANSWERS_MS = 5000,  /* for answers and stacks of those who answer */
};

/* Functions of the analyser */
struct deadlock_callbacks {
	void *owner;
	void (*ask)(void *owner, struct analysed_process *process, uint64_t question, bool wants_stacks);
	/* A finding was written that ends the run. These processes wait for ever. */
	void (*stop)(void *owner, struct analysed_process *const *stuck, uint32_t count);
};

struct deadlocks;

/* Without `ordering` nothing is said about what wildcards could have taken. */
struct deadlocks *deadlocks_new(struct execution *execution, struct ordering *ordering,
                                struct findings_log *log, const struct deadlock_callbacks *callbacks);
void deadlocks_free(struct deadlocks *deadlocks);
/* Seconds without any progress after which the run is ended; 0: never. */
void deadlocks_set_hang_timeout(struct deadlocks *deadlocks, uint32_t seconds);
/* `heard` counts what processes said, of which those who only poll have nothing to say. */
void deadlocks_tick(struct deadlocks *deadlocks, uint64_t now_ms, uint64_t heard);
/* Something is to be looked at again soon, whether or not anything is heard. */
bool deadlocks_looks_again(const struct deadlocks *deadlocks);
void deadlocks_answer(struct deadlocks *deadlocks, struct analysed_process *process,
                      const struct check_answer *answer);
/* Behind an answer: MESSAGE_STACK. False: it is damaged. */
bool deadlocks_stacks(struct deadlocks *deadlocks, struct analysed_process *process, struct cursor *in);
/* All processes are gone: evaluates the remaining potential deadlocks. */
void deadlocks_end(struct deadlocks *deadlocks);

#endif
