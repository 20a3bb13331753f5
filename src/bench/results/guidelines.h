/* Performance guidelines: an operation should not be slower than another way to the same result (Träff, Gropp and Thakur,
 * "Self-Consistent MPI Performance Guidelines"). A violation means that the library has not chosen its best algorithm,
 * and that the program can do better.
 *
 *	size		as slow as with more data at most
 *	split		as slow as several calls with a part of the data each at most
 *	composition	as slow as other operations together at most, such as MPI_Reduce and MPI_Bcast for MPI_Allreduce
 *	nonblocking	as slow as the non-blocking form at most
 *
 * Only certain violations are reported: the intervals of confidence must be apart by more than a twentieth, no point may be
 * marked, and the job must have been complete. */
#ifndef TARRY_BENCH_RESULTS_GUIDELINES_H
#define TARRY_BENCH_RESULTS_GUIDELINES_H

#include "bench/results/results.h"

struct guideline_violation {
	const struct result_point *point;
	const char *rule;        /* "size", "split", "composition", "nonblocking" */
	const char *alternative; /* after "but 8.6 us": "as MPI_Reduce + MPI_Bcast", "with 64K" */
	double bound;            /* time of the alternative, in seconds */
};

struct guidelines {
	size_t checked; /* pairs of a point and a rule with an alternative that was measured */
	struct guideline_violation *violations; /* in the order of the points */
	size_t violation_count;
};

void guidelines_check(const struct results *results, struct arena *arena, struct guidelines *guidelines);

#endif
