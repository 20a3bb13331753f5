/* Consequences of the participants of a collective operation and their times. Internal to the replay.
 *
 * In a UPC collective: which thread was alone in it.
 *
 * In MPI_Alltoallv and similar calls: the ranks that exchange data, directly or indirectly, form
 * separate operations.
 *
 * Neighbourhood operations: a process receives only from its sources, and waits for no other. They are
 * known from the call that created the topology: its fields `member` are the source ranks of this process
 * in the new communicator.
 *
 *	note_alone(participants, count);
 *	for (uint32_t first = 0; first < count; first += part)
 *		part = exchange_next(participants + first, count - first);
 *	neighbours_met(&neighbours, semantics);           each distinct call
 *	neighbours_write(&neighbours, rows, identity of the communicator, participants, count); */
#ifndef TARRY_ANALYSIS_MODEL_PARTICIPANTS_H
#define TARRY_ANALYSIS_MODEL_PARTICIPANTS_H

#include "analysis/model/row_writer.h"
#include "base/map.h"

/* By rank: rows must not depend on the order in which a replay reaches the processes. */
void sort_participants(struct collective_call *participants, uint32_t count);
/* Sets `alone` of all participants. */
void note_alone(struct collective_call *participants, uint32_t count);
/* How long each took to leave after all had arrived and one had left. */
void note_completion(struct collective_call *participants, uint32_t count);

/* True if some of these receive nothing from some others. */
bool exchange_is_partial(const struct collective_call *participants, uint32_t count);
/* Moves the partners of the first one to the front, and sets their `until`; returns their number. */
uint32_t exchange_next(struct collective_call *participants, uint32_t count);

struct neighbours {
	struct map by_member;     /* communicator and process to … */
	const struct call **made; /* the calls that created them */
	uint32_t count, room;
};

void neighbours_met(struct neighbours *neighbours, const struct call_semantics *semantics);
void neighbours_write(const struct neighbours *neighbours, struct row_writer *rows, uint64_t comm,
                      const struct collective_call *participants, uint32_t count);
void neighbours_release(struct neighbours *neighbours);

#endif
