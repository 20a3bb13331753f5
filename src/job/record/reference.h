/* The clock that all others of a run are compared with: that of `tarry run`, which tells its time over the network
 * (base/clock_service.h). Asking it does not touch the program's own messages, and nobody waits for a process that
 * does not ask. */
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

/* NULL: there is none in this run. */
const struct reference *reference_get(void);

/* Our clock and the other one, at the same moment. */
struct clock_pair {
	uint64_t tick;
	uint64_t other;
	uint64_t uncertainty_ns;
};

enum measured {
	MEASURED,
	MEASURED_BY_ANOTHER, /* who has the same clock, and just now */
	MEASURED_NOT,
};

/* Takes a few milliseconds, and at most a few tenths of a second. */
enum measured reference_measure(struct clock_pair *pair);

#endif
