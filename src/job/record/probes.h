/* Functions that the user's rules trace: whatever is not MPI's. The wrappers are made for each set of rules (src/analysis/wrappers) and
 * reach the recorder through a struct probe_link (base/probe.h).
 *
 * A call is recorded if the program or one of its libraries made it, in a thread that is not inside MPI, between MPI_Init and
 * MPI_Finalize. Nothing is kept while the function runs: it may be left by an exception, call MPI or other traced functions, end
 * the thread, or fork. */
#ifndef TARRY_JOB_RECORD_PROBES_H
#define TARRY_JOB_RECORD_PROBES_H

#include "base/probe.h"
#include "job/record/stream_define.h"

enum { RECORDED_TEXT_MAX = 256 }; /* bytes of a text that the program passes, as docs/trace-format.md says */

/* For the preloaded library: here are the wrappers, or may come to be. */
void tarry_probes_link(struct probe_link *link);

/* After MPI_Init: say which functions are traced, and begin. */
void probes_start(void);
/* Before the streams are closed: end, and leave word of what was seen. */
void probes_stop(void);
/* In a forked child. */
void probes_abandon(void);

/* Of a traced function, by its id among the shapes (SHAPES and above). */
const struct probe *probe_of(uint32_t id);

#endif
