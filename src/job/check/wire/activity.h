/* The activity of the process's threads, for analysers that ask (MESSAGE_ASK). For the service thread only. */
#ifndef TARRY_JOB_CHECK_WIRE_ACTIVITY_H
#define TARRY_JOB_CHECK_WIRE_ACTIVITY_H

#include "check/protocol/messages.h"

/* Around the start of MPI: handlers of signals that come in between are MPI's. */
void activity_before_mpi(void);
void activity_after_mpi(void);

/* Where each thread is. With a level below MPI_THREAD_MULTIPLE only those in calls, if there are any: the others may not call then. With it, one more
 * (number UINT32_MAX) if there are threads that have never called MPI and do not sleep (tasks.h): they may do so yet. Likewise, whatever the level, if no
 * thread is blocked in MPI, and another thread or a signal handler of the program may release a loop that polls. False: threads that have the lock
 * are moving, or there is no memory; ask again later. The caller frees what the answer holds with answer_release. */
bool activity_states(struct check_answer *answer);

/* The calls of all threads with their stacks, as MESSAGE_STACK has them after the number of the question: how many, then each. Threads are
 * interrupted (interrupt.h): the run is to be ended. False as above. */
bool activity_stacks(struct message_writer *body);

#endif
