/* From ticks of each process's clock to the one time of an archive, and back.
 *
 * An archive has one clock, in nanoseconds: that of corrected times. The ticks of a process mostly follow from it by
 * a straight line; where they do not, the difference goes along with the event. */
#ifndef TARRY_OUTPUT_EXCHANGE_OTF2_TIME_H
#define TARRY_OUTPUT_EXCHANGE_OTF2_TIME_H

#include "analysis/model/logical_clock.h"

enum { OTF2_TICKS_PER_SECOND = 1000000000 };

/* Two moments of a process, by its own clock and by the archive's. */
struct otf2_line {
	uint64_t tick, time;
	uint64_t last_tick, last_time;
};

struct otf2_times {
	struct corrected_time *corrected;
	uint64_t start_ns;    /* time 0 in ns since 1970; 0: not known */
	uint64_t first, last; /* of what was written */
};

void otf2_times_init(struct otf2_times *times, struct reader *reader, void (*progress)(double part));
void otf2_times_release(struct otf2_times *times);

uint64_t otf2_time(const struct otf2_times *times, size_t process, uint64_t tick);
struct otf2_line otf2_line_between(const struct otf2_times *times, size_t process, uint64_t first,
                                   uint64_t last);

/* The tick that the line has at this time. */
uint64_t otf2_line_tick(const struct otf2_line *line, uint64_t time);

#endif
