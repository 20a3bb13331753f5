/* Memory that an MPI library takes, in two results: which steps take more, or less. A job has one number for each, so there is no test: what
 * counts as a difference is said by two limits. A part of differences_find(). */
#ifndef TARRY_BENCH_RESULTS_MEMORY_DIFFERENCES_H
#define TARRY_BENCH_RESULTS_MEMORY_DIFFERENCES_H

#include "base/json.h"
#include "bench/results/memory_use.h"

enum memory_verdict { MEMORY_SAME, MEMORY_LESS, MEMORY_MORE, MEMORY_VERDICTS_END };

extern const char *const memory_verdict_names[MEMORY_VERDICTS_END];

struct memory_limits {
	double share;   /* of the smaller one, and */
	uint64_t bytes; /* so many bytes of a process, both, have to be exceeded */
};

/* Of one step and number of ranks. */
struct memory_difference {
	const struct memory_use *first, *second;
	double ratio; /* NAN: there is none, as one of them took nothing */
	enum memory_verdict verdict;
};

struct memory_differences {
	struct memory_limits limits;
	struct memory_difference *at; /* by step, in the order of the first */
	size_t count;
	size_t verdicts[MEMORY_VERDICTS_END];
	const struct memory_use **only_first, **only_second;
	size_t only_first_count, only_second_count;
};

void memory_differences_find(const struct results *first, const struct results *second,
                             const struct memory_limits *limits, struct arena *arena,
                             struct memory_differences *differences);

void memory_differences_text(const struct memory_differences *differences, struct text *out);
/* Into an object that is open. */
void memory_differences_json(const struct memory_differences *differences, struct json *json);

#endif
