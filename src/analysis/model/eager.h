/* The eager limit where the MPI library did not tell it, as in archives of other tools: the largest standard send that was complete, at
 * the end of MPI_Send or of the Wait or Test for it, before its receive was posted. It is a lower bound, for each world and distance, and -1 if there was no such send: a larger send may wait for its receiver. Only
 * processes count that share a clock, or whose clocks were compared, beyond what these may be apart.
 *
 *	if (eager_is_unknown(session->nodes))
 *		eager_infer(session);                  one replay of the trace
 *	eager_between(session->nodes, sender, receiver)
 */
#ifndef TARRY_ANALYSIS_MODEL_EAGER_H
#define TARRY_ANALYSIS_MODEL_EAGER_H

#include "analysis/model/session.h"

bool eager_is_unknown(const struct nodes *nodes);

/* Limits in the trace stay as they are. */
void eager_infer(struct analysis_session *session);

#endif
