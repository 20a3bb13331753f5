/* Entry points of GCC's OpenMP runtime, libgomp: programs call them where the compiler found parallel regions and barriers. While the
 * recorder is interested (base/openmp_hooks.h), it learns of them; otherwise they jump to the runtime.
 *
 * A process may have several copies of the runtime, as Python modules bring their own. Then each caller gets the copy that it would have got
 * without us, and only the program's is recorded. LLVM's libomp serves the same functions. It has an interface for tools instead. */
#ifndef TARRY_JOB_PRELOAD_OPENMP_CALLS_H
#define TARRY_JOB_PRELOAD_OPENMP_CALLS_H

#include "base/openmp_hooks.h"

extern struct openmp_link openmp_link __attribute__((visibility("hidden")));

/* Counts unloaded libraries: then addresses may be reused. */
extern uint32_t openmp_unloads __attribute__((visibility("hidden")));

#endif
