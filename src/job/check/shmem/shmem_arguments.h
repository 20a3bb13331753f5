/* Checks of the arguments of one call of OpenSHMEM: PEs, active sets, counts and symmetric addresses. */
#ifndef TARRY_JOB_CHECK_SHMEM_SHMEM_ARGUMENTS_H
#define TARRY_JOB_CHECK_SHMEM_SHMEM_ARGUMENTS_H

#include "job/check/shmem/shmem_call.h"

void shmem_arguments_check(struct shmem_call *c);

#endif
