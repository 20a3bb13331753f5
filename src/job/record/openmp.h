/* Records teams of OpenMP threads: the begin and the end of parallel regions, the waits of members at barriers, explicit or at the end of a region,
 * for locks and for tasks, and the tasks that they execute. Entry points of the runtime (src/job/preload/openmp_calls.c) call it between MPI_Init and
 * MPI_Finalize.
 *
 * A member of a team that waits at the end of a region cannot see when the others arrive: its wait lasts until its next region, or until
 * recording ends. A thread that waits executes tasks: then its wait has several parts. The parts before a task are waits for tasks; the last part
 * of a wait at a barrier is the barrier. So each member passes each barrier once. */
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
	uint32_t depth; /* of the thread, when it began to wait */
};

/* A task that a thread executes, or its wait for tasks. */
struct openmp_frame {
	const void *site;
	uint64_t since; /* it continues since then */
	bool is_task;
};

enum { OPENMP_FRAMES = 32 };

/* The state of one thread. */
struct openmp_thread {
	struct openmp_team *team; /* NULL: the thread is not in a recorded team */
	uint32_t threads, member; /* of the team, and the number in it */
	uint32_t level;           /* number of regions that the thread is in */
	struct openmp_wait wait;
	struct openmp_frame frames[OPENMP_FRAMES]; /* each inside the one before */
	uint32_t depth;                            /* their number; deeper ones are not recorded */
	struct openmp_team **teams;                /* of which it was the first member; NULL: none */
};

/* Begins, if all calls are recorded. */
void openmp_start(void);
void openmp_stop(void);

/* Ends the wait of a thread whose recording ends. The caller holds the lock. */
void openmp_end_wait(struct recording_stream *s);
void openmp_release(struct recording_stream *s);

#pragma GCC visibility pop

#endif
