/* All measurements of one job. */
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
	MPI_Comm part; /* of the processes that measure; MPI_COMM_NULL in others */
	int part_size;
	struct text notes; /* notes of trials so far, separated by line feeds */
	int rank, size;    /* of this process in `world` */
	bool is_misused;   /* it failed because of the user's arguments */
	struct core_sharing crowding;
	struct global_clock clock;
	const struct sync_method *sync;
	size_t synchronisations;
	double check_ns; /* clock error at the last comparison */
	bool clock_is_off;
	ARRAY(double) truths;   /* true clock errors, if requested */
	struct results results; /* in process 0 */
	struct result_table table;
	size_t points_done, points_wanted;
};

/* Collective over MPI_COMM_WORLD. Results before a failure were written. */
enum status session_run(struct session *session, const struct bench_plan *wanted) MUST_CHECK;
void session_release(struct session *session);

/* On stderr, by process 0. */
void session_note(const struct session *session, const char *format, ...) PRINTF_LIKE(2, 3);

#endif
