/* Assertions of windows that several processes break together (MPI 4.0, 12.5.5). A listener of the execution, which asks ordering.h what comes before
 * what; those that an access breaks are in window_races.h and in the agent (job/check/windows/window_epochs.h).
 *
 *	MPI_MODE_NOCHECK of a lock     another process holds a lock that excludes it, or nothing orders the two
 *	MPI_MODE_NOCHECK of a start    the post did not come before it, or has no such assertion; and the other way around
 *	MPI_MODE_NOPRECEDE, MPI_MODE_NOSUCCEED     not all processes of the fence gave it
 *	MPI_MODE_NOSTORE               the memory of the window changed (ASSERTION_STORED), and nobody accessed it by MPI
 *
 * Locks of a process that has read window memory before are not reported: it may have waited there for the other one. */
#ifndef TARRY_CHECK_EXECUTION_WINDOW_ASSERTIONS_H
#define TARRY_CHECK_EXECUTION_WINDOW_ASSERTIONS_H

#include "check/execution/ordering.h"

struct window_assertions;

struct window_assertions *window_assertions_new(struct execution *execution, struct ordering *ordering,
                                                struct findings_log *log);
void window_assertions_end(struct window_assertions *assertions);
void window_assertions_free(struct window_assertions *assertions);

#endif
