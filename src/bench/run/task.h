/* Measures one line of the table; with `tarry bench tune` one line per algorithm. */
#ifndef TARRY_BENCH_RUN_TASK_H
#define TARRY_BENCH_RUN_TASK_H

#include "bench/run/session.h"

struct task {
	const struct bench_operation *operation;
	MPI_Comm comm; /* MPI_COMM_NULL in processes that do not take part */
	int ranks;
	uint64_t bytes;
	const char *layout; /* "2x4"; NULL: the first processes */
};

struct points {
	struct result_point *at;
	size_t count;
};

/* Collective over the session's world: other processes sleep. Fails if it cannot be measured at all. */
enum status task_measure(struct session *session, const struct task *task, struct arena *arena,
                         struct points *points) MUST_CHECK;

/* The operation and its parameters. */
void point_describe(const struct bench_plan *wanted, const struct trial *trial, struct result_point *point);
/* The same, and the marks of the point. */
void task_describe(const struct session *session, const struct trial *trial, struct result_point *point);

#endif
