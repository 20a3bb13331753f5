/* What processes learn about each other. A process changes its own state only: threads, operations, inboxes, epochs, clock. It tells others what
 * they have to know as facts, and `learn` is the only place where the state of a process changes because of another process.
 *
 *	fact_tell(execution, receiver, &(struct process_fact){.kind = FACT_SENT, .operation = send});
 *
 * An execution may have images of processes that another execution has (execution_add_image). Facts for an image go to the carrier, which
 * brings them to the other execution:
 *
 *	execution_set_carrier(execution, carry, owner);
 *	execution_learn(other, &carried);          with the process and the call as the other execution knows them
 *
 * Between two executions, facts about one process arrive in their order. An image has the operations that were told, and no threads. */
#ifndef TARRY_CHECK_EXECUTION_FACTS_H
#define TARRY_CHECK_EXECUTION_FACTS_H

#include "calls/epochs.h"
#include "check/execution/execution.h"

enum fact_kind {
	/* To the receiver of a message */
	FACT_SENT,      /* the send has begun */
	FACT_LEFT,      /* the program has left the send, which has no receive yet */
	FACT_CANCELLED, /* the send never happened */
	FACT_SEND_OVER, /* the sender does not name the send any more; for images only */
	/* To the sender */
	FACT_MATCHED,   /* a receive took the message */
	FACT_RELEASED,  /* a receive with a wildcard may have taken the message: the send may end */
	FACT_UNMATCHED, /* the receive that took the message never happened */
	/* To all members of a communicator, window or file */
	FACT_ARRIVED,  /* a member has made its next collective call */
	FACT_LOCKED,   /* of a window: a member asks for a lock, by `call` */
	FACT_UNLOCKED, /* … and gives it back */
	/* To `peer` in a window: the member of `call` has done what `action` says, for this peer */
	FACT_EPOCH,
	FACTS,
};

struct process_fact {
	enum fact_kind kind;
	struct executed_operation *operation; /* a send or collective call */
	struct executed_operation *partner;   /* FACT_MATCHED: the receive; NULL: another execution has it */
	struct analysed_call *call;           /* of a window */
	uint32_t peer;
	enum rma_action action;
};

/* A fact on its way to another execution: without pointers into the state of this one. */
struct carried_fact {
	enum fact_kind kind;
	struct analysed_process *process; /* whose operation or call it is */
	struct analysed_call *call;
	uint64_t number, sequence, hash; /* of the operation */
	uint32_t peer;
	enum rma_action action;
};

/* `to` NULL: to all. */
typedef void fact_carry(void *owner, struct executed_process *to, const struct carried_fact *fact);

/* A fact of another execution. */
void execution_learn(struct execution *execution, const struct carried_fact *fact);
/* Another execution has this process: no events of it come. */
void execution_add_image(struct execution *execution, struct analysed_process *process);
void execution_set_carrier(struct execution *execution, fact_carry *carry, void *owner);

/* The learners, in the files whose state they change */
typedef void fact_learn(struct execution *execution, const struct process_fact *fact);
fact_learn learn_sent, learn_left, learn_cancelled;        /* messages.c: of the receiver */
fact_learn learn_matched, learn_released, learn_unmatched; /* messages.c: of the sender */
fact_learn learn_send_over;                                /* facts.c */
fact_learn learn_arrived;                                  /* collective_waits.c */
fact_learn learn_locked, learn_unlocked, learn_epoch;      /* windows.c */

static const struct {
	fact_learn *learn;
	bool is_learnt_here; /* also if the process that hears it is an image */
} fact_rows[FACTS] = {
	[FACT_SENT] = {learn_sent, false},           [FACT_LEFT] = {learn_left, false},
	[FACT_CANCELLED] = {learn_cancelled, false}, [FACT_SEND_OVER] = {learn_send_over, false},
	[FACT_MATCHED] = {learn_matched, true},      [FACT_RELEASED] = {learn_released, true},
	[FACT_UNMATCHED] = {learn_unmatched, true},  [FACT_ARRIVED] = {learn_arrived, true},
	[FACT_LOCKED] = {learn_locked, true},        [FACT_UNLOCKED] = {learn_unlocked, true},
	[FACT_EPOCH] = {learn_epoch, true},
};

void fact_carry_or_learn(struct execution *execution, struct executed_process *to,
                         const struct process_fact *fact);

/* The process hears it: at once, or through the carrier if it is an image. NULL: all processes hear it. */
static inline void fact_tell(struct execution *execution, struct executed_process *to,
                             const struct process_fact *fact)
{
	if (execution->carry)
		fact_carry_or_learn(execution, to, fact);
	else
		fact_rows[fact->kind].learn(execution, fact);
}

#endif
