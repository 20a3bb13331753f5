/* Compares the memory of an MPI library in two results: which steps need more or less. A job has one value
 * per step, so there is no test: two limits define a difference. Part of differences_find(). */
#ifndef TARRY_BENCH_RESULTS_MEMORY_DIFFERENCES_H
#define TARRY_BENCH_RESULTS_MEMORY_DIFFERENCES_H

#include "base/json.h"
#include "bench/results/memory_use.h"

enum memory_verdict { MEMORY_SAME, MEMORY_LESS, MEMORY_MORE, MEMORY_VERDICTS_END };

extern const char *const memory_verdict_names[MEMORY_VERDICTS_END];

struct memory_limits {
	double share;   /* of the smaller value */
	uint64_t bytes; /* of a process; both limits must be exceeded */
};

/* One step and number of ranks. */
struct memory_difference {
	const struct memory_use *first, *second;
	double ratio; /* NAN: one of them needed nothing */
	enum memory_verdict verdict;
};

struct memory_differences {
	struct memory_limits limits;
	struct memory_difference *at; /* by step, in the order of the first result */
	size_t count;
	size_t verdicts[MEMORY_VERDICTS_END];
	const struct memory_use **only_first, **only_second;
	size_t only_first_count, only_second_count;
};

void memory_differences_find(const struct results *first, const struct results *second,
                             const struct memory_limits *limits, struct arena *arena,
                             struct memory_differences *differences);

void memory_differences_text(const struct memory_differences *differences, struct text *out);
/* Into an open object. */
void memory_differences_json(const struct memory_differences *differences, struct json *json);

#endif
