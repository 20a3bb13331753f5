/* The inferred eager limit, if the MPI library does not provide it, as in archives of other tools: the
 * largest standard send that was complete (at the end of MPI_Send or of its Wait or Test) before its
 * receive was posted. It is a lower bound per world and distance, and -1 without such a send: a larger send
 * may wait for its receiver. Only processes with a common clock or compared clocks count, beyond the
 * possible offset of the clocks.
 *
 *	eager_find(session);                  one replay of the trace, unless the limits are known or were inferred before
 *	eager_between(session->nodes, sender, receiver) */
#ifndef TARRY_ANALYSIS_MODEL_EAGER_H
#define TARRY_ANALYSIS_MODEL_EAGER_H

#include "analysis/model/session.h"

/* Limits from the trace are kept. UPC has none. */
void eager_find(struct analysis_session *session);
/* False if the send of a message to this process ends without its receive: it is buffered, or not larger than the eager limit. */
bool send_may_wait(const struct nodes *nodes, const struct call_semantics *send, uint32_t receiver);

#endif
