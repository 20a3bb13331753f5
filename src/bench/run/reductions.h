/* Operations of reductions by name, with what they do to a pair of numbers. */
#ifndef TARRY_BENCH_RUN_REDUCTIONS_H
#define TARRY_BENCH_RUN_REDUCTIONS_H

#include "bench/run/datatypes.h"

struct reduction {
	const char *name;
	MPI_Op (*op)(void); /* NULL: a function of our own, which takes whatever the type is */
	unsigned kinds;     /* enum basic_kind: what it is defined for */
	int64_t (*join)(int64_t left, int64_t right);
};

/* NULL: sum. */
enum status reduction_find(const char *name, const struct reduction **reduction) MUST_CHECK;
/* What it is tried with if the user says nothing. */
const char *reduction_usual_type(const struct reduction *reduction);
enum status reduction_check(const struct reduction *reduction, const struct datatype *datatype) MUST_CHECK;

/* The user-defined one works on `datatype` until the next call of this. */
MPI_Op reduction_make(const struct reduction *reduction, const struct datatype *datatype);
void reduction_free(const struct reduction *reduction, MPI_Op *op);

#endif
