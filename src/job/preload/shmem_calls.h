/* Entry points of OpenSHMEM libraries: all variants of a function for types, sizes and contexts are recorded as one (src/calls/shmem.calls).
 * Without a recorder they call the library and do nothing else. */
#ifndef TARRY_JOB_PRELOAD_SHMEM_CALLS_H
#define TARRY_JOB_PRELOAD_SHMEM_CALLS_H

#include "base/shmem_hooks.h"

extern struct shmem_link shmem_link __attribute__((visibility("hidden")));

/* Loads the recorder at shmem_init(), if MPI has not loaded it. */
void preload_load_recorder(void) __attribute__((visibility("hidden")));

#endif
