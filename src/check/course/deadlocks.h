/* From the course to findings: deadlocks, potential ones, processes that others wait for in vain, hangs.
 *
 *	struct deadlocks *deadlocks = deadlocks_new(course, log, &ways);
 *	deadlocks_tick(deadlocks, now_ms);              after events were taken, and every few milliseconds
 *	deadlocks_answer(deadlocks, process, &answer);  what an agent said to a question
 *	deadlocks_free(deadlocks);
 *
 * Threads that the strict execution cannot get on with for two looks (LOOK_MS apart) and that form a knot are judged. If the program has left one of
 * their calls (its thread has more steps), the knot is a potential deadlock: it is reported once for its calls, and its sends or
 * collective calls are let pass. Otherwise the agents of its processes are asked (`ways.ask`) where their threads are: when all are in those very
 * calls, and still are a round later, nothing is on its way that could end it. Then it is a deadlock: reported, and the run is ended (`ways.stop`). */
#ifndef TARRY_CHECK_COURSE_DEADLOCKS_H
#define TARRY_CHECK_COURSE_DEADLOCKS_H

#include "check/course/course.h"
#include "check/known/findings_log.h"
#include "check/known/process_ends.h"

enum { LOOK_MS = 10, HANG_TIMEOUT_S = 300 };

/* What the analyser does for it. */
struct deadlock_ways {
	void *owner;
	void (*ask)(void *owner, struct analysed_process *process, uint64_t question);
	void (*stop)(void *owner); /* a finding was written that ends the run */
};

struct deadlocks;

struct deadlocks *deadlocks_new(struct course *course, struct findings_log *log,
                                const struct deadlock_ways *ways);
void deadlocks_free(struct deadlocks *deadlocks);
/* Seconds without any progress after which the run is ended; 0: never. */
void deadlocks_set_hang_timeout(struct deadlocks *deadlocks, uint32_t seconds);
void deadlocks_tick(struct deadlocks *deadlocks, uint64_t now_ms);
void deadlocks_answer(struct deadlocks *deadlocks, struct analysed_process *process,
                      const struct check_answer *answer);
/* All processes are gone: what is only potential and was not judged yet. */
void deadlocks_end(struct deadlocks *deadlocks, const struct process_ends *ends);

#endif
