/* Ends a run after a deadlock or a hang (MESSAGE_STOP), because it would never end by itself. This is the only place where the agent ends its process. */
#ifndef TARRY_JOB_CHECK_WIRE_ENDING_H
#define TARRY_JOB_CHECK_WIRE_ENDING_H

#include <stdnoreturn.h>

enum { EXIT_STOPPED = 4 }; /* the exit code of `tarry check` when it has found errors */

/* Sends everything to the analysers, says BYE, and ends the process at once, because exit handlers could wait
 * for MPI. For the service thread. */
noreturn void ending_stop(void);

/* MPI is about to end the process and, soon after, the others: sends everything, and gives the others
 * time to send theirs. */
void agent_job_ends(void);

#endif
