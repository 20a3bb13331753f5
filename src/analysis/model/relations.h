/* The relations of a trace: a replay that writes rows of what belongs together (relations.table).
 *
 *	struct row_sink sink = {.context = mine, .wants = {[RELATION_TRANSFER] = true}, .rows = take_rows};
 *	relate(reader, time, &sink, &counts);
 *
 * Rows of a relation come in the order in which they are known, in blocks (relations/row_sink.h). Distinct calls that they
 * refer to live until sink.end returns. Memory is that of what is under way. */
#ifndef TARRY_ANALYSIS_MODEL_RELATIONS_H
#define TARRY_ANALYSIS_MODEL_RELATIONS_H

#include "analysis/model/logical_clock.h"
#include "analysis/model/replay.h"
#include "analysis/relations/row_sink.h"
#include "analysis/relations/rows.h"

/* `time` may be that of corrected_time_by_clocks() as long as no effect comes before its cause, which counts->violations
 * tells: then all of it has to be done again with that of corrected_time_new(). */
void relate(struct reader *reader, const struct corrected_time *time, const struct row_sink *sink,
            struct replay_counts *counts);

/* Of tests in a row: inside of them, or asleep between two of them. Of any other call all of it. */
static inline int64_t busy_ns(const struct occurrence *call, const struct event *event)
{
	int64_t length = call->end - call->start;
	uint64_t ticks = event->end - event->start;

	return event->polls && ticks ? (int64_t)((double)length * ((double)event->busy / (double)ticks))
	                             : length;
}

#endif
