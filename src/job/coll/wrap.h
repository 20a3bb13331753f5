/* Definitions for the generated wrappers (src/calls/generator/coll.py). */
#ifndef TARRY_JOB_COLL_WRAP_H
#define TARRY_JOB_COLL_WRAP_H

#include "job/coll/coll.h"
#include "job/coll/settings.h"
#include "job/mpi/fortran.h"
#include "job/mpi/nesting.h"

#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))
#define HERE __builtin_return_address(0)
#define FRAME __builtin_frame_address(0)

/* The functions that wrappers call: MPI's, unless another tool is in between (tarry_chain_others). */
struct coll_next {
	const char *name; /* NULL: end of the table */
	void *place;      /* the pointer to the function */
};

extern const struct coll_next coll_nexts[] __attribute__((visibility("hidden")));
void *coll_fortran_next(void **next, const char *name) __attribute__((visibility("hidden")));

#endif
