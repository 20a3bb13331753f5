/* Steps: the events of a process about its execution, decoded when they arrive, and stored as bytes while its
 * thread is blocked. From then on operations are identified by their numbers in the process. */
#ifndef TARRY_CHECK_EXECUTION_STEPS_H
#define TARRY_CHECK_EXECUTION_STEPS_H

#include "check/execution/execution.h"

enum step_kind {
	STEP_BEGINS = 1,
	STEP_WAITS,
	STEP_COMPLETES,
	STEP_TAKES,
	STEP_WINDOW,
	STEP_ENDS,
	STEP_AFTER,
};

struct execution_step {
	enum step_kind kind;
	struct analysed_call *call; /* BEGINS, WAITS, WINDOW; kept by a step in a queue */
	uint64_t number; /* of an operation; of WINDOW first byte, of ENDS identity, of AFTER thread */
	uint64_t hash;   /* BEGINS of a send: of its data; 0: unknown. AFTER: steps of that thread */
	uint32_t count;
	const uint64_t *numbers; /* WAITS, COMPLETES: of operations; valid until the next step is taken */
};

void step_put(struct execution *execution, struct executed_thread *thread, const struct execution_step *step);
/* False: the queue is empty. The caller drops the call of the step. */
bool step_take(struct execution *execution, struct executed_thread *thread, struct execution_step *step);
/* The next step, without removing it. False: the queue is empty. */
bool step_peek(struct execution *execution, const struct executed_thread *thread,
               struct execution_step *step);
/* Calls `visit` for each operation that begins in the queue. */
void steps_visit_begins(struct execution *execution, const struct executed_thread *thread,
                        void (*visit)(struct execution *, struct executed_process *, uint64_t,
                                      struct analysed_call *));
/* For an empty queue. */
void steps_release(struct step_queue *queue);

#endif
