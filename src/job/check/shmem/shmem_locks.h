/* Locks that this PE holds. */
#ifndef TARRY_JOB_CHECK_SHMEM_SHMEM_LOCKS_H
#define TARRY_JOB_CHECK_SHMEM_SHMEM_LOCKS_H

#include "job/check/shmem/shmem_call.h"

void shmem_locks_before(struct shmem_call *c);
void shmem_locks_after(const struct shmem_call *c);
/* Before shmem_finalize(). */
void shmem_locks_report_left(void);

#endif
