/* How late each thread is, at each time, because it wanted a processor and had none, because the recorder itself was at work,
 * because MPI_Init let it go later than others, or because it waited for one that was late for such a reason. Without these delays calls would begin so much earlier: the difference
 * between the delays of two threads is the part of a wait of one for the other that is noise of the machine.
 *
 *	struct propagated_delays *delays = propagated_delays_new(session, polls);
 *	int64_t ns = propagated_delay_at(delays, process, thread, start_ns);
 *	propagated_delays_free(delays);
 *
 * A scheduling delay between calls makes a thread late by as much. One inside a call that waits for another thread does so only
 * after that one has come: the wait would have ended no earlier. At the end of such a call its thread is as late as it was, or as
 * those it waited for were, whoever would have come last: so all have the same delay behind a barrier. Tests in a row that find nothing
 * and the call behind them are one such wait; with work between the tests, a scheduling delay there makes the thread late as well. Who needs whom is
 * the list of model/needed_calls.h: messages in both directions, collective operations, epochs and locks.
 *
 * Takes one replay; memory is that of the last calls, and four words for each change. All threads may read the result. */
#ifndef TARRY_ANALYSIS_MODEL_PROPAGATED_DELAY_H
#define TARRY_ANALYSIS_MODEL_PROPAGATED_DELAY_H

#include "analysis/model/session.h"
#include "analysis/relations/row_sink.h"

struct propagated_delays;

/* With the eager limits of the session. */
struct propagated_delays *propagated_delays_new(struct analysis_session *session, struct work_limits polls);
void propagated_delays_free(struct propagated_delays *delays);

/* Of a call that starts or ends at this time, in the sense of corrected_ns(); 0 in a process or thread that there is none
 * of. */
int64_t propagated_delay_at(const struct propagated_delays *delays, uint32_t process, uint32_t thread,
                            int64_t ns);

/* The part of it that the thread spent in calls longer than it would have: waiting, or without a processor when it could go on. Findings take it off those waits; on a later wait for one
 * that is not so late, it is to be given back: that wait would have been longer by as much. */
int64_t propagated_waited_delay_at(const struct propagated_delays *delays, uint32_t process, uint32_t thread,
                                   int64_t ns);

/* Of a call that ends at this time: the part of its delay that arose inside of it, after those had come that it waited for. */
int64_t propagated_exit_delay_at(const struct propagated_delays *delays, uint32_t process, uint32_t thread,
                                 int64_t ns);

struct delay_sums {
	int64_t scheduling_ns; /* all scheduling delays that are part of the run (model/run_spans.h) */
	/* Those of them that made their threads late: one that spins until another comes loses nothing if it has no processor meanwhile. */
	int64_t harmful_ns;
	int64_t all_harmful_ns; /* also those in MPI_Init, which lies outside the run */
};

/* NULL: there are none. */
struct delay_sums propagated_delay_sums(const struct propagated_delays *delays);

/* Whether events that were read so far have such delays, or a process says that some do. */
bool propagated_delays_are_needed(const struct reader *reader);

#endif
