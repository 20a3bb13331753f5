/* Unordered accesses to windows by one-sided operations of several processes (MPI 4.0, 12.7). A
 * listener of the execution that uses the order of ordering.h. It also checks properties that need
 * both sides: displacements beyond the target's window, mismatched types, and assertions of a target
 * that an access violates.
 *
 * Operations of a fence epoch are complete when all members are in the next fence; those between post and
 * wait, when the target's wait returns. Neither are ordered within the epoch, whatever messages are
 * exchanged. Operations under a lock are complete with flush or unlock; exclusive locks separate them,
 * otherwise the processes must be ordered. Programs may create such an order by reading windows (a flag, a
 * ticket). That is not seen: if one process wrote window memory after its access, and the other had read
 * window memory or has its own memory written, the two accesses count as ordered. So conflicts under shared
 * locks are reported when both processes know that the other access is complete and neither has written
 * meanwhile, or when all processes synchronise. */
#ifndef TARRY_CHECK_EXECUTION_WINDOW_RACES_H
#define TARRY_CHECK_EXECUTION_WINDOW_RACES_H

#include "check/execution/ordering.h"

struct window_races;

struct window_races *window_races_new(struct execution *execution, struct ordering *ordering,
                                      struct findings_log *log);
void window_races_end(struct window_races *races);
void window_races_free(struct window_races *races);

/* Assertions of windows that several processes violate together (MPI 4.0, 12.5.5). A listener of the
 * execution that uses the order of ordering.h; assertions that an access violates are in window_races.h and
 * in the agent (job/check/windows/window_epochs.h).
 *
 *	MPI_MODE_NOCHECK of a lock     another process holds a lock that excludes it, or nothing orders the two
 *	MPI_MODE_NOCHECK of a start    the post was not before it, or has no such assertion; and vice versa
 *	MPI_MODE_NOPRECEDE, MPI_MODE_NOSUCCEED     not all processes of the fence passed it
 *	MPI_MODE_NOSTORE               the memory of the window changed (ASSERTION_STORED), not by MPI
 *
 * Locks of a process that has read window memory before are not reported: it may have waited for
 * the other one that way. */
struct window_assertions;

struct window_assertions *window_assertions_new(struct execution *execution, struct ordering *ordering,
                                                struct findings_log *log);
void window_assertions_end(struct window_assertions *assertions);
void window_assertions_free(struct window_assertions *assertions);

#endif
