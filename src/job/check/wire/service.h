/* From the calling threads to the analyser of the node: a ring of words (unsent_events.h), and a service
 * thread that reads it in batches, encodes and sends the words. The service thread never calls MPI, and
 * receives no signals. A full ring makes the program wait, and a full socket makes the service wait.
 * Callers that cannot wait for the service, for a finding or at the end of the process, do its work
 * themselves (service_flush). */
#ifndef TARRY_JOB_CHECK_WIRE_SERVICE_H
#define TARRY_JOB_CHECK_WIRE_SERVICE_H

#include "check/protocol/messages.h"

/* Before MPI_Init: starts the analyser of the node, and connects to it. */
void service_prepare(void);
/* After MPI_Init, when rank and world are known. */
void service_start(void);

/* The ring has enough words. */
void service_wake(void);
/* Waits until the ring has room for so many words; returns the read position. */
uint64_t service_wait_for_room(uint32_t count);

/* Sends the contents of the ring, and restarts the numbers of calls and types; `free_calls` frees unused calls. */
void service_forget(void (*free_calls)(void));

/* Sends all pushed events to the analyser; returns when the socket has them. */
void service_flush(void);
void service_finding(const struct message_writer *body);

/* MPI may end the process in the following call, because of a finding; or it did not. */
void service_expect_end(bool expected);

/* Sends the last message. */
void service_end(enum process_end end);
/* The process ends with exit code 0: if it has finalized, its analyser knows that launchers have no reason to
 * kill other processes. */
void service_exits_well(void);

/* In the child of a fork. */
void service_abandon(void);

#endif
