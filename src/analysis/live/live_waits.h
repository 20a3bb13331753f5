/* Who waits for whom in a live job, from the calls that processes are in: a receive or a send names its partner, a collective call
 * waits for the members that are not in it, and a wait for those of its requests. */
#ifndef TARRY_ANALYSIS_LIVE_LIVE_WAITS_H
#define TARRY_ANALYSIS_LIVE_LIVE_WAITS_H

#include "analysis/live/live_job.h"

/* Calls that were shorter so far are not taken for waits. */
enum { LIVE_WAIT_LEAST_NS = 1000000 };

/* The partners of each process, whom most wait for, and who wait for each other. */
void live_waits_find(struct live_job *job);

#endif
