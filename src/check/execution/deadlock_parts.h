/* Shared by the files of deadlocks.h. */
#ifndef TARRY_CHECK_EXECUTION_DEADLOCK_PARTS_H
#define TARRY_CHECK_EXECUTION_DEADLOCK_PARTS_H

#include "check/execution/blocked_graph.h"
#include "check/execution/deadlocks.h"
#include "check/execution/ordering.h"
#include "check/execution/wildcard_choices.h"
#include "check/known/report.h"

/* Threads of a knot at the time when it was found. */
struct knot_thread {
	struct executed_thread *thread;
	uint64_t step_count;
};

struct knot_process {
	struct executed_process *process;
	uint32_t first, count; /* its threads, in knot_question.threads */
	bool has_answered;
};

struct waiting_knot {
	ARRAY(struct knot_thread) threads;
	ARRAY(struct executed_process *) ended; /* that have finalized */
	uint64_t identity;                      /* hash of these threads and their steps */
	bool has_others; /* the processes have other threads; only agents know whether those may help */
};

/* A knot about which agents are asked, in rounds. */
struct knot_question {
	struct waiting_knot knot;
	ARRAY(struct knot_process) processes;
	struct map numbers;                            /* of analysed_process, in `processes` */
	ARRAY(const struct executed_thread *) threads; /* of the knot, grouped by process */
	uint32_t unanswered;                           /* processes, in this round */
	bool is_doubtful;                              /* a process is not in the calls of the knot */
	uint32_t round;                                /* 1 … */
	uint64_t round_ms;                             /* between two rounds */
	uint64_t question, asked_ms, answered_ms;
};

/* A knot that was seen before. */
struct seen_knot {
	uint64_t identity;
	uint64_t since_ms, last_ms;
	uint64_t retry_ms; /* when agents may be asked about it */
};

struct hang_watch;
struct potential_deadlocks;

struct deadlocks {
	struct execution *execution;
	struct findings_log *log;
	struct deadlock_callbacks callbacks;
	uint64_t now_ms, looked_ms;
	uint64_t seen;    /* execution->now at the previous look */
	uint64_t calm;    /* hash of the blocked threads when none was stuck */
	uint64_t settled; /* the same when all knots were asked about or reported */
	bool is_settled;  /* the knots of this look are settled */
	uint64_t last_question;
	bool is_over;     /* the run was ended */
	bool looks_again; /* there are blocked threads that were not examined, or are stuck */
	struct blocked_graph graph;
	struct blocked_nodes nodes;
	struct waiting_knot knot;
	ARRAY(struct knot_question) questions;
	ARRAY(uint64_t) reported;    /* identities of knots that are deadlocks: the run will be ended */
	struct map reported_threads; /* of those */
	uint64_t verdict_ms;         /* when the first of them was reported */
	ARRAY(struct seen_knot) seen_knots;
	struct potential_deadlocks *potential;
	struct wildcard_choices *choices; /* NULL: the order of events is unknown */
	struct hang_watch *hang;
};

void waiting_knot_take(struct waiting_knot *knot, const struct blocked_graph *graph,
                       const struct blocked_nodes *nodes);
void waiting_knot_release(struct waiting_knot *knot);
/* Keys are pointers to its threads. The caller releases the map. */
struct map waiting_knot_threads(const struct waiting_knot *knot);
static inline bool thread_is_among(const struct map *threads, const struct executed_thread *thread)
{
	return map_find(threads, map_key((uintptr_t)thread, 0)) != NULL;
}

/* The number of processes in all worlds, including silent ones. */
uint64_t world_sizes(const struct execution *execution);

/* deadlock_report.c */

/* A finding with a wait-for graph: the calls of threads, the calls that began the awaited operations, and
 * the waits between them.
 *
 *	struct knot_finding *finding = knot_finding_new(CHECK_DEADLOCK_CYCLE);
 *	knot_finding_thread(finding, thread, NOTE_WAITS);
 *	knot_finding_ended(finding, process);
 *	knot_finding_waits(finding, execution);
 *	report_value(&finding->report, …);
 *	number = knot_finding_end(finding, log); */
enum {
	KNOT_CALLS = 64,  /* of threads; others are counted */
	KNOT_BEGAN = 4,   /* of a wait: shown operations */
	KNOT_BEHIND = 4,  /* of threads that wait for a knot without belonging to it */
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
/* Adds a call of a process that does not belong to a thread of the execution, for example from a
 * stack. Takes ownership. */
void knot_finding_call(struct knot_finding *finding, const struct analysed_process *process,
                       struct check_call *call, const char *note);
/* A process that has finalized. */
void knot_finding_ended(struct knot_finding *finding, const struct executed_process *process);
/* Adds the waits between the shown calls. */
void knot_finding_waits(struct knot_finding *finding, struct execution *execution);
uint32_t knot_finding_end(struct knot_finding *finding, struct findings_log *log);
void knot_finding_discard(struct knot_finding *finding);

/* "0-3, 7"; sorts the ranks. */
void ranks_text(struct shown_ranks *ranks, char text[RANKS_TEXT]);

/* The kinds of waits of a thread, except messages. */
enum wait_kind { WAITS_SEND = 1, WAITS_COLLECTIVE = 2, WAITS_WINDOW = 4 };

uint32_t thread_wait_kinds(const struct executed_thread *thread);
/* The first thread to show: the lowest rank that waits for one of `kinds` (0: anything) and, with
 * `was_left`, has left the call. */
size_t knot_first(const struct waiting_knot *knot, uint32_t kinds, bool was_left);
size_t knot_process_count(const struct waiting_knot *knot);
/* A collective call of the knot whose members called different functions or passed different
 * arguments; NULL: none. */
const struct executed_operation *knot_mismatch(const struct waiting_knot *knot);
/* The walk around the knot. */
void knot_finding_threads(struct knot_finding *finding, const struct waiting_knot *knot, size_t first);
void report_deadlock(struct deadlocks *deadlocks, const struct waiting_knot *knot);

/* potential.c */
struct potential_deadlocks *potential_deadlocks_new(struct deadlocks *deadlocks);
void potential_deadlocks_free(struct potential_deadlocks *potential);
/* Lets the knot pass, even without a finding: then another finding explains it. */
void report_potential(struct deadlocks *deadlocks, const struct waiting_knot *knot);

/* hangs.c */
struct hang_watch *hang_watch_new(void);
void hang_watch_free(struct hang_watch *watch);
void hang_watch_tick(struct deadlocks *deadlocks, uint64_t heard);
void hang_watch_answer(struct deadlocks *deadlocks, const struct analysed_process *process,
                       const struct check_answer *answer);

#endif
