/* The nearest callers of a call. They are always recorded, because a program with its own layer around MPI makes all calls from
 * a few places in that layer. --callpath records the whole path (job/mpi/call_path.h).
 *
 * A path is found by remembered frame sizes: the distance between a return address and that of its caller is constant, unless a
* function uses alloca(). So the stack is unwound once for each path. Later calls only compare the words with the return
 * addresses. Nothing outside the thread's own stack is read.
 *
 *	s->near = near_callers_new();                                      NULL: use return addresses
 *	site = s->near ? near_callers_find(s->near, site, frame) : site;   the word of a place, or the return address */
#ifndef TARRY_JOB_RECORD_NEAR_CALLERS_H
#define TARRY_JOB_RECORD_NEAR_CALLERS_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

enum {
	NEAR_CALLERS = 3, /* always recorded */
	FAR_CALLERS = 8,  /* the maximum, if the nearest are in a library */
};

struct near_callers;

/* False if the user wants whole paths. */
bool near_callers_are_wanted(void);

/* For the calling thread. NULL: not wanted, or no memory. */
struct near_callers *near_callers_new(void);
void near_callers_free(struct near_callers *near);

/* Forgets all addresses, because files were unloaded. */
void near_callers_forget(struct near_callers *near);

/* `site` is a return address, `frame` is the wrapper's. Returns `site` if its callers are unknown. */
int64_t near_callers_find(struct near_callers *near, int64_t site, uintptr_t frame);

#pragma GCC visibility pop

#endif
