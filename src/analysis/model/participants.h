/* What follows from who takes part in a collective operation, and when. Internal to the replay.
 *
 * Of those who meet in a collective call of UPC, who was in it while nobody else was.
 *
 * In MPI_Alltoallv and its like, who gives something to whom: those who have to do with each other, directly or through others, are an operation
 * of their own.
 *
 * Neighbourhood operations: a process gets from its sources alone, and waits for nobody else. The call that made the topology says who
 * they are: its fields `member` are the ranks from which this process gets, in the new communicator.
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

/* By their ranks: rows must not depend on the order in which a replay comes to the processes. */
void sort_participants(struct collective_call *participants, uint32_t count);
/* Sets `alone` of all participants. */
void note_alone(struct collective_call *participants, uint32_t count);
/* How long each took to leave, when all had come and one had left. */
void note_completion(struct collective_call *participants, uint32_t count);

/* Whether some of these get nothing from some others. */
bool exchange_is_partial(const struct collective_call *participants, uint32_t count);
/* Puts those first that the first has to do with, and sets their `until`; returns how many. */
uint32_t exchange_next(struct collective_call *participants, uint32_t count);

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
