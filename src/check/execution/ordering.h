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

#include "check/execution/clocks.h"
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

/* The same for the moment at which an operation of another process began. */
bool ordering_was_before(const struct executed_process *earlier, uint64_t count,
                         const struct executed_operation *later);

/* Order of parts of a run (check/parts), in order_parts.c */

struct order_elsewhere {
	void *owner;
	/* With this rank, in the world of this part. */
	struct executed_process *(*process)(void *owner, uint32_t rank);
	/* A synchronous send to another part is complete: ordering_hear_end() there. */
	void (*send_over)(void *owner, const struct executed_operation *send);
};

void ordering_set_elsewhere(struct ordering *ordering, const struct order_elsewhere *elsewhere);
/* Some process has events that can be queried. */
bool ordering_has_clocks(const struct ordering *ordering);
/* What its process knew when this send began, for the part of its receiver. False: that part knows it. */
bool ordering_tell_send(struct ordering *ordering, const struct executed_operation *send,
                        const struct executed_process *receiver, struct message_writer *out);
bool ordering_hear_send(struct ordering *ordering, const struct executed_process *sender,
                        const struct executed_process *receiver, struct cursor *in);
/* The image of a sender knows what it knew at its last send to this receiver. */
void ordering_at_send(struct ordering *ordering, struct executed_process *sender,
                      const struct executed_process *receiver);
/* For the sender of a synchronous send that is matched. False: there is nothing that it needs. */
bool ordering_tell_match(struct ordering *ordering, const struct executed_operation *send,
                         const struct executed_operation *receive, struct message_writer *out);
bool ordering_hear_match(struct ordering *ordering, const struct executed_operation *send,
                         struct executed_process *receiver, struct cursor *in);
/* For its receiver, when it is complete. */
void ordering_tell_end(const struct executed_operation *send, struct message_writer *out);
bool ordering_hear_end(struct ordering *ordering, struct executed_process *sender,
                       struct executed_process *receiver, struct cursor *in);
/* Members of a collective call, as far as they are here. False: their order does not follow from one sum over all members. */
bool ordering_sum_members(struct ordering *ordering, const struct executed_collective *collective,
                          struct vector_clock **sum);
/* All members are there. `sum` is that of all parts; NULL: nobody knows anything. */
void ordering_members_there(struct ordering *ordering, const struct executed_collective *collective,
                            struct vector_clock *sum);
/* All members are there, and here. */
void ordering_all_here(struct ordering *ordering, struct executed_collective *collective);
/* Components have the ranks of their processes as names. */
void ordering_put_clock(struct ordering *ordering, struct message_writer *out, struct vector_clock **from,
                        struct vector_clock *to);
bool ordering_take_clock(struct ordering *ordering, uint64_t world, struct cursor *in,
                         struct vector_clock **clock);

/* order_handover.c: the order of a process goes to another analyser, as frames: first that of all processes, then their operations, which go on
 * with it. Items for `put` are at most so large. */
typedef void ordering_put_items(void *owner, const struct message_writer *items);
void ordering_hand_over(struct ordering *ordering, struct executed_process *process, bool with_reports,
                        ordering_put_items *put, void *owner);
/* False: invalid. */
bool ordering_hear_items(struct ordering *ordering, struct analysed_process *process, struct cursor *in);

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
