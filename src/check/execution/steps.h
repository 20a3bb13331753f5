/* Steps: what a process tells of its course, decoded when it arrives, and kept as bytes while its thread cannot go on. Operations are
 * named by their numbers in the process from there on. */
#ifndef TARRY_CHECK_COURSE_STEPS_H
#define TARRY_CHECK_COURSE_STEPS_H

#include "check/execution/execution.h"

enum step_kind {
	STEP_BEGINS = 1,
	STEP_WAITS,
	STEP_COMPLETES,
	STEP_TAKES,
	STEP_WINDOW,
	STEP_ENDS,
};

struct course_step {
	enum step_kind kind;
	struct analysed_call *call; /* BEGINS, WAITS, WINDOW; kept by a step in a queue */
	uint64_t number;            /* of an operation; of WINDOW the first byte, of ENDS an identity */
	uint64_t hash;              /* BEGINS of a send: of its data; 0: not known */
	uint32_t count;
	const uint64_t *numbers; /* WAITS, COMPLETES: of operations; until the next step is taken */
};

void step_put(struct course *course, struct course_thread *thread, const struct course_step *step);
/* False: there is none. The caller drops the call of the step. */
bool step_take(struct course *course, struct course_thread *thread, struct course_step *step);
/* The next step, which stays. False: there is none. */
bool step_peek(struct course *course, const struct course_thread *thread, struct course_step *step);
/* Calls `visit` for each operation that begins in the queue. */
void steps_visit_begins(struct course *course, const struct course_thread *thread,
                        void (*visit)(struct course *, struct course_process *, uint64_t,
                                      struct analysed_call *));
/* Of an empty queue. */
void steps_release(struct step_queue *queue);

#endif
