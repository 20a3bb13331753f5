/* Who called the function that calls MPI, and who called that one: so much of the call path is always recorded, as programs that have a
 * layer of their own around MPI make all calls from a few places in it. With --callpath the whole path is
 * (job/mpi/call_path.h).
 *
 * A path is found by frame sizes that are remembered: the same return address always stands at the same distance from that of its caller, unless a
 * function takes memory of the stack. So the stack is unwound once for each path, and then only words of it are compared: those that
 * hold the return addresses, at the same distances from the wrapper's frame. Nothing outside of the thread's own stack is read.
 *
 *	s->near = near_callers_new();                                      NULL: return addresses have to do
 *	site = s->near ? near_callers_find(s->near, site, frame) : site;   the word of a place, or the return address
 */
#ifndef TARRY_JOB_RECORD_NEAR_CALLERS_H
#define TARRY_JOB_RECORD_NEAR_CALLERS_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

enum {
	NEAR_CALLERS = 3, /* that are always wanted */
	FAR_CALLERS = 8,  /* at the most, to get out of a library */
};

struct near_callers;

/* Whether they are recorded at all: not where the user wants whole paths. */
bool near_callers_are_wanted(void);

/* For the calling thread. NULL: not wanted, or there is no memory. */
struct near_callers *near_callers_new(void);
void near_callers_free(struct near_callers *near);

/* Files were unloaded: what is known of addresses may be wrong now. */
void near_callers_forget(struct near_callers *near);

/* `site`: a return address; `frame`: the wrapper's. Gives the return address itself back when no more is known. */
int64_t near_callers_find(struct near_callers *near, int64_t site, uintptr_t frame);

#pragma GCC visibility pop

#endif
