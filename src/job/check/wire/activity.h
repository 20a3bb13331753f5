/* The activity of the process's threads, for analysers that ask (MESSAGE_ASK). For the service thread only. */
#ifndef TARRY_JOB_CHECK_WIRE_ACTIVITY_H
#define TARRY_JOB_CHECK_WIRE_ACTIVITY_H

#include "check/protocol/messages.h"

/* Where each thread is. With a level below MPI_THREAD_MULTIPLE only those in calls, if there are any: the others may not call then. With it, one more
 * (number UINT32_MAX) if there are threads that have never called MPI and do not sleep (tasks.h): they may do so yet. False: threads that have the lock
 * are moving, or there is no memory; ask again later. The caller frees what the answer holds with answer_release. */
bool activity_states(struct check_answer *answer);

/* The calls of all threads with their stacks, as MESSAGE_STACK has them after the number of the question: how many, then each. Threads are
 * interrupted (interrupt.h): the run is to be ended. False as above. */
bool activity_stacks(struct message_writer *body);

#endif
