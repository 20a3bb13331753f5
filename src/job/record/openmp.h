/* Records teams of OpenMP threads: where a parallel region begins and ends, and how long each member waits at a barrier, explicit or at the
 * end of the region. Entry points of the runtime (src/job/preload/openmp_calls.c) call it between MPI_Init and MPI_Finalize.
 *
 * A member of a team that waits at the end of a region cannot see when the others arrive: its wait lasts until its next region, or until
 * recording ends. Teams with explicit tasks are not followed, because their threads work while they wait. */
#ifndef TARRY_JOB_RECORD_OPENMP_H
#define TARRY_JOB_RECORD_OPENMP_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

struct recording_stream;
struct openmp_team;

/* At a barrier. */
struct openmp_wait {
	struct openmp_team *team; /* NULL: the thread does not wait */
	uint32_t threads, member;
	uint64_t since;
	const void *site;
};

/* Of one thread. */
struct openmp_thread {
	struct openmp_team *team; /* NULL: the thread is in none that is recorded */
	uint32_t threads, member; /* of the team, and the number in it */
	uint32_t level;           /* number of regions that the thread is in */
	struct openmp_wait wait;
	struct openmp_team **teams; /* whose first member it was; NULL: none */
};

/* If all calls are recorded. */
void openmp_start(void);
void openmp_stop(void);

/* Ends the wait of a thread whose recording ends. The caller holds the lock. */
void openmp_end_wait(struct recording_stream *s);
void openmp_release(struct recording_stream *s);

#pragma GCC visibility pop

#endif
