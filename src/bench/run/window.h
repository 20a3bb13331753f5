/* Rules of the method: which runs are wrong, how long the next window is, when it is over. Arithmetic only. */
#ifndef TARRY_BENCH_RUN_WINDOW_H
#define TARRY_BENCH_RUN_WINDOW_H

#include "bench/results/plan.h"

#include <stdbool.h>
#include <stdint.h>

/* One run of one process, in global time. */
struct timed_run {
	int64_t due;     /* tau_l: when it should have started */
	int64_t started; /* when it did */
	int64_t ended;
};

/* It started too late, or was still busy when the next one was due. `slack_ns`: what cannot be told by this clock. */
bool run_is_wrong(const struct timed_run *run, int64_t window_ns, int64_t slack_ns);

/* What a stage showed, over all processes. */
struct stage {
	int64_t runs;
	int64_t wrong;
	int64_t window_ns; /* delta_j; 0 in the warm-up stage */
	bool is_shared;    /* by processes that share processors: to be held up is usual then */
	int64_t length_ns; /* tau'_j - tau_j: from the first start to the last end */
	int64_t usual_ns; /* what most runs needed, from their start until all were ready for the next one: the third quartile */
	int64_t longest_ns; /* the same of the longest, but from the time that it was due */
};

/* Sorts them. */
int64_t third_quartile(int64_t *values, int64_t count);

/* delta_{j+1}. With more than the share of g wrong, or after the warm-up: gamma * length / runs, but of no more than most runs
 * needed: single runs that were held up are no reason to give all others more time. If it was that long already: twice as long, up to 8
 * times what most runs need. With less than half of that share wrong and runs
 * that needed less than half of the window: gamma * the longest of them. Otherwise as it was. */
int64_t window_next(const struct stage *stage, const struct bench_plan *wanted);

/* All stages so far, without the warm-up. */
struct progress {
	int64_t runs;
	int64_t right;
	double relative_error; /* INFINITY as long as it cannot be told */
	int64_t elapsed_ns;
};

/* More runs than wanted are made as long as there are too few right ones, up to so many times as many: runs_most() in all. */
enum { RUNS_IN_NEED = 10 };

/* Of what the point may take. */
int64_t time_left_ns(const struct progress *progress, const struct bench_plan *wanted);
bool measured_enough(const struct progress *progress, const struct bench_plan *wanted);
int64_t runs_most(const struct bench_plan *wanted);

/* Runs of the next stage: fewer than k when k would take longer than the point may; at least one. */
int64_t stage_length(const struct progress *progress, int64_t window_ns, const struct bench_plan *wanted);

/* How late a run may start. Exactly, if possible; where processes share processors, they cannot start at once, and no run would be
 * right: then a part of the window. */
int64_t slack_of(int64_t exact_ns, int64_t window_ns, bool is_shared);

/* Several stages without any right run: others use these processors, too. */
bool processors_seem_shared(const struct progress *progress, const struct bench_plan *wanted);

/* enum mark: MARK_FEW and MARK_UNSTEADY. */
unsigned progress_marks(const struct progress *progress, const struct bench_plan *wanted);

/* How long a stage is announced before it starts: t_bcast, an upper bound of the time in which a time stamp reaches all. It is doubled
 * when the first run of a stage came late, which is how too low a bound shows, and goes back when it did not; the longest has place in the
 * time that is left. */
int64_t lead_next(int64_t lead_ns, int64_t usual_ns, bool first_was_late, int64_t left_ns);

/* The part of `alone` that was hidden behind computation: 0 to 1, or NAN if one of these is not known. */
double hidden_part(double alone, double computing, double total);

#endif
