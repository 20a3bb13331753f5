/* OpenMP: barriers, critical sections and locks in the trace are waits for other threads. The threads of a process share a clock, and their
 * calls arrive in order. */
#include "calls/calls.h"
#include "output/timeline/timeline_parts.h"

unsigned teams_kind(enum call_id call)
{
	switch (call) {
	case CALL_omp_barrier:
	case CALL_omp_critical:
	case CALL_omp_lock:
	case CALL_omp_taskwait:
		return KIND_TEAM_WAIT;
	case CALL_omp_fork:
		return KIND_FORK;
	case CALL_omp_join:
		return KIND_JOIN;
	default:
		return KIND_COMPUTING;
	}
}

void teams_mark(struct timeline *timeline, const struct timeline_row *row, unsigned kind, int64_t time)
{
	struct team_times *team = &timeline->teams[row->process];

	if (kind == KIND_JOIN) {
		team->joined = time;
		return;
	}
	team->forked_before = team->forked;
	team->forked = time;
}

/* A thread without work stays in the last barrier of a region until the next region begins. It waits only until the region ends. */
int64_t teams_wait(const struct timeline *timeline, struct timeline_row *row, struct time_span call)
{
	const struct team_times *team = &timeline->teams[row->process];
	int64_t forked = team->forked <= call.from ? team->forked : team->forked_before;

	if (row->first < 0 && forked && forked < call.from)
		row->first = forked;
	return team->joined > call.from && team->joined < call.to ? team->joined : call.to;
}
