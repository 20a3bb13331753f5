/* The delay of each thread over time: because it was ready to run without a CPU, because of the recorder,
 * because MPI_Init returned later than elsewhere, or because it waited for a thread delayed for such a
 * reason. Without these delays calls would begin earlier. The difference between the delays of two threads is
 * the part of a wait of one for the other that is machine noise.
 *
 *	struct propagated_delays *delays = propagated_delays_new(session);
 *	int64_t ns = propagated_delay_at(delays, process, thread, start_ns);
 *	propagated_delays_free(delays);
 *
 * A scheduling delay between calls delays a thread by the same time. Inside a call that waits for another
 * thread, it does so only after that thread has arrived: the wait would not have ended earlier. At the end of
 * such a call the delay of its thread is its own or that of the awaited threads, whichever would have arrived
 * last: so all have the same delay after a barrier. Consecutive unsuccessful tests and the following call are
 * one such wait; with work between the tests, a scheduling delay there also delays the thread. The needs come
 * from model/needed_calls.h: messages in both directions, collective operations, epochs and locks.
 *
 * Takes one replay; memory is needed for the last calls, and four words per change. The
 * result is thread-safe. */
#ifndef TARRY_ANALYSIS_MODEL_PROPAGATED_DELAY_H
#define TARRY_ANALYSIS_MODEL_PROPAGATED_DELAY_H

#include "analysis/model/session.h"
#include "analysis/relations/row_sink.h"

struct propagated_delays;

/* With the eager limits of the session. */
struct propagated_delays *propagated_delays_new(struct analysis_session *session);
void propagated_delays_free(struct propagated_delays *delays);

/* Of a call that starts or ends at this time, in the sense of corrected_ns(); 0 for an
 * unknown process or thread. */
int64_t propagated_delay_at(const struct propagated_delays *delays, uint32_t process, uint32_t thread,
                            int64_t ns);

/* The part of it that the thread spent in calls longer than necessary: waiting, or without a CPU when it
 * could continue. Findings subtract it from those waits; it must be added to a later wait for a less delayed
 * thread, because that wait would have been longer by as much. */
int64_t propagated_waited_delay_at(const struct propagated_delays *delays, uint32_t process, uint32_t thread,
                                   int64_t ns);

/* Of a call that ends at this time: the part of its delay that arose inside it, after the awaited
 * threads had arrived. */
int64_t propagated_exit_delay_at(const struct propagated_delays *delays, uint32_t process, uint32_t thread,
                                 int64_t ns);

struct delay_sums {
	int64_t scheduling_ns; /* all scheduling delays in the run (model/run_spans.h) */
	/* Those of them that delayed their threads: a thread that spins until another arrives loses
	 * nothing without a CPU. */
	int64_t harmful_ns;
	int64_t all_harmful_ns; /* including those in MPI_Init, which is outside the run */
};

/* NULL: none. */
struct delay_sums propagated_delay_sums(const struct propagated_delays *delays);

/* True if events read so far have such delays, or a process reports some. */
bool propagated_delays_are_needed(const struct reader *reader);

#endif
