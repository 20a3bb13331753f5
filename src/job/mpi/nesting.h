/* Whether a call that lies deeper in the stack than an unfinished one is nested in it. MPI calling itself is told by the
 * return address, which is frequent and quick. Otherwise the program calls: from a callback, or because the unfinished
 * call was left by an exception or a jump and never will be finished. Then the stack tells. */
#ifndef TARRY_JOB_MPI_NESTING_H
#define TARRY_JOB_MPI_NESTING_H

#include <stdbool.h>
#include <stdint.h>

enum call_nesting {
	NOT_NESTED,
	NESTED_IN_MPI,      /* MPI calls itself */
	NESTED_IN_CALLBACK, /* a function of the program calls, which MPI called */
};

/* Does MPI itself call from this return address? Its faces for other languages do not count: they pass on what the program calls. Quick, and
 * for any number of threads. */
bool call_is_inside_mpi(const void *site) __attribute__((visibility("hidden")));

/* `limit` is the frame of the unfinished wrapper, `frame` that of the new one. */
enum call_nesting call_nesting(uintptr_t limit, const void *frame) __attribute__((visibility("hidden")));

#endif
