/* The reference clock of a run: the clock of `tarry run`, which answers over the network (base/clock_service.h). Questions do not affect the
 * program's messages, and no other process waits for a process that asks. */
#ifndef TARRY_JOB_RECORD_REFERENCE_H
#define TARRY_JOB_RECORD_REFERENCE_H

#include "base/clock_service.h"
#include "job/record/timer.h"

struct reference {
	char identity[TIMER_IDENTITY_MAX];
	uint64_t rate;
	uint8_t key[CLOCK_KEY_BYTES];
	char port[8];
	char addresses[CLOCK_ADDRESSES_MAX][48];
	size_t address_count;
};

/* NULL: this run has no reference clock. */
const struct reference *reference_get(void);

/* Our clock and the other clock at the same moment. */
struct clock_pair {
	uint64_t tick;
	uint64_t other;
	uint64_t uncertainty_ns;
};

enum measured {
	MEASURED,
	MEASURED_BY_ANOTHER, /* by a process with the same clock, just now */
	MEASURED_NOT,
};

/* Takes a few milliseconds, and at most a few tenths of a second. */
enum measured reference_measure(struct clock_pair *pair);

#endif
