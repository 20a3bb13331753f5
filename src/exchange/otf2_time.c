#include "exchange/otf2_time.h"

#include "model/time_line.h"

enum { NANOSECONDS = 1000000000 };

/* Room for times before the first that is known, as of a clock that went backwards: a second. */
enum { ROOM_SECONDS = 1 };

/* What lies beyond is a hostile trace's. */
#define TIME_MAX ((uint64_t)1 << 62)
#define RATE_MAX ((uint64_t)1000 * NANOSECONDS)

static uint64_t rate_of(const struct process *process)
{
	uint64_t rate = process->clock_count ? process->clocks[0].ticks_per_second : 0;

	return rate && rate <= RATE_MAX ? rate : NANOSECONDS;
}

/* The nearest to value * to / from. */
static __int128 scaled(__int128 value, uint64_t to, uint64_t from)
{
	__int128 half = value < 0 ? -(__int128)(from / 2) : from / 2;

	return (value * to + half) / from;
}

static uint64_t limited(__int128 value, uint64_t most)
{
	return value < 0 ? 0 : value > most ? most : (uint64_t)value;
}

uint64_t tick_to_time(const struct otf2_line *line, uint64_t resolution, uint64_t tick)
{
	__int128 ticks = (__int128)tick - line->tick;

	return limited(line->time + scaled(ticks, resolution, line->rate), TIME_MAX);
}

uint64_t time_to_tick(const struct otf2_line *line, uint64_t resolution, uint64_t time)
{
	__int128 elapsed = (__int128)time - line->time;

	return limited(line->tick + scaled(elapsed, line->rate, resolution), UINT64_MAX);
}

/* The earliest date that a clock was compared with, less some room; 0 if none was. */
static uint64_t earliest_ns(const struct reader *reader)
{
	uint64_t earliest = UINT64_MAX;

	for (size_t i = 0; i < reader->process_count; i++) {
		struct time_line line = time_line_of(&reader->processes[i]);
		if (line.has_date && line.ns < earliest)
			earliest = line.ns;
	}
	if (earliest == UINT64_MAX || earliest < (uint64_t)ROOM_SECONDS * NANOSECONDS)
		return 0;
	return earliest - (uint64_t)ROOM_SECONDS * NANOSECONDS;
}

static struct otf2_line line_of(const struct process *process, const struct otf2_times *times)
{
	struct time_line known = time_line_of(process);
	struct otf2_line line = {.rate = rate_of(process)};

	if (!known.has_date)
		return line;
	line.tick = known.tick;
	line.time = limited(scaled((__int128)known.ns - times->start_ns, times->resolution, NANOSECONDS),
	                    TIME_MAX);
	return line;
}

void otf2_times_init(struct otf2_times *times, const struct reader *reader, struct arena *arena)
{
	*times = (struct otf2_times){.resolution = NANOSECONDS, .first = UINT64_MAX};
	times->start_ns = earliest_ns(reader);
	for (size_t i = 0; i < reader->process_count; i++) {
		uint64_t rate = rate_of(&reader->processes[i]);
		if (rate > times->resolution)
			times->resolution = rate;
	}
	times->lines = arena_array(arena, struct otf2_line, reader->process_count);
	for (size_t i = 0; i < reader->process_count; i++)
		times->lines[i] = line_of(&reader->processes[i], times);
}
