/* What happened before what: a vector clock for each process, and message races found with it. A listener of the execution.
 *
 *	struct ordering *ordering = ordering_new(execution, log);
 *	…
 *	ordering_end(ordering);
 *	ordering_free(ordering);                  after execution_free, which gives its operations back
 *
 * A race is a receive with MPI_ANY_SOURCE that took one message although another one, from another process, could have come instead: its send does not
 * happen after this receive, and no receive that was posted earlier took it. Races of a line of the program are one finding, written at the end.
 *
 * Order comes from: the order of calls in a process (all its threads together), a message and the end of its receive or probe, a synchronous send's
 * end and the posting of its receive, collective calls by the way their data go, post and start, complete and wait, unlock and lock (unless both are
 * shared).
 *
 * Only processes whose events somebody asks for have a component in the clocks: those that receive with MPI_ANY_SOURCE, that send synchronously to
 * such a receive, or that ordering_count was called for. */
#ifndef TARRY_CHECK_EXECUTION_ORDERING_H
#define TARRY_CHECK_EXECUTION_ORDERING_H

#include "check/execution/execution.h"
#include "check/known/findings_log.h"

struct ordering;

struct ordering *ordering_new(struct execution *execution, struct findings_log *log);
/* All processes are gone, or the run is stopped: writes the findings. */
void ordering_end(struct ordering *ordering);
void ordering_free(struct ordering *ordering);

/* For other listeners: a new event of the process, the count-th that it has. */
uint64_t ordering_count(struct ordering *ordering, struct executed_process *process);
/* Of what happened so far: does the count-th event of `earlier` come before all that `later` does from now on? */
bool ordering_is_before(const struct ordering *ordering, const struct executed_process *earlier,
                        uint64_t count, const struct executed_process *later);

/* How much of the buffers of MPI_Buffer_attach is occupied. A listener of the execution, which asks ordering.h what comes before what.
 *
 * A message of MPI_Bsend occupies the buffer of its sender from the call on. The room is certainly free again when its receive is complete and the
 * sender knows it, through a message back, a barrier or the like. MPI_Buffer_detach waits for all messages and frees the whole buffer. A send
 * that finds too little room by this rule depends on the speed of other processes and is reported (buffer.exhausted). */
struct buffered_sends;

/* After ordering_new: the order of events has to be known first. */
struct buffered_sends *buffered_sends_new(struct execution *execution, struct ordering *ordering,
                                          struct findings_log *log);
/* After execution_free. */
void buffered_sends_free(struct buffered_sends *sends);

#endif
