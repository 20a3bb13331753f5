/* The runs of a stage in one process, for each method. */
#ifndef TARRY_BENCH_RUN_RUNS_H
#define TARRY_BENCH_RUN_RUNS_H

#include "bench/run/global_clock.h"
#include "bench/run/trial.h"

/* The order that process 0 broadcasts before a stage. */
struct order {
	int64_t is_call; /* only a ping */
	int64_t start;   /* tau_j, global */
	int64_t window;  /* delta_j; 0: consecutive runs */
	int64_t slack;   /* tolerance for the start */
	int64_t runs;    /* 0: the end */
	int64_t code;    /* of MPI: MPI_SUCCESS or the failure */
};

/* The report of each process to process 0 after a stage; values are combined by maximum. */
struct runs_report {
	int64_t ended;   /* end of the last run, global */
	int64_t longest; /* the longest time from a planned start until ready for the next run */
	int64_t is_late; /* the first run started late */
	int64_t code;    /* of MPI */
	int64_t *times;  /* of each run */
	int64_t *wrong;  /* whether each run was invalid */
	int64_t *needed; /* from its start until ready for the next run */
};

struct runs_setup {
	struct trial *trial;
	const struct global_clock *clock;
	bool yields; /* yields while it waits, for other processes on the same core */
};

struct method {
	const char *name;
	void (*stage)(const struct runs_setup *running, const struct order *order,
	              struct runs_report *report);
	bool is_one_value; /* one time per stage, not per run */
	bool has_windows;  /* runs have start times, and must end within their windows */
};

enum status method_find(const char *name, const struct method **method) MUST_CHECK;

/* The warm-up: consecutive runs, with every method. */
void run_at_once(const struct runs_setup *running, const struct order *order, struct runs_report *report);

#endif
