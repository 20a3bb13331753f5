/* The time that a thread sleeps between the polls of a run. A loop that mostly sleeps waits like a blocking call.
 *
 *	poll_sleep_begin(s, start);                               a run begins
 *	if (poll_sleep_is_due(end)) poll_sleep_look(s, end);      after each poll
 *	busy += poll_sleep_ticks(s, between);                     a run ends
 *
* A look takes a microsecond, so it is repeated only every 100 us. Each thread has at most one run. */
#ifndef TARRY_JOB_RECORD_POLL_SLEEP_H
#define TARRY_JOB_RECORD_POLL_SLEEP_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

struct recording_stream;

struct poll_sleep {
	const struct recording_stream *stream; /* the stream of the run; another thread may end the run */
	uint64_t looked_at, look_at;           /* last look (0: none yet) and next look */
	uint64_t ran_ns,
		delayed_ns; /* the thread's time at the last look: on a processor, and waiting for one */
	int64_t asleep_ns;
	uint64_t first_delayed_ns; /* at the first look */
};

extern _Thread_local struct poll_sleep poll_sleep __attribute__((tls_model("initial-exec")));

void poll_sleep_begin(const struct recording_stream *s, uint64_t start);
void poll_sleep_look(struct recording_stream *s, uint64_t end);
/* The part of the ticks between polls in which the thread slept. 0: it mostly computed, or the part is unknown. */
uint64_t poll_sleep_ticks(const struct recording_stream *s, uint64_t between);

/* In scheduling_delay.c: the delay so far, from an arbitrary start. False: unknown. */
struct scheduling_delay;
bool scheduling_delay_count(struct scheduling_delay *delay, uint64_t *ns);

static inline bool poll_sleep_is_due(uint64_t end)
{
	return end >= poll_sleep.look_at;
}

#pragma GCC visibility pop

#endif
