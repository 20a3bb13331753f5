#include "job/record/poll_sleep.h"

#include "job/record/stream.h"

_Thread_local struct poll_sleep poll_sleep __attribute__((tls_model("initial-exec")));

void poll_sleep_begin(const struct recording_stream *s, uint64_t start)
{
	poll_sleep = (struct poll_sleep){.stream = s, .look_at = start + scheduling_delay_threshold()};
}

void poll_sleep_look(struct recording_stream *s, uint64_t end)
{
	struct poll_sleep *sleep = &poll_sleep;
	uint64_t ran, delayed;

	sleep->look_at = UINT64_MAX;
	if (!scheduling_delay_count(&s->delay, &delayed) || !thread_ran(&ran))
		return;
	if (!sleep->looked_at)
		sleep->first_delayed_ns = delayed;
	else
		sleep->asleep_ns += (int64_t)((double)(end - sleep->looked_at) * (1e9 / (double)timer.rate)) -
		                    (int64_t)(ran - sleep->ran_ns) - (int64_t)(delayed - sleep->delayed_ns);
	sleep->ran_ns = ran;
	sleep->delayed_ns = delayed;
	sleep->looked_at = end;
	sleep->look_at = end + scheduling_delay_threshold();
}

uint64_t poll_sleep_ticks(const struct recording_stream *s, uint64_t between)
{
	double rate = (double)timer.rate / 1e9, asleep, awake;

	if (poll_sleep.stream != s || poll_sleep.asleep_ns <= 0)
		return 0;
	asleep = (double)poll_sleep.asleep_ns * rate;
	awake = (double)between - asleep -
	        (double)(poll_sleep.delayed_ns - poll_sleep.first_delayed_ns) * rate;
	if (awake > asleep)
		return 0;
	return asleep < (double)between ? (uint64_t)asleep : between;
}
