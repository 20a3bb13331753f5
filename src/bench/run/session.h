/* All that one job measures, point by point. */
#ifndef TARRY_BENCH_RUN_SESSION_H
#define TARRY_BENCH_RUN_SESSION_H

#include "base/array.h"
#include "bench/results/output.h"
#include "bench/results/plan.h"
#include "bench/run/crowding.h"
#include "bench/run/global_clock.h"
#include "bench/run/trial.h"

struct session {
	const struct bench_plan *wanted;
	MPI_Comm world;
	MPI_Comm part; /* of those who measure; MPI_COMM_NULL in others */
	int part_size;
	struct text notes; /* of trials, so far, each between line feeds */
	int rank, size;    /* of this process in it */
	bool is_misused;   /* it failed because of the user's words */
	struct core_sharing crowding;
	struct global_clock clock;
	const struct sync_method *sync;
	size_t synchronisations;
	double check_ns; /* the clocks' error when they were last compared */
	bool clock_is_off;
	ARRAY(double) truths;   /* errors of clocks that really were, if asked for */
	struct results results; /* of process 0 */
	struct result_table table;
	size_t points_done, points_wanted;
};

/* Collective over MPI_COMM_WORLD. What was measured before a failure has been written. */
enum status session_run(struct session *session, const struct bench_plan *wanted) MUST_CHECK;
void session_release(struct session *session);

/* On stderr, by process 0. */
void session_note(const struct session *session, const char *format, ...) PRINTF_LIKE(2, 3);

#endif
