/* A finding that shows who waits for whom: calls of threads, those that began what they wait for, and the waits between them.
 *
 *	struct knot_finding *finding = knot_finding_new(CHECK_DEADLOCK_CYCLE);
 *	knot_finding_thread(finding, thread, NOTE_WAITS);
 *	knot_finding_ended(finding, process);
 *	knot_finding_waits(finding, execution);
 *	report_value(&finding->report, …);
 *	number = knot_finding_end(finding, log); */
#ifndef TARRY_CHECK_EXECUTION_KNOT_FINDING_H
#define TARRY_CHECK_EXECUTION_KNOT_FINDING_H

#include "check/execution/execution.h"
#include "check/known/report.h"

enum {
	KNOT_CALLS = 64,  /* of threads; others are counted */
	KNOT_BEGAN = 4,   /* of a wait: operations that are shown */
	KNOT_BEHIND = 4,  /* of threads that wait for a knot without being in it */
	RANKS_TEXT = 256, /* of a list of ranks */
};

struct knot_finding {
	struct report_draft report;
	struct check_wait waits[FINDING_WAITS_MAX];
	struct executed_thread *threads[FINDING_CALLS_MAX]; /* of each call; NULL: none */
	const struct analysed_process *processes[FINDING_CALLS_MAX];
	struct map positions; /* of processes: their first call */
};

struct shown_ranks {
	uint32_t *items;
	size_t count, room;
};

struct knot_finding *knot_finding_new(enum check check);
bool knot_finding_has_room(const struct knot_finding *finding);
void knot_finding_thread(struct knot_finding *finding, struct executed_thread *thread, const char *note);
/* Any call of a process that is no thread's of the execution, such as one that came with a stack: it becomes the finding's. */
void knot_finding_call(struct knot_finding *finding, const struct analysed_process *process,
                       struct check_call *call, const char *note);
/* A process that has finalized. */
void knot_finding_ended(struct knot_finding *finding, const struct executed_process *process);
/* Who of those shown waits for whom. */
void knot_finding_waits(struct knot_finding *finding, struct execution *execution);
uint32_t knot_finding_end(struct knot_finding *finding, struct findings_log *log);
void knot_finding_discard(struct knot_finding *finding);

/* "0-3, 7"; sorts them. */
void ranks_text(struct shown_ranks *ranks, char text[RANKS_TEXT]);

#endif
