/* Runs of a stage in one process, by each of the methods. */
#ifndef TARRY_BENCH_RUN_RUNS_H
#define TARRY_BENCH_RUN_RUNS_H

#include "bench/run/global_clock.h"
#include "bench/run/trial.h"

/* What process 0 tells all before a stage. */
struct order {
	int64_t is_call; /* no order yet: who is there? */
	int64_t start;   /* tau_j, global */
	int64_t window;  /* delta_j; 0: one run right after the other */
	int64_t slack;   /* a start is late only when it is later than that */
	int64_t runs;    /* 0: there is none any more */
	int64_t code;    /* of MPI: what it failed with, or MPI_SUCCESS */
};

/* What each process tells process 0 after it. All are such that the maximum of all processes is what counts. */
struct runs_report {
	int64_t ended;   /* the last run, global */
	int64_t longest; /* from when a run was due until this process was ready for the next one */
	int64_t is_late; /* the first run started too late */
	int64_t code;    /* of MPI */
	int64_t *times;  /* of each run */
	int64_t *wrong;  /* whether it was */
	int64_t *needed; /* from its start until ready for the next one */
};

struct runs_setup {
	struct trial *trial;
	const struct global_clock *clock;
	bool yields; /* waits so that others on the same processor can run */
};

struct method {
	const char *name;
	void (*stage)(const struct runs_setup *running, const struct order *order,
	              struct runs_report *report);
	bool is_one_value; /* a stage has one time, not one for each run */
	bool has_windows;  /* a run has its time to start, and an end by which it must be over */
};

enum status method_find(const char *name, const struct method **method) MUST_CHECK;

/* The warm-up: runs without a pause, whatever the method. */
void run_at_once(const struct runs_setup *running, const struct order *order, struct runs_report *report);

#endif
