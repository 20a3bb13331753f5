#include "job/record/absence.h"

#include "job/record/stream.h"
#include "job/record/timer.h"

/* Shorter times in the kernel are as usual: of a thread that is woken, for example. */
enum { BLOCKED_US_MIN = 20 };

/* The last look was at the end of the last call or earlier. If earlier, the thread may have been blocked before the end of that call: then
 * only what exceeds the time in between is sure, and the call gets a look at its end the next time. */
void absence_before(struct recording_stream *s, uint64_t last_end, uint64_t now)
{
	const uint64_t looked = s->delay.looked_tick, ticks_us = timer.rate / 1000000;
	const uint64_t unsure_us = last_end > looked ? (last_end - looked) / ticks_us : 0;
	const uint64_t most_us = (now - last_end) / ticks_us;
	uint64_t blocked_ns, us;

	s->delay_before += scheduling_delay_since(&s->delay, now, &blocked_ns);
	if (s->delay_before)
		s->threshold = 0;
	us = blocked_ns / 1000;
	if (us < BLOCKED_US_MIN)
		return;
	if (unsure_us && s->encoder.last != NO_CALL) {
		s->known[s->encoder.last].precedes_absence = true;
		s->known[s->encoder.last].raw_words = 0; /* so it is not predicted by these */
	}
	us = us > unsure_us ? us - unsure_us : 0;
	us = us < most_us ? us : most_us;
	s->blocked_before += us < UINT32_MAX - s->blocked_before ? (uint32_t)us : 0;
	if (s->blocked_before)
		s->threshold = 0;
}

uint32_t absence_inside(struct recording_stream *s, uint64_t start, uint64_t end)
{
	uint64_t blocked_ns;

	return end - start >= scheduling_delay_threshold()
	               ? scheduling_delay_since(&s->delay, end, &blocked_ns)
	               : 0;
}
