/* Counters of the processor while a thread computes, that is, outside its calls. They are read where a call begins or ends, never
 * more often than every 100 us between calls, because a reading takes about a microsecond. The time between two readings counts as
 * computing if the thread was in calls for less than an eighth of it; otherwise its counts are dropped. So spinning in MPI does not
 * count. With the sums, the computing time that they cover is added up.
 *
 *	counters_begin(&s->counters, &sums);
 *	if (counters_are_on(&s->counters)) {
 *		counters_before_call(&s->counters, start);
 *		…
 *		counters_after_call(&s->counters, start, end);
 *	}
 *	counters_end(&s->counters);
 *
 * Without the user's option, or if the kernel or the machine has no counters, they are off; a note says why. */
#ifndef TARRY_JOB_RECORD_COUNTERS_H
#define TARRY_JOB_RECORD_COUNTERS_H

#include "base/counters.h"

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* Sums over the computing of all threads of a process. */
struct counter_sums {
	uint32_t known; /* counters, as bits */
	uint64_t ticks; /* computing time that the counts cover */
	uint64_t counts[COUNTERS];
};

/* The kernel's answer: all counters of the thread at one moment. If it divides the processor's counters among users, `running` is less
 * than `enabled`. */
struct counter_reading {
	uint64_t enabled, running; /* nanoseconds */
	uint64_t counts[COUNTERS];
};

/* The computing of one thread, from its readings. */
struct counted_computing {
	bool has_base;
	uint64_t base_tick;          /* of the last reading */
	uint64_t inside;             /* ticks in calls since then */
	struct counter_reading base; /* the last reading */
	struct counter_sums *sums;
};

/* Takes a reading at this tick. If the thread has computed since the last one, adds the counts of that time. */
void counted_computing_take(struct counted_computing *computing, const struct counter_reading *reading,
                            uint64_t tick);

/* An open file of the kernel. */
struct counter_file {
	enum counter counter;
	int number;
	uint64_t id; /* to check that the file is still ours */
};

struct thread_counters {
	struct counter_file files[COUNTERS]; /* the first file returns the counts of all */
	uint32_t count;                      /* of files; 0: off */
	struct counted_computing computing;
};

void counters_begin(struct thread_counters *counters, struct counter_sums *sums);
void counters_end(struct thread_counters *counters);

static inline bool counters_are_on(const struct thread_counters *counters)
{
	return counters->count > 0;
}

void counters_before_call(struct thread_counters *counters, uint64_t start);
void counters_after_call(struct thread_counters *counters, uint64_t start, uint64_t end);

#pragma GCC visibility pop

#endif
