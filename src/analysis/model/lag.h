/* How late each thread is, at each time, because it wanted a processor and had none, because the recorder itself was at work, or
 * because it waited for one that was late for such a reason. Without it calls would begin so much earlier: the difference of what two threads lag tells how
 * much of the time that one waits for the other is noise of the machine.
 *
 *	struct lags *lags = lags_new(reader, time, NULL);
 *	int64_t ns = lag_at(lags, process, thread, start_ns);
 *	lags_free(lags);
 *
 * Time stolen between calls makes a thread late by as much. Time stolen inside a call that waits for another thread does so
 * only after that one has come: the wait would have ended no earlier. At the end of such a call its thread is as late as it
 * was, or as those it waited for were, whoever would have come last: so all lag as much behind a barrier. A send that waits for its receiver does not
 * inherit.
 *
 * Takes one pass over the trace; memory is two words for each change. What is made can be read by all threads. */
#ifndef TARRY_ANALYSIS_MODEL_LAG_H
#define TARRY_ANALYSIS_MODEL_LAG_H

#include "analysis/model/logical_clock.h"

struct lags;

struct lags *lags_new(struct reader *reader, const struct corrected_time *time,
                      void (*progress)(double part));
void lags_free(struct lags *lags);

/* Of a call that starts or ends at this time, in the sense of corrected_ns(); 0 in a process or thread that there is none
 * of. */
int64_t lag_at(const struct lags *lags, uint32_t process, uint32_t thread, int64_t ns);

/* All that was stolen. */
int64_t lags_stolen_ns(const struct lags *lags);
/* All that the recorder took between calls. */
int64_t lags_tool_ns(const struct lags *lags);

/* Whether events that were read so far tell of such time, or a process says that some do. */
bool lags_are_needed(const struct reader *reader);

#endif
