/* All that lives for more than a call: objects, requests, the attached buffer, files. The agent's calls go through here; those that concern
 * none of these, as MPI_Send, cost one look into a table.
 *
 * Leaks are reported before MPI_Finalize, because that may hang for want of what was leaked. Where the program has put attributes on
 * MPI_COMM_SELF or MPI_COMM_WORLD, their delete functions may still free objects, so that leaks of these are reported behind it. */
#ifndef TARRY_JOB_CHECK_LIFETIMES_H
#define TARRY_JOB_CHECK_LIFETIMES_H

#include "job/check/wire/agent_call.h"

#pragma GCC visibility push(hidden)

/* Before the first call. */
void lifetimes_start(void);
/* MPI_THREAD_MULTIPLE, before a second thread can call MPI. */
void lifetimes_share(void);

/* Around each call, also nested ones: behind the checks of arguments, before events. */
void lifetimes_before(struct agent_call *call);
void lifetimes_after(struct agent_call *call, int rc);

/* Whether this function is followed inside of a call, although MPI seems to call it: a delete function of an attribute that ends with a
 * call of MPI mostly jumps there, and then MPI is who gets the result. */
bool lifetimes_follow(enum call_id id, const struct agent_call *outer);

/* The process ends: what belonged to sessions is reported. `in_finalize`: MPI itself ends the process, in MPI_Finalize. */
void lifetimes_end(bool in_finalize);

#pragma GCC visibility pop

#endif
