/* Operations with a known time, which reveal a wrong timer or clock. */
#ifndef TARRY_BENCH_RUN_SELF_TEST_H
#define TARRY_BENCH_RUN_SELF_TEST_H

#include "bench/run/operation.h"

enum { WAIT_PATTERN_NULL, WAIT_PATTERN_UP };

extern const struct bench_operation self_tests[]; /* ends with an entry without a name */

/* Before the first run: measures the cost of reading the clock that processes wait with. */
void self_test_prepare(void);

/* The right time in seconds. */
double self_test_answer(const struct bench_operation *operation, int ranks);

/* Operations that loops measure wrongly: docs/naive-loop.md. Ends with an entry without a name. */
extern const struct bench_operation demonstrations[];

#endif
