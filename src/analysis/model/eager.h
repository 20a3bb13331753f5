/* The eager limit where the MPI library did not tell it, as in archives of other tools: the largest standard send that was complete, at
 * the end of MPI_Send or of the Wait or Test for it, before its receive was posted. It is a lower bound, for each world and distance, and -1 if there was no such send: a larger send may wait for its receiver. Only
 * processes count that share a clock, or whose clocks were compared, beyond what these may be apart.
 *
 *	if (eager_is_unknown(nodes))
 *		eager_infer(reader, time, nodes);      one replay of the trace
 *	eager_between(nodes, sender, receiver)         as before
 */
#ifndef TARRY_ANALYSIS_MODEL_EAGER_H
#define TARRY_ANALYSIS_MODEL_EAGER_H

#include "analysis/model/logical_clock.h"
#include "analysis/model/processes.h"

bool eager_is_unknown(const struct nodes *nodes);

/* Limits that the trace tells stay as they are. */
void eager_infer(struct reader *reader, const struct corrected_time *time, struct nodes *nodes);

#endif
