/* Rules of the method: which runs are invalid, the next window, the end. Arithmetic only. */
#ifndef TARRY_BENCH_RUN_WINDOW_H
#define TARRY_BENCH_RUN_WINDOW_H

#include "bench/results/plan.h"

#include <stdbool.h>
#include <stdint.h>

/* One run of one process, in global time. */
struct timed_run {
	int64_t due;     /* tau_l: planned start */
	int64_t started; /* actual start */
	int64_t ended;
};

/* It started late, or was still busy at the next start. `slack_ns`: tolerance for clock errors. */
bool run_is_wrong(const struct timed_run *run, int64_t window_ns, int64_t slack_ns);

/* The result of a stage, over all processes. */
struct stage {
	int64_t runs;
	int64_t wrong;
	int64_t window_ns;  /* delta_j; 0 in the warm-up stage */
	bool is_shared;     /* processes share cores: delays are usual */
	int64_t length_ns;  /* tau'_j - tau_j: from the first start to the last end */
	int64_t usual_ns;   /* third quartile of the time from start to ready */
	int64_t longest_ns; /* the longest, from its planned start */
};

/* Sorts its argument. */
int64_t third_quartile(int64_t *values, int64_t count);

/* delta_{j+1}. If more than the share g is invalid, or after the warm-up: gamma * length / runs, limited
 * by the length of most runs, so that single delayed runs do not widen it. If the window is already that
 * long, it doubles, up to 8 times the length of most runs. If less than g / 2 is invalid and runs need
 * less than half of the window: gamma * the longest run. Otherwise unchanged. */
int64_t window_next(const struct stage *stage, const struct bench_plan *wanted);

/* All stages so far, without the warm-up. */
struct progress {
	int64_t runs;
	int64_t right;
	double relative_error; /* INFINITY if unknown */
	int64_t elapsed_ns;
};

/* While too few runs are valid, up to this many times the requested runs are made: runs_max() in all. */
enum { RUNS_IN_NEED = 10 };

/* Limits of a point. */
int64_t time_left_ns(const struct progress *progress, const struct bench_plan *wanted);
bool measured_enough(const struct progress *progress, const struct bench_plan *wanted);
int64_t runs_max(const struct bench_plan *wanted);

/* Runs of the next stage: fewer than k if k would exceed the time limit; at least one. */
int64_t stage_length(const struct progress *progress, int64_t window_ns, const struct bench_plan *wanted);

/* The tolerance for late starts: exact if possible. Processes that share cores cannot start at the same
 * time, so it is a part of the window then. */
int64_t slack_of(int64_t exact_ns, int64_t window_ns, bool is_shared);

/* Several stages without a valid run: other programs use these cores. */
bool processors_seem_shared(const struct progress *progress, const struct bench_plan *wanted);

/* enum mark: MARK_FEW and MARK_UNSTEADY. */
unsigned progress_marks(const struct progress *progress, const struct bench_plan *wanted);

/* The lead of a stage: t_bcast, an upper bound of the time in which a time stamp reaches all processes. It
 * doubles when the first run of a stage is late, otherwise it decreases; at most the remaining time. */
int64_t lead_next(int64_t lead_ns, int64_t usual_ns, bool first_was_late, int64_t left_ns);

/* The part of `alone` that computation hides: 0 to 1, or NAN if an argument is unknown. */
double hidden_part(double alone, double computing, double total);

#endif
