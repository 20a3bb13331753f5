/* Reduction operations by name, with their function on two numbers. */
#ifndef TARRY_BENCH_RUN_REDUCTIONS_H
#define TARRY_BENCH_RUN_REDUCTIONS_H

#include "bench/run/datatypes.h"

struct reduction {
	const char *name;
	MPI_Op (*op)(void); /* NULL: our own function, which accepts any type */
	unsigned kinds;     /* enum basic_kind: types that it is defined for */
	int64_t (*join)(int64_t left, int64_t right);
};

/* NULL: sum. */
enum status reduction_find(const char *name, const struct reduction **reduction) MUST_CHECK;
/* The default type for it. */
const char *reduction_usual_type(const struct reduction *reduction);
enum status reduction_check(const struct reduction *reduction, const struct datatype *datatype) MUST_CHECK;

/* The user-defined one works on `datatype` until the next call. */
MPI_Op reduction_make(const struct reduction *reduction, const struct datatype *datatype);
void reduction_free(const struct reduction *reduction, MPI_Op *op);

#endif
