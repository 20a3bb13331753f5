/* OpenMP threads that reach barriers of their team later than the others, in the computing of their process between two calls of MPI.
 * Internal to the causes.
 *
 *	late_threads_call(&late, logs, &call);         for each call, after call_logs_add()
 *	late_threads_read(&late, logs, block);         for each block of RELATION_TEAM_CALL
 *	if (late_threads_of(&late, number, &computing, &found))        at the end; `number` as of computing_number()
 *		show(&found);
 *	late_threads_release(&late);
 *
 * A barrier is known only when all its threads have left it. Workers leave the end of a region when the next one begins: by then, the process
 * may have called MPI many times. So the last computations with barriers are remembered. */
#ifndef TARRY_ANALYSIS_CAUSES_LATE_THREADS_H
#define TARRY_ANALYSIS_CAUSES_LATE_THREADS_H

#include "analysis/causes/call_log.h"
#include "analysis/relations/row_sink.h"
#include "calls/calls.h"

struct late_thread {
	uint32_t thread; /* number of its stream in the process; SEVERAL_THREADS: none makes up half */
	uint32_t place;  /* of the barrier */
	int64_t ns;      /* how much later it arrived than the mean of the others, in the whole run */
};

enum { LATE_THREADS_KEPT = 4, GAPS_KEPT = 64 };

/* The sum for one process, computing and barrier. */
struct late_sum {
	uint32_t number, place;
	uint32_t next; /* of the same computing: number + 1 */
	int64_t ns;
	struct {
		uint32_t thread;
		int64_t ns;
	} threads[LATE_THREADS_KEPT];
};

/* A barrier before the next call of MPI: its computing is not known yet. */
struct open_lateness {
	uint32_t thread, place;
	int64_t ns;
};

/* The state of the thread of a process that calls MPI. */
struct team_gaps {
	bool has_barrier; /* since the last call of MPI */
	int64_t since;    /* the end of this call */
	ARRAY(struct open_lateness) open;
	/* The last computations with barriers: a ring. */
	struct team_gap {
		int64_t since, until;
		uint32_t number;
	} gaps[GAPS_KEPT];
	uint32_t gap_count;
};

struct late_threads {
	struct team_gaps **gaps; /* by number of the log; NULL: none */
	uint32_t log_count;
	struct map index; /* by computing and place */
	ARRAY(struct late_sum) all;
	ARRAY(uint32_t) first;      /* by number of the computing: number + 1 */
	struct map everyone;        /* by key of the computing and place: number in … */
	ARRAY(int64_t) everyone_ns; /* … the sums over all processes; built by the first query */
};

/* False for most calls, and for all of a program without teams. */
static inline bool late_threads_want(const struct late_threads *late, const struct occurrence *call)
{
	return call->semantics->kind->info == &all_calls[CALL_omp_barrier] ||
	       (late->gaps && !call->semantics->is_local);
}

/* For calls that it wants. */
void late_threads_call(struct late_threads *late, struct call_logs *logs, const struct occurrence *call);
void late_threads_read(struct late_threads *late, struct call_logs *logs, const struct row_block *block);

/* The computing of a process, and that of all processes there. */
struct late_query {
	uint32_t number, ranks;
	int64_t own_ns, mean_ns;
};

/* False: late threads are not the reason why the process computes longer than others. */
bool late_threads_of(struct late_threads *late, const struct computing_sums *computing,
                     const struct late_query *query, struct late_thread *found);
void late_threads_release(struct late_threads *late);

#endif
