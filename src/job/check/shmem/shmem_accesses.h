/* Accesses to symmetric memory as events (shmem_events.h).
 *
 * The number of an access event is the position of the memory, which is the same in all PEs, and above its lowest SHMEM_PLACE_BITS bits
 * a hash of written data. */
#ifndef TARRY_JOB_CHECK_SHMEM_SHMEM_ACCESSES_H
#define TARRY_JOB_CHECK_SHMEM_SHMEM_ACCESSES_H

#include "job/check/shmem/shmem_call.h"

struct announced_comm;

void shmem_accesses_start(struct shmem_call *c);
void shmem_accesses_before(struct shmem_call *c);
void shmem_accesses_after(struct shmem_call *c);
/* The program gets a pointer to the memory of another PE: its further accesses are not known. */
void shmem_accesses_shared(void);

/* shmem_events.c: a new communicator or window for analysers. NULL: out of memory. */
struct announced_comm *shmem_comm_new(uint64_t identity, int rank, int size, const char *name);

#endif
