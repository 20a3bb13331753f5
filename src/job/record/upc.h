/* UPC threads: the GASP events of a runtime (base/upc_link.h) become calls of the trace.
 *
* A UPC thread is a process of the trace, even if several UPC threads share a system process. Only its outermost calls are recorded: a reduction
 * that contains a barrier is one call. The user's events, functions and upc_forall become regions, which may contain recorded calls. If a
 * runtime reports a barrier as upc_notify and upc_wait at the same place, the two become one call.
 *
 * Runtimes may report a start without an end, or an end without a start. Both are dropped and counted. */
#ifndef TARRY_JOB_RECORD_UPC_H
#define TARRY_JOB_RECORD_UPC_H

#include "base/upc_link.h"

#include <stdbool.h>

/* Identifies the process if MPI is present but did not identify it. */
void upc_identify(void);

/* Whether the process has active UPC threads. */
bool upc_is_under_way(void);

/* At the end of recording: records unfinished calls of the threads. The caller holds the process's lock. */
void upc_stop(void);

#endif
