#include "analysis/model/team_time.h"

#include "analysis/model/spans.h"
#include "base/memory.h"

#include <stdlib.h>

/* The last wait of a thread. It may have begun before the region, and end after it. */
struct team_wait {
	int64_t start, end;
};

struct team_time {
	uint32_t thread_count;
	bool is_in_region;
	uint32_t first;   /* the thread that began the region */
	uint32_t members; /* of the region */
	int64_t region_start;
	struct team_use use;
	struct team_wait waits[];
};

struct team_time *team_time_new(uint32_t threads)
{
	struct team_time *teams = memory_new(1, sizeof *teams + threads * sizeof *teams->waits);

	teams->thread_count = threads;
	teams->use = (struct team_use){.is_known = true, .threads = 1};
	return teams;
}

/* Takes the part of the thread's last wait that lies between two times. */
static void end_wait(struct team_time *teams, uint32_t thread, int64_t from, int64_t until)
{
	struct team_wait *wait = &teams->waits[thread];
	int64_t length = interval_ns(max_ns(wait->start, from), min_ns(wait->end, until));

	*wait = (struct team_wait){0};
	if (length <= 0)
		return;
	if (thread == teams->first)
		teams->use.waiting_ns = saturating_add(teams->use.waiting_ns, length);
	else
		teams->use.helping_ns -= length;
}

/* Neither two teams at once, of different first threads, nor teams with unrecorded threads are followed. */
static void begin_region(struct team_time *teams, uint32_t thread, int64_t members, int64_t start)
{
	if (teams->is_in_region || members < 1 || members > teams->thread_count) {
		teams->use.is_known = false;
		return;
	}
	teams->is_in_region = true;
	teams->first = thread;
	teams->members = (uint32_t)members;
	teams->region_start = start;
	if (teams->members > teams->use.threads)
		teams->use.threads = teams->members;
}

static void end_region(struct team_time *teams, uint32_t thread, int64_t end)
{
	int64_t length = interval_ns(teams->region_start, end);

	if (!teams->is_in_region || thread != teams->first) {
		teams->use.is_known = false;
		return;
	}
	for (uint32_t i = 0; i < teams->thread_count; i++)
		end_wait(teams, i, teams->region_start, end);
	for (uint32_t i = 1; i < teams->members; i++)
		teams->use.helping_ns = saturating_add(teams->use.helping_ns, length);
	teams->is_in_region = false;
}

void team_time_event(struct team_time *teams, uint32_t thread, const struct call_info *info,
                     const struct call *call, int64_t start, int64_t end)
{
	switch (info - all_calls) {
	case CALL_omp_fork:
		begin_region(teams, thread, field_or(call, FIELD_COUNT, 0), start);
		break;
	case CALL_omp_join:
		end_region(teams, thread, end);
		break;
	case CALL_omp_unlock:
	case CALL_omp_task:
	case CALL_omp_loop:
	case CALL_omp_loop_end:
		break;
	default:
		if (teams->is_in_region)
			end_wait(teams, thread, teams->region_start, INT64_MAX);
		teams->waits[thread] = (struct team_wait){start, end};
	}
}

struct team_use team_time_end(struct team_time *teams)
{
	struct team_use use = teams->use;

	use.is_known &= !teams->is_in_region && use.helping_ns >= 0;
	free(teams);
	return use;
}
