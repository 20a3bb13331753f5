/* How much of the buffers of MPI_Buffer_attach is occupied. A listener of the execution, which asks ordering.h what comes before what.
 *
 * A message of MPI_Bsend occupies the buffer of its sender from the call on. The room is certainly free again when its receive is complete and the
 * sender knows it, through a message back, a barrier or the like. MPI_Buffer_detach waits for all messages and frees the whole buffer. A send
 * that finds too little room by this rule depends on the speed of other processes and is reported (buffer.exhausted). */
#ifndef TARRY_CHECK_EXECUTION_BUFFERED_SENDS_H
#define TARRY_CHECK_EXECUTION_BUFFERED_SENDS_H

#include "check/execution/ordering.h"

struct buffered_sends;

/* After ordering_new: the order of events has to be known first. */
struct buffered_sends *buffered_sends_new(struct execution *execution, struct ordering *ordering,
                                          struct findings_log *log);
/* After execution_free. */
void buffered_sends_free(struct buffered_sends *sends);

#endif
