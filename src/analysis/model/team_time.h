/* How much of its threads an OpenMP program uses: the useful time of a process's threads, from its regions and the waits in them.
 *
 *	struct team_time *teams = team_time_new(threads);
 *	team_time_event(teams, thread, info, call, start_ns, end_ns); of calls of class openmp, by start
 *	struct team_use use = team_time_end(teams);                   frees it
 *
 * The thread that begins a region is the first of its team. In a region, the other members help it: the length of the region for each of
 * them, without their waits. A worker also waits for its next region after the end of the last one, which is no part of a region. Outside
 * regions, only the first thread works. */
#ifndef TARRY_ANALYSIS_MODEL_TEAM_TIME_H
#define TARRY_ANALYSIS_MODEL_TEAM_TIME_H

#include "calls/calls.h"
#include "trace/reader.h"

#include <stdbool.h>
#include <stdint.h>

struct team_use {
	bool is_known;
	uint32_t threads;   /* of the largest team; 1: no region */
	int64_t waiting_ns; /* of the first thread, in OpenMP */
	int64_t helping_ns; /* of the others, in regions without waits */
};

struct team_time;

struct team_time *team_time_new(uint32_t threads);
void team_time_event(struct team_time *teams, uint32_t thread, const struct call_info *info,
                     const struct call *call, int64_t start, int64_t end);
struct team_use team_time_end(struct team_time *teams);

#endif
