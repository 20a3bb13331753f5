/* What the trace says of the process and where it ran. */
#ifndef TARRY_RECORD_DESCRIBE_H
#define TARRY_RECORD_DESCRIBE_H

#include "base/clock.h"

/* Host, processors, program, arguments, environment (secrets left out). */
void describe_process(void);
/* Points of comparison between the counter and the world's time, at the start and at the end. */
void describe_clock(const struct clock_point *points, int count);

#endif
