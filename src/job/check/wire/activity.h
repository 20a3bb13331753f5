/* The activity of the process's threads, for questions of analysers (MESSAGE_ASK). For the
 * service thread only. */
#ifndef TARRY_JOB_CHECK_WIRE_ACTIVITY_H
#define TARRY_JOB_CHECK_WIRE_ACTIVITY_H

#include "check/protocol/messages.h"

/* Around the start of MPI: signal handlers installed in between belong to MPI. */
void activity_before_mpi(void);
void activity_after_mpi(void);

/* Where each thread is. Below MPI_THREAD_MULTIPLE, only threads in calls, if there are any: the others are
 * not allowed to call then. With MPI_THREAD_MULTIPLE, one more entry (number UINT32_MAX) if there are threads
 * that have never called MPI and do not sleep (tasks.h): they may still do so. The same, at any level, if no
 * thread is blocked in MPI, and another thread or a signal handler of the program may release a polling loop.
 * False: threads with the lock are moving, or there is no memory; ask again later. The caller frees the
 * answer with answer_release. */
bool activity_states(struct check_answer *answer);

/* The calls of all threads with their stacks, in the format of MESSAGE_STACK after the number of the
 * question: their number, then each. Interrupts threads (interrupt.h), because the run is about to be
 * ended. False as above. */
bool activity_stacks(struct message_writer *body);

#endif
