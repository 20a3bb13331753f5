#include "output/exchange/otf2_time.h"

#include "analysis/model/time_line.h"

/* Room for times before the first that is known, as of a clock that went backwards. */
#define ROOM_NS ((uint64_t)OTF2_TICKS_PER_SECOND)

/* What lies beyond is a hostile trace's. */
#define TIME_MAX ((uint64_t)1 << 62)

uint64_t otf2_line_tick(const struct otf2_line *line, uint64_t time)
{
	__int128 elapsed = (__int128)time - line->time;
	__int128 ticks = (__int128)line->last_tick - line->tick,
		 length = (__int128)line->last_time - line->time;

	/* 2^62 at the most, so that the product has room. */
	if (length <= 0 || length > (__int128)TIME_MAX || ticks < 0 || ticks > (__int128)TIME_MAX)
		return line->tick;
	return (uint64_t)(line->tick + (elapsed * ticks + (elapsed < 0 ? -length : length) / 2) / length);
}

uint64_t otf2_time(const struct otf2_times *times, size_t process, uint64_t tick)
{
	int64_t ns = corrected_ns(times->corrected, (uint32_t)process, tick);
	/* A clock without a date among others that have one counts from its own zero. */
	uint64_t since = ns < 0                            ? 0
	                 : (uint64_t)ns >= times->start_ns ? (uint64_t)ns - times->start_ns
	                                                   : (uint64_t)ns;

	return since < TIME_MAX ? since : TIME_MAX;
}

struct otf2_line otf2_line_between(const struct otf2_times *times, size_t process, uint64_t first,
                                   uint64_t last)
{
	return (struct otf2_line){first, otf2_time(times, process, first), last,
	                          otf2_time(times, process, last)};
}

/* The earliest date that a clock was compared with, less some room; 0 if none was. */
static uint64_t earliest_ns(const struct otf2_times *times, const struct reader *reader)
{
	uint64_t earliest = UINT64_MAX;

	for (size_t i = 0; i < reader->process_count; i++) {
		struct time_line line = time_line_of(&reader->processes[i]);
		int64_t ns = corrected_ns(times->corrected, (uint32_t)i, line.tick);
		if (line.has_date && ns >= 0 && (uint64_t)ns < earliest)
			earliest = (uint64_t)ns;
	}
	return earliest == UINT64_MAX || earliest < ROOM_NS ? 0 : earliest - ROOM_NS;
}

void otf2_times_init(struct otf2_times *times, struct reader *reader, void (*progress)(double part))
{
	*times = (struct otf2_times){.corrected = corrected_time_new(reader, progress), .first = UINT64_MAX};
	times->start_ns = earliest_ns(times, reader);
}

void otf2_times_release(struct otf2_times *times)
{
	corrected_time_free(times->corrected);
}
