/* Which part of each process counts as the run: from the end of MPI_Init until the last process of its world starts MPI_Finalize,
 * without pauses of recording. So a wait in MPI_Finalize for processes that still work is part of the run. Shares and
 * efficiencies are of this time; starting and ending MPI have lines of their own.
 *
 *	struct run_spans *run = run_spans_new(reader, time, false, NULL);
 *	run->length_ns                                      of the run
 *	run->threads[run->processes[2].first_thread]    of the first thread of the third process
 *	run_spans_free(run);
 *
 * MPI_Init_thread and MPI_Session_init start like MPI_Init, where nothing was communicated before; MPI_Session_finalize and upc_exit
 * end like MPI_Finalize, where nothing is communicated behind. A process that has no such start in the trace counts from
 * its first event on, as UPC threads do; one without an end, because it was killed, up to its last event. A thread counts
 * from its first to its last event within its process; not at all if it makes no calls and another thread of the process does,
 * as threads of OpenMP in archives of other tools: what they do is no part of how well processes work together. Of a process whose
 * threads only have to do with each other, the first one counts.
 *
 * Only the first and last events of each thread are read, unless recording may have paused or the calls are to be counted. */
#ifndef TARRY_ANALYSIS_MODEL_RUN_SPANS_H
#define TARRY_ANALYSIS_MODEL_RUN_SPANS_H

#include "analysis/model/logical_clock.h"
#include "analysis/model/session_peers.h"

/* Parts from 0 to 1. */
struct efficiency {
	bool is_known;
	double parallel, load_balance, communication;
};

/* Of this many processes, from the sum of their computing times, the longest of them and the length of all. */
struct efficiency efficiency_of(double processes, double computing_ns, double longest_ns, double length_ns);

/* Times are those of corrected_ns(). */
struct thread_span {
	int64_t start, end; /* the same where it has no time in the run */
	int64_t time_ns;    /* between them, without pauses */
	int64_t waits_ns;   /* at its end, in MPI_Finalize for the last process */
	bool has_events;
	bool counts;                    /* otherwise it has no time */
	uint64_t first_tick, last_tick; /* of all its events: the first start, and the last end */
};

struct process_span {
	int64_t start, end;
	int64_t length_ns;            /* between them, without the pauses of its first thread */
	int64_t init_ns, finalize_ns; /* what starting and ending MPI took before and behind */
	bool has_start, has_end;
	uint32_t first_thread, thread_count; /* as many as the process has streams */
	uint32_t counted_threads;            /* those that count */
	uint32_t finalizing_thread; /* number + 1 of that which calls MPI_Finalize at the end; 0: none */
};

struct run_spans {
	struct process_span *processes;
	struct thread_span *threads;
	uint32_t process_count;
	int64_t length_ns;            /* of the process that has the longest */
	int64_t time_ns;              /* of all threads */
	int64_t elapsed_ns;           /* from the first start to the last end of all, with everything */
	int64_t first_ns;             /* when that began */
	int64_t init_ns, finalize_ns; /* of all processes */
	uint64_t calls;               /* polls one by one, if they were to be counted */
};

/* `peers`: each reads the events of its part of the processes; NULL: there are none. */
struct run_spans *run_spans_new(struct reader *reader, const struct corrected_time *time, bool counts_calls,
                                struct session_peers *peers);
void run_spans_free(struct run_spans *run);

/* Of what the threads of a process did for so long in all. */
int64_t mean_of_threads(const struct process_span *process, int64_t sum_ns);

/* A call that starts or ends MPI. */
bool starts_mpi(const struct call *call);
bool ends_mpi(const struct call *call);
/* A call that has to do with other processes or with files; others, as MPI_Wtime and the user's own functions, are computing. */
bool communicates(const struct call *call);

/* Something of the user's own: a region, a phase, a mark. */
bool is_users_mark(const struct call *call);

#endif
