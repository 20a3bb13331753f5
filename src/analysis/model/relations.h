/* The relations of a trace: a replay that writes related calls as rows (relations.table).
 *
 *	struct row_sink sink = {.context = mine, .wants = {[RELATION_TRANSFER] = true}, .rows = take_rows};
 *	relate(session, &sink, &counts);
 *
 * Rows of a relation are written in the order of their completion, in blocks (relations/row_sink.h). The
 * distinct calls in them are valid until sink.end returns. Memory is needed for pending operations. */
#ifndef TARRY_ANALYSIS_MODEL_RELATIONS_H
#define TARRY_ANALYSIS_MODEL_RELATIONS_H

#include "analysis/model/session.h"
#include "analysis/model/spans.h"
#include "analysis/relations/row_sink.h"
#include "analysis/relations/rows.h"
#include "trace/reader.h"

/* If counts->violations shows that an effect preceded its cause, everything must be repeated after
 * session_correct_time(). */
void relate(struct analysis_session *session, const struct row_sink *sink, struct replay_counts *counts);

/* For consecutive tests: the time inside them, or asleep between two of them. For any other
 * call, its whole time. */
static inline int64_t busy_ns(const struct occurrence *call, const struct event *event)
{
	int64_t length = call->end - call->start;
	uint64_t ticks = event->end - event->start;

	return event->polls && ticks ? (int64_t)((double)length * ((double)event->busy / (double)ticks))
	                             : length;
}

/* The scheduling delay in it. */
static inline int64_t delay_inside_ns(const struct occurrence *call, const struct event *event)
{
	return min_ns((int64_t)event->delay_inside * NS_PER_US, interval_ns(call->start, call->end));
}

/* Whether the process worked between the consecutive tests of this event. Scheduling delays are not work. */
static inline bool works_between_polls(const struct analysis_session *session, const struct occurrence *call,
                                       const struct event *event)
{
	int64_t busy = busy_ns(call, event), delay = delay_inside_ns(call, event);

	return event->polls &&
	       !poll_is_idle(session, call->end - call->start - busy - delay, busy, event->polls);
}

#endif
