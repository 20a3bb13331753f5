/* Checks of one-sided communication within one process: epochs (window_epochs.h), targets,
 * displacements, operations.
 *
* The agent knows the sizes of its own window and of windows in shared memory. The first analyser checks
 * displacements in all others (check/execution/window_accesses.h). */
#ifndef TARRY_JOB_CHECK_WINDOWS_WINDOWS_H
#define TARRY_JOB_CHECK_WINDOWS_WINDOWS_H

#include "job/check/wire/agent_call.h"

void windows_start(void);
bool windows_are_concerned(enum call_id id);
/* Before objects_before, because MPI_Win_free ends the window. */
void windows_before(struct agent_call *call);
void windows_after(struct agent_call *call, int rc);
/* Before a call: reports the program's own accesses to its windows since the last call (local_accesses.h). */
void windows_report_local(void);
/* After events have the new window. */
void windows_made(const struct agent_call *call, int rc);

#endif
