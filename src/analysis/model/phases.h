/* The user's phases and regions (model/marks.h): the one that contains a call, and their durations.
 *
 *	struct phases *phases = phases_new(reader, rows);
 *	if (phases_want(semantics))
 *		phases_call(phases, &occurrence, event->start);     in the order of its process
 *	occurrence.phase = phase_at(phases, process, thread);
 *	phases_free(phases);
 *
 * Regions belong to a thread and nest; a phase belongs to the process and lasts until the next one, or until
 * MPI_Finalize. The innermost region counts, outside all regions the phase. The end of a region also ends
 * open nested ones; an end without a begin is ignored. Each instance has its own number, over all processes,
 * from 1. Instances that were not recorded from begin to end are not written.
 *
 * Memory is needed for open instances, and for distinct names. */
#ifndef TARRY_ANALYSIS_MODEL_PHASES_H
#define TARRY_ANALYSIS_MODEL_PHASES_H

#include "analysis/model/call_semantics.h"
#include "analysis/model/row_writer.h"
#include "trace/reader.h"

struct phases;

struct phases *phases_new(const struct reader *reader, struct row_writer *rows);
bool phases_want(const struct call_semantics *semantics);
void phases_call(struct phases *phases, const struct occurrence *call, uint64_t tick);
/* Some calls of this process are missing from here on: open instances may have ended. */
void phases_lost(struct phases *phases, uint32_t process);
/* For a call that a thread begins now; 0: none. */
uint32_t phase_at(const struct phases *phases, uint32_t process, uint32_t thread);
void phases_free(struct phases *phases);

#endif
