/* Independent pieces of work in several threads.
 *
 *	static void analyze_one(void *context, size_t number) { … }
 *	parallel_run(parallel_cores(), count, analyze_one, context);
 *
 * Pieces must not depend on each other or on their order. A piece that can fail leaves its result in the context. */
#ifndef TARRY_BASE_PARALLEL_H
#define TARRY_BASE_PARALLEL_H

#include <stddef.h>

/* Cores that this process may use, at least 1. */
unsigned parallel_cores(void);

/* Calls run(context, 0) to run(context, count - 1) in up to `jobs` threads. The caller is one of them and
 * does piece 0. If a thread cannot be started, the others do its pieces. */
void parallel_run(unsigned jobs, size_t count, void (*run)(void *context, size_t number), void *context);

#endif
