/* From the calling threads to the analyser of the node: a ring of words (unsent_events.h), and a service
 * thread that reads the ring in batches, encodes the words and sends them. The service thread never calls
 * MPI and does not receive signals. If the ring is full, the program waits; if the socket is full, the
 * service waits. Threads that must not wait for the service, because of a finding or at the end of the
 * process, do its work themselves (service_flush). */
#ifndef TARRY_JOB_CHECK_WIRE_SERVICE_H
#define TARRY_JOB_CHECK_WIRE_SERVICE_H

#include "check/protocol/messages.h"

/* Before MPI_Init: starts the analyser of the node, and connects to it. */
void service_prepare(void);
/* After MPI_Init, when rank and world are known. */
void service_start(void);

/* The ring has enough words for a batch. */
void service_wake(void);
/* Waits until the ring has room for this many words; returns the read position. */
uint64_t service_wait_for_room(uint32_t count);

/* Sends the contents of the ring, and makes the numbers of calls and types start again; `free_calls` frees unused calls. */
void service_forget(void (*free_calls)(void));

/* Sends all pushed events to the analyser; returns when the socket has accepted them. */
void service_flush(void);
void service_finding(const struct message_writer *body);

/* `expected`: MPI may end the process in the following call, because of a finding. False: it did not. */
void service_expect_end(bool expected);

/* Sends the last message. */
void service_end(enum process_end end);
/* The process ends with exit code 0. If it has finalized, its analyser knows from this that the launcher has no
 * reason to kill other processes. */
void service_exits_well(void);

/* In the child of a fork. */
void service_abandon(void);

#endif
