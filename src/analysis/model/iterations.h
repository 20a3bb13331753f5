/* Finds the iteration of a program without marks: the call from one place that all processes make equally
 * often, at regular intervals, over most of the run. Of several, the outermost: the least frequent.
 *
 *	struct iteration_search *search = iteration_search_new();
 *	for each process:
 *		iteration_search_note(search, place, thread, call, end_ns, computing_ns);     of its calls, in order
 *		iteration_search_end_process(search, length_ns);
 *	iteration_search_finish(search, processes, &iteration);
 *
 * Times are those of the run, without pauses of recording. An iteration lasts from the end of one such call to the end of the next: processes leave a
 * collective call together, however late one of them came. Memory: some numbers for each place, of one process
 * 256 bytes; for those with several calls, sums of ITERATION_GROUPS groups of iterations. */
#ifndef TARRY_ANALYSIS_MODEL_ITERATIONS_H
#define TARRY_ANALYSIS_MODEL_ITERATIONS_H

#include "analysis/model/run_spans.h"

#include <string.h>

/* The minimum number of calls that begin an iteration. */
enum { ITERATIONS_MIN = 5 };
/* Iterations are summed up in at most so many groups of neighbours. */
enum { ITERATION_GROUPS = 64, ITERATION_OUTLIERS = 3 };

/* Times are means of an iteration and a process. */
struct iteration_group {
	uint64_t first, count; /* iterations, from 1 */
	int64_t length_ns;
	int64_t communication_ns; /* inside calls */
	int64_t waiting_ns; /* of that, beyond the process that spends least inside calls: waits are at least this long */
	int64_t longest_ns;    /* of one process … */
	uint64_t longest;      /* … in this iteration */
	uint32_t late_process; /* that computes longest in it … */
	int64_t late_ns;       /* … for so long */
};

/* An iteration that takes much longer than most. */
struct iteration_outlier {
	uint64_t number; /* from 1 */
	int64_t length_ns;
	uint32_t late_process; /* that computes longest in it … */
	int64_t late_ns;       /* … beyond its usual computing */
};

struct iteration {
	bool is_known;
	uint64_t count;          /* calls that begin one, per process */
	const struct call *call; /* the call that begins them: one of the first process */
	int64_t mean_ns, min_ns, max_ns;
	int64_t first_third_ns, last_third_ns; /* the mean of the first third of them, and of the last */
	double part;                           /* of the run that lies in iterations */
	struct efficiency efficiency;          /* between the first such call and the last */
	int64_t computing_third_ns; /* how much longer the last third computes than the first, of a process */
	int64_t median_ns;          /* of the groups */
	uint32_t group_count, outlier_count;
	struct iteration_group groups[ITERATION_GROUPS];
	struct iteration_outlier outliers[ITERATION_OUTLIERS]; /* the longest first */
};

/* Equal for calls of one function from one place. Without padding, so bytes can be compared. */
struct call_identity {
	const char *name;
	uint64_t offset, module;
};

static inline struct call_identity call_identity(const struct call *call)
{
	const struct outline *outline = call->outline;

	return (struct call_identity){outline->name, outline->has_site ? outline->offset : 0,
	                              outline->has_site ? outline->module : 0};
}

static inline bool is_from_same_site(const struct call *a, const struct call *b)
{
	const struct call_identity one = call_identity(a), other = call_identity(b);

	return memcmp(&one, &other, sizeof one) == 0;
}

struct iteration_search;

struct iteration_search *iteration_search_new(void);
void iteration_search_note(struct iteration_search *search, uint32_t place, uint32_t thread,
                           const struct call *call, int64_t end_ns, int64_t computing_ns);
void iteration_search_end_process(struct iteration_search *search, int64_t length_ns);
/* Frees it. */
void iteration_search_finish(struct iteration_search *search, size_t processes, struct iteration *found);

#endif
