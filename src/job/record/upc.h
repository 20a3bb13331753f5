/* Threads of UPC: what a runtime tells through GASP (base/upc_link.h) becomes calls of the trace.
 *
 * A thread of UPC is a process of the trace, whether it has one of the system for itself or not. Only its outermost calls are
 * recorded: a reduction that contains a barrier is one call. What the user's events, functions and upc_forall tell are
 * regions, which hide nothing. A barrier that a runtime tells as upc_notify and upc_wait of one place is put together.
 *
 * Runtimes are not trusted to balance what they tell: a start whose end never comes is left behind as soon as that is
 * known, an end without a start is passed over, and both are counted. */
#ifndef TARRY_JOB_RECORD_UPC_H
#define TARRY_JOB_RECORD_UPC_H

#include "base/upc_link.h"

#include <stdbool.h>

/* Says who the process is if MPI, which is there, never did. */
void upc_identify(void);

/* Has the process threads of UPC that are not over? */
bool upc_is_under_way(void);

/* At the end of what is recorded, under the process's lock: says what threads have left unfinished. */
void upc_stop(void);

#endif
