/* Records teams of OpenMP threads: where a parallel region begins and ends, and how long each member waits at a barrier, which may be the one
 * at the end of the region. The preloaded library (src/job/preload/openmp_calls.c) calls it between MPI_Init and MPI_Finalize.
 *
 * A member that waits at the end of a region does not notice when the others arrive: its wait lasts until its next region, or until
 * recording ends. Teams with explicit tasks are not followed, because their threads work while they wait. */
#ifndef TARRY_JOB_RECORD_OPENMP_H
#define TARRY_JOB_RECORD_OPENMP_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

struct recording_stream;
struct openmp_team;

/* A wait at a barrier. */
struct openmp_wait {
	struct openmp_team *team; /* NULL: the thread does not wait */
	uint32_t threads, member;
	uint64_t since;
	const void *site;
};

/* The state of one thread. */
struct openmp_thread {
	struct openmp_team *team; /* NULL: the thread is not in a recorded team */
	uint32_t threads, member; /* of the team, and the number in it */
	uint32_t level;           /* number of regions that the thread is in */
	struct openmp_wait wait;
	struct openmp_team **teams; /* of which it was the first member; NULL: none */
};

/* Begins, if all calls are recorded. */
void openmp_start(void);
void openmp_stop(void);

/* Ends the wait of a thread whose recording ends. The caller holds the lock. */
void openmp_end_wait(struct recording_stream *s);
void openmp_release(struct recording_stream *s);

#pragma GCC visibility pop

#endif
