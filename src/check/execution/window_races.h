/* Accesses of windows that are not ordered, by one-sided operations of several processes (MPI 4.0, 12.7). A listener of the execution, which asks
 * ordering.h what comes before what. Also what only both sides together show: displacements beyond the target's window, types that differ, and
 * assertions of a target that an access breaks.
 *
 * Operations of an epoch with fences are complete when all are in the next fence; those between post and wait when the target's wait is over. Neither
 * has an order within the epoch, whatever messages go around. Operations under a lock are complete with flush or unlock; exclusive locks
 * keep them apart, otherwise they need an order of the processes. Programs may make such an order by what they read in windows
 * (a flag, a ticket). That is not seen: if the one process wrote window memory after its access, and the other had read window memory or has its own
 * written to, the two accesses are taken as ordered. So conflicts under shared locks are written when both processes know that the other access is complete
 * and neither has written meanwhile, or else when all processes meet. */
#ifndef TARRY_CHECK_EXECUTION_WINDOW_RACES_H
#define TARRY_CHECK_EXECUTION_WINDOW_RACES_H

#include "check/execution/ordering.h"

struct window_races;

struct window_races *window_races_new(struct execution *execution, struct ordering *ordering,
                                      struct findings_log *log);
void window_races_end(struct window_races *races);
void window_races_free(struct window_races *races);

/* Assertions of windows that several processes break together (MPI 4.0, 12.5.5). A listener of the execution, which asks ordering.h what comes before
 * what; those that an access breaks are in window_races.h and in the agent (job/check/windows/window_epochs.h).
 *
 *	MPI_MODE_NOCHECK of a lock     another process holds a lock that excludes it, or nothing orders the two
 *	MPI_MODE_NOCHECK of a start    the post did not come before it, or has no such assertion; and the other way around
 *	MPI_MODE_NOPRECEDE, MPI_MODE_NOSUCCEED     not all processes of the fence gave it
 *	MPI_MODE_NOSTORE               the memory of the window changed (ASSERTION_STORED), and nobody accessed it by MPI
 *
 * Locks of a process that has read window memory before are not reported: it may have waited there for the other one. */
struct window_assertions;

struct window_assertions *window_assertions_new(struct execution *execution, struct ordering *ordering,
                                                struct findings_log *log);
void window_assertions_end(struct window_assertions *assertions);
void window_assertions_free(struct window_assertions *assertions);

#endif
