/* From ticks of each process's clock to the one time of an archive, and back.
 *
 * An archive has one clock. Its resolution is that of the fastest clock of the trace, and at least a nanosecond, so
 * that different ticks of a process stay different and the ticks follow from the time again. */
#ifndef TARRY_EXCHANGE_OTF2_TIME_H
#define TARRY_EXCHANGE_OTF2_TIME_H

#include "trace/reader.h"

/* `tick` of the process was `time` of the archive. */
struct otf2_line {
	uint64_t tick;
	uint64_t time;
	uint64_t rate; /* ticks in a second */
};

struct otf2_times {
	uint64_t resolution;
	uint64_t start_ns;       /* time 0 in ns since 1970; 0: not known */
	uint64_t first, last;    /* of what was written */
	struct otf2_line *lines; /* of each process */
};

void otf2_times_init(struct otf2_times *times, const struct reader *reader, struct arena *arena);

uint64_t tick_to_time(const struct otf2_line *line, uint64_t resolution, uint64_t tick);
uint64_t time_to_tick(const struct otf2_line *line, uint64_t resolution, uint64_t time);

#endif
