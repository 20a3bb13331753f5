/* The happens-before order: a vector clock for each process, and message races found with it. A
 * listener of the execution.
 *
 *	struct ordering *ordering = ordering_new(execution, log);
 *	…
 *	ordering_end(ordering);
 *	ordering_free(ordering);                  after execution_free, which releases its operations
 *
 * A race is a receive with MPI_ANY_SOURCE that received one message although one from another process could
 * have arrived instead: its send does not happen after this receive, and no earlier receive took it. All
 * races of one source line are one finding, written at the end.
 *
 * Order comes from: the order of calls in a process (all its threads together), a message and the end of its
 * receive or probe, the posting of a receive and the end of its synchronous send, the data flow of collective
 * calls, post and start, complete and wait, unlock and lock (unless both are shared).
 *
 * Only processes whose events may be queried have a component in the clocks: receivers with MPI_ANY_SOURCE,
 * synchronous senders to such a receive, and processes for which ordering_count was called. */
#ifndef TARRY_CHECK_EXECUTION_ORDERING_H
#define TARRY_CHECK_EXECUTION_ORDERING_H

#include "check/execution/execution.h"
#include "check/known/findings_log.h"

struct ordering;

struct ordering *ordering_new(struct execution *execution, struct findings_log *log);
/* All processes are gone, or the run is stopped: writes the findings. */
void ordering_end(struct ordering *ordering);
void ordering_free(struct ordering *ordering);

/* For other listeners: adds an event of the process and returns its number. */
uint64_t ordering_count(struct ordering *ordering, struct executed_process *process);
/* For the present: true if the count-th event of `earlier` happens before everything that
 * `later` does from now on. */
bool ordering_is_before(const struct ordering *ordering, const struct executed_process *earlier,
                        uint64_t count, const struct executed_process *later);

/* The use of buffers attached by MPI_Buffer_attach. A listener of the execution that uses the
 * order of ordering.h.
 *
 * A message of MPI_Bsend occupies the buffer of its sender from the call on. The space is certainly free
 * again when its receive is complete and the sender knows it, through a message back, a barrier or the like.
 * MPI_Buffer_detach waits for all messages and frees the whole buffer. A send without enough certainly free
 * space depends on the speed of other processes and is reported (buffer.exhausted). */
struct buffered_sends;

/* After ordering_new, because it needs the order of events. */
struct buffered_sends *buffered_sends_new(struct execution *execution, struct ordering *ordering,
                                          struct findings_log *log);
/* After execution_free. */
void buffered_sends_free(struct buffered_sends *sends);

#endif
