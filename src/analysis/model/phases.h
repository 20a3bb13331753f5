/* The user's phases and regions (model/marks.h): which one a call lies in, and how long each lasted.
 *
 *	struct phases *phases = phases_new(reader, rows);
 *	if (phases_want(semantics))
 *		phases_call(phases, &occurrence, event->start);     in the order of its process
 *	occurrence.phase = phase_at(phases, process, thread);
 *	phases_free(phases);
 *
 * Regions are of a thread and lie in one another; a phase is of the process and lasts until the next one, or until
 * MPI_Finalize. The innermost region counts, and outside all of them the phase. The end of a region ends those that were
 * begun in it and not ended; one that never began is passed over. Each time has a number of its own, over all processes,
 * from 1 on. What does not end in the trace is not written, nor what was not recorded from begin to end.
 *
 * Memory is that of what is open, and of the different names. */
#ifndef TARRY_ANALYSIS_MODEL_PHASES_H
#define TARRY_ANALYSIS_MODEL_PHASES_H

#include "analysis/model/call_semantics.h"
#include "analysis/model/row_writer.h"
#include "trace/reader.h"

struct phases;

struct phases *phases_new(const struct reader *reader, struct row_writer *rows);
bool phases_want(const struct call_semantics *semantics);
void phases_call(struct phases *phases, const struct occurrence *call, uint64_t tick);
/* Some calls of this process are missing from here on: what is open may have ended. */
void phases_lost(struct phases *phases, uint32_t process);
/* Of a call that a thread begins now; 0: it lies in none. */
uint32_t phase_at(const struct phases *phases, uint32_t process, uint32_t thread);
void phases_free(struct phases *phases);

#endif
