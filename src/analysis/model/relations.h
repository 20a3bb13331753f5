/* The relations of a trace: a replay that writes rows of what belongs together (relations.table).
 *
 *	struct row_sink sink = {.context = mine, .wants = {[RELATION_TRANSFER] = true}, .rows = take_rows};
 *	relate(session, &sink, &counts);
 *
 * Rows of a relation come in the order in which they are known, in blocks (relations/row_sink.h). Distinct calls that they
 * refer to live until sink.end returns. Memory is that of what is under way. */
#ifndef TARRY_ANALYSIS_MODEL_RELATIONS_H
#define TARRY_ANALYSIS_MODEL_RELATIONS_H

#include "analysis/model/session.h"
#include "analysis/relations/row_sink.h"
#include "analysis/relations/rows.h"
#include "trace/reader.h"

/* If counts->violations says that an effect came before its cause, all of it has to be done again after session_correct_time(). */
void relate(struct analysis_session *session, const struct row_sink *sink, struct replay_counts *counts);

/* Of tests in a row: inside of them, or asleep between two of them. Of any other call all of it. */
static inline int64_t busy_ns(const struct occurrence *call, const struct event *event)
{
	int64_t length = call->end - call->start;
	uint64_t ticks = event->end - event->start;

	return event->polls && ticks ? (int64_t)((double)length * ((double)event->busy / (double)ticks))
	                             : length;
}

#endif
