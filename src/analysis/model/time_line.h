/* From ticks of a process's clock to seconds and to the time of day. */
#ifndef TARRY_ANALYSIS_MODEL_TIME_LINE_H
#define TARRY_ANALYSIS_MODEL_TIME_LINE_H

#include "trace/reader.h"

struct time_line {
	double seconds_per_tick; /* 1 tick is 1 ns where the trace says nothing */
	bool has_date;
	uint64_t tick; /* this tick … */
	uint64_t ns;   /* … was this time, in ns since 1970 */
};

struct time_line time_line_of(const struct process *process);

/* Nanoseconds since 1970; since tick 0 if the date is not known. An integer: a double has no room for the
 * nanoseconds of half a century. */
int64_t tick_to_ns(const struct time_line *line, uint64_t tick);

#endif
