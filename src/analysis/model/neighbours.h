/* Neighbourhood operations: a process gets from its sources alone, and waits for nobody else. Who they are is told by the call that
 * made the topology: its fields `member` are the ranks from which this process gets, in the new communicator. Internal to the replay.
 *
 *	neighbours_met(&neighbours, semantics);           each distinct call
 *	neighbours_write(&neighbours, rows, identity of the communicator, participants, count); */
#ifndef TARRY_ANALYSIS_MODEL_NEIGHBOURS_H
#define TARRY_ANALYSIS_MODEL_NEIGHBOURS_H

#include "analysis/model/row_writer.h"
#include "base/map.h"

struct neighbours {
	struct map by_member;     /* communicator and process to … */
	const struct call **made; /* the calls that made them */
	uint32_t count, room;
};

void neighbours_met(struct neighbours *neighbours, const struct call_semantics *semantics);
void neighbours_write(const struct neighbours *neighbours, struct row_writer *rows, uint64_t comm,
                      const struct collective_call *participants, uint32_t count);
void neighbours_release(struct neighbours *neighbours);

#endif
