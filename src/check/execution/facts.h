/* Communication between processes of the execution. A process changes only its own state: threads,
 * operations, inboxes, epochs, clock. It informs others by facts, and only `learn` functions change the state
 * of a process because of another process.
 *
 *	fact_tell(execution, receiver, &(struct process_fact){.kind = FACT_SENT, .operation = send});
 *
 * An execution may have images of processes owned by another execution (execution_add_image). Facts for an
 * image go to the carrier, which transports them to the other execution:
 *
 *	execution_set_carrier(execution, carry, owner);
 *	execution_learn(other, &carried);          with that execution's process and call
 *
 * Between two executions, facts about one process arrive in order. An image has the operations of its
 * facts, and no threads. */
#ifndef TARRY_CHECK_EXECUTION_FACTS_H
#define TARRY_CHECK_EXECUTION_FACTS_H

#include "calls/epochs.h"
#include "check/execution/execution.h"

enum fact_kind {
	/* To the receiver of a message */
	FACT_SENT,      /* the send has begun */
	FACT_LEFT,      /* the program has left the send, which has no receive yet */
	FACT_CANCELLED, /* the send never happened */
	FACT_SEND_OVER, /* the sender no longer refers to the send; only for images */
	/* To the sender */
	FACT_MATCHED,   /* a receive took the message */
	FACT_RELEASED,  /* a receive with a wildcard may have taken the message: the send may end */
	FACT_UNMATCHED, /* the receive that took the message never happened */
	/* To all members of a communicator, window or file */
	FACT_ARRIVED,  /* a member has made its next collective call */
	FACT_LOCKED,   /* of a window: a member asks for a lock, by `call` */
	FACT_UNLOCKED, /* … and gives it back */
	/* To `peer` in a window: the member of `call` has performed `action` for this peer */
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

/* A fact in transit to another execution: without pointers into the state of this one. */
struct carried_fact {
	enum fact_kind kind;
	struct analysed_process *process; /* the process of the operation or call */
	struct analysed_call *call;
	uint64_t number, sequence, hash; /* of the operation */
	uint32_t peer;
	enum rma_action action;
	/* For the carrier, of the execution that told the fact */
	const struct executed_operation *operation, *partner;
};

/* `to` NULL: to all. */
typedef void fact_carry(void *owner, struct executed_process *to, const struct carried_fact *fact);

/* A fact of another execution. */
void execution_learn(struct execution *execution, const struct carried_fact *fact);
/* Another execution owns this process: its events do not arrive here. */
void execution_add_image(struct execution *execution, struct analysed_process *process);
void execution_set_carrier(struct execution *execution, fact_carry *carry, void *owner);

/* The learners, in the files whose state they change. */
typedef void fact_learn(struct execution *execution, const struct process_fact *fact);
fact_learn learn_sent, learn_left, learn_cancelled;        /* messages.c: of the receiver */
fact_learn learn_matched, learn_released, learn_unmatched; /* messages.c: of the sender */
fact_learn learn_send_over;                                /* facts.c */
fact_learn learn_arrived;                                  /* collective_waits.c */
fact_learn learn_locked, learn_unlocked, learn_epoch;      /* windows.c */

static const struct {
	fact_learn *learn;
	bool is_learnt_here; /* also if the destination is an image */
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

/* Informs the process: at once, or through the carrier if it is an image. NULL: all processes. */
static inline void fact_tell(struct execution *execution, struct executed_process *to,
                             const struct process_fact *fact)
{
	if (execution->carry)
		fact_carry_or_learn(execution, to, fact);
	else
		fact_rows[fact->kind].learn(execution, fact);
}

#endif
