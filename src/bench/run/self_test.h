/* Operations whose right time is known before: a wrong timer or clock shows in them. */
#ifndef TARRY_BENCH_RUN_SELF_TEST_H
#define TARRY_BENCH_RUN_SELF_TEST_H

#include "bench/run/operation.h"

enum { WAIT_PATTERN_NULL, WAIT_PATTERN_UP };

extern const struct bench_operation self_tests[]; /* ends with one without a name */

/* Before the first run: finds out what reading the clock costs with which processes wait. */
void self_test_prepare(void);

/* The right answer, in seconds. */
double self_test_answer(const struct bench_operation *operation, int ranks);

/* What loops measure wrong: docs/naive-loop.md. Ends with one without a name. */
extern const struct bench_operation demonstrations[];

#endif
