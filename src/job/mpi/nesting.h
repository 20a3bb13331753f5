/* Whether a call that is deeper in the stack than an unfinished call is nested in it. In the frequent case,
 * MPI calls itself, which the return address shows quickly. Otherwise the program made the call, either in a
 * callback or after an exception or longjmp has left the unfinished call: the stack is unwound to find out. */
#ifndef TARRY_JOB_MPI_NESTING_H
#define TARRY_JOB_MPI_NESTING_H

#include <stdbool.h>
#include <stdint.h>

enum call_nesting {
	NOT_NESTED,
	NESTED_IN_MPI,      /* MPI calls itself */
	NESTED_IN_CALLBACK, /* MPI called a function of the program, which made this call */
};

/* Whether MPI itself calls from this return address. Its bindings for other languages do not count,
 * because they forward the program's calls. Fast, thread-safe. */
bool call_is_inside_mpi(const void *site) __attribute__((visibility("hidden")));

/* `limit` is the frame of the unfinished wrapper, `frame` that of the new one. */
enum call_nesting call_nesting(uintptr_t limit, const void *frame) __attribute__((visibility("hidden")));

#endif
