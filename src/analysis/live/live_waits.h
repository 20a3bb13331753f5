/* Waits between processes of a live job, from their open calls: a receive or a send names its
 * partner, a collective call waits for the members that have not arrived, and a wait for the
 * partners of its requests. */
#ifndef TARRY_ANALYSIS_LIVE_LIVE_WAITS_H
#define TARRY_ANALYSIS_LIVE_LIVE_WAITS_H

#include "analysis/live/live_job.h"

/* Shorter calls do not count as waits. */
enum { LIVE_WAIT_NS_MIN = 1000000 };

/* Finds the partners of each process, the processes with the most waiters, and processes that
 * wait for each other. */
void live_waits_find(struct live_job *job);

#endif
