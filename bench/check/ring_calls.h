/* The calls of generated processes in a ring: neighbours exchange messages (MPI_Isend, MPI_Irecv, MPI_Waitall) and reduce. For benchmarks of
 * analysers.
 *
 *	ring_define(rank, size, stack, RING_CALLS, false, tell, owner);   COMM, TYPE and CALL frames of one process
 *	ring_step_put(&events, false);                                     the events of a step */
#ifndef TARRY_BENCH_CHECK_RING_CALLS_H
#define TARRY_BENCH_CHECK_RING_CALLS_H

#include "check/protocol/messages.h"

enum ring_call {
	RING_SEND_UP = 1,
	RING_RECEIVE_UP,
	RING_SEND_DOWN,
	RING_RECEIVE_DOWN,
	RING_REDUCE,
	RING_WAIT,
	RING_PLAIN_CALLS,
	/* A message with a wrong type */
	RING_SEND_WRONG = RING_PLAIN_CALLS,
	RING_RECEIVE_WRONG,
	RING_CALLS,
};

/* `body` may be released. */
typedef void ring_tell(void *owner, enum message_kind kind, struct message_writer *body);

/* All calls below `end`. `stack` has one place; NULL: none. With `has_data`, the data of messages is compared. */
void ring_define(uint32_t rank, uint32_t size, struct check_place *stack, enum ring_call end, bool has_data,
                 ring_tell *tell, void *owner);
/* Two messages to each neighbour, and the wait for them: 5 events, with data 7. */
void ring_step_put(struct message_writer *events, bool has_data);

#endif
