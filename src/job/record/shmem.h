/* Records calls of OpenSHMEM, which entry points in libtarry-preload.so report (base/shmem_hooks.h), from the end of shmem_init() on. A PE is a
 * process of the trace. In a program that initialised MPI before, MPI identifies the process and ends the recording; in others, OpenSHMEM does,
 * although its library may have loaded MPI. */
#ifndef TARRY_JOB_RECORD_SHMEM_H
#define TARRY_JOB_RECORD_SHMEM_H

#include <stdbool.h>

#pragma GCC visibility push(hidden)

/* Whether PEs are recorded, between shmem_init() and shmem_finalize(). */
bool shmem_is_under_way(void);
void shmem_stop(void);

#pragma GCC visibility pop

struct shmem_link;
__attribute__((visibility("default"))) void tarry_shmem_link(struct shmem_link *link);

#endif
