/* Functions outside MPI that the user's rules trace. Their wrappers are generated for a set of rules (src/analysis/wrappers) and call the
 * recorder through a struct probe_link (base/probe.h).
 *
 * A call is recorded if the program or one of its libraries made it between MPI_Init and MPI_Finalize, in a thread that is not inside MPI.
 * The recorder keeps no state while the function runs, because it may throw an exception, call MPI or other traced functions, end the
 * thread, or fork. */
#ifndef TARRY_JOB_RECORD_PROBES_H
#define TARRY_JOB_RECORD_PROBES_H

#include "base/probe.h"
#include "job/record/stream_define.h"

enum { RECORDED_TEXT_MAX = 256 }; /* bytes of a text from the program (docs/trace-format.md) */

/* Called by the preloaded library. `link` has the wrappers, now or later. */
void tarry_probes_link(struct probe_link *link);

/* After MPI_Init: records which functions are traced, and begins to record their calls. */
void probes_start(void);
/* Before the streams are closed: ends, and reports the functions that were called. */
void probes_stop(void);
/* In a forked child. */
void probes_abandon(void);

/* By the id of a traced function (SHAPES and above). */
const struct probe *probe_of(uint32_t id);

#endif
