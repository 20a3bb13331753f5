/* The activity of the process's threads, to answer questions of analysers (MESSAGE_ASK). For
 * the service thread only. */
#ifndef TARRY_JOB_CHECK_WIRE_ACTIVITY_H
#define TARRY_JOB_CHECK_WIRE_ACTIVITY_H

#include "check/protocol/messages.h"

/* Before and after the start of MPI: signal handlers installed in between belong to MPI. */
void activity_before_mpi(void);
void activity_after_mpi(void);

/* Where each thread is. Below MPI_THREAD_MULTIPLE, if some threads are in calls, only these, because the others
 * must not call MPI then. There is one more entry (number UINT32_MAX) under MPI_THREAD_MULTIPLE if threads that
 * have never called MPI do not sleep (tasks.h), so they may still call it; and at any level if no thread is
 * blocked in MPI, and another thread or a signal handler of the program may end a polling loop.
 * False: the thread with the lock is running, or out of memory; ask again later. The caller frees the answer
 * with answer_release(). */
bool activity_states(struct check_answer *answer);

/* The calls of all threads with their stacks, in the format of MESSAGE_STACK after the number of the
 * question: the number of calls, then each call. Interrupts threads (interrupt.h), because the run is
 * about to be ended. False as above. */
bool activity_stacks(struct message_writer *body);

#endif
