/* The way from the calling threads to the analysers: a ring of words in memory, and a service thread that takes them out in batches, encodes
 * them and sends them. It calls no function of MPI, and no signal is delivered to it. A full ring makes the program wait, as a full socket
 * makes the service. Whoever cannot wait for the service, as a finding or the end of the process, does its work itself (service_flush). */
#ifndef TARRY_JOB_CHECK_SERVICE_H
#define TARRY_JOB_CHECK_SERVICE_H

#include "job/check/announced.h"

#pragma GCC visibility push(hidden)

/* In the lowest bits of a word; the others are an address. */
enum ring_kind {
	RING_EVENT = 0,     /* struct announced_call */
	RING_WILDCARD = 1,  /* the same; the word of RING_SOURCE follows, and the rank in the world */
	RING_CANCELLED = 2, /* struct announced_call */
	RING_FORGET = 3,    /* struct announced_garbage: numbers start again */
	RING_KINDS = 4,
};

#define RING_WORD(pointer, kind) ((uint64_t)(uintptr_t)(pointer) | (kind))
#define RING_SOURCE(rank, tag) ((uint64_t)(uint32_t)(rank) << 32 | (uint32_t)(tag))

/* What no event names any more. */
struct announced_garbage {
	struct announced_call *calls;
	struct announced_type *types;
	struct announced_comm *comms;
};

/* Before MPI_Init: starts the analyser of the node, and connects to it. */
void service_prepare(void);
/* After MPI_Init, when rank and world are known. */
void service_start(void);

/* With the lock, if threads may come together. All words of an event at once. */
void service_push(const uint64_t *words, uint32_t count);

/* Brings all that was pushed on its way to the analysers; returns when the sockets have it. */
void service_flush(void);
void service_finding(const struct message_writer *body);

/* MPI may end the process in the call that follows, because of what was found in it; or it did not. */
void service_expect_end(bool expected);

/* The last that is sent. */
void service_end(enum process_end end);

/* In the child of a fork. */
void service_abandon(void);

#pragma GCC visibility pop

#endif
