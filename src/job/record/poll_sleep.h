/* How much of a run of polls a thread sleeps between them: a loop that does little else waits, as it would in a call.
 *
 *	poll_sleep_begin(s, start);                               a run begins
 *	if (poll_sleep_is_due(end)) poll_sleep_look(s, end);      behind each poll
 *	busy += poll_sleep_ticks(s, between);                     the run is over
 *
 * A look takes a microsecond, so there is one every 100 us. Each thread has one run at most. */
#ifndef TARRY_JOB_RECORD_POLL_SLEEP_H
#define TARRY_JOB_RECORD_POLL_SLEEP_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

struct recording_stream;

struct poll_sleep {
	const struct recording_stream *stream; /* whose run it is: another thread may end it */
	uint64_t looked_at, look_at;           /* when for the last time (0: not yet), and when next */
	uint64_t ran_ns, delayed_ns;           /* of the thread then: with a processor, and wanting one */
	int64_t asleep_ns;
	uint64_t first_delayed_ns; /* at the first look */
};

extern _Thread_local struct poll_sleep poll_sleep __attribute__((tls_model("initial-exec")));

void poll_sleep_begin(const struct recording_stream *s, uint64_t start);
void poll_sleep_look(struct recording_stream *s, uint64_t end);
/* Of the ticks between the polls. 0: the thread mostly computed, or it is not known. */
uint64_t poll_sleep_ticks(const struct recording_stream *s, uint64_t between);

/* Of scheduling_delay.c: nanoseconds since any time. False: not known. */
struct scheduling_delay;
bool scheduling_delay_count(struct scheduling_delay *delay, uint64_t *ns);

static inline bool poll_sleep_is_due(uint64_t end)
{
	return end >= poll_sleep.look_at;
}

#pragma GCC visibility pop

#endif
