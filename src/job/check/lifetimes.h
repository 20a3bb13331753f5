/* Follows everything that outlives a call: objects, requests, the attached buffer, files, windows. Calls that
 * use none of these, such as MPI_Send, cost one table lookup.
 *
 * Leaks are reported before MPI_Finalize, because leaked objects may make it hang. If the program has put
 * attributes on MPI_COMM_SELF or MPI_COMM_WORLD, leaked objects are reported after MPI_Finalize, because
 * delete functions may still free them. */
#ifndef TARRY_JOB_CHECK_LIFETIMES_H
#define TARRY_JOB_CHECK_LIFETIMES_H

#include "job/check/wire/agent_call.h"

/* Before the first call. */
void lifetimes_start(void);

/* Around each call, also nested ones, after the checks of arguments and before events. */
void lifetimes_before(struct agent_call *call);
void lifetimes_after(struct agent_call *call, int rc);

/* True if this function is followed inside a call, although MPI seems to call it: compilers often turn the last
 * call of an attribute's delete function into a jump, which returns to MPI. */
bool lifetimes_follow(enum call_id id, const struct agent_call *outer);

/* The process ends: reports objects of sessions. `in_finalize`: MPI ends the process in MPI_Finalize. */
void lifetimes_end(bool in_finalize);

#endif
