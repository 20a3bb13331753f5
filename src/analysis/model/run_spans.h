/* The part of each process that counts as the run: from the end of MPI_Init until the last process of its
 * world starts MPI_Finalize, without recording pauses. So a wait in MPI_Finalize for processes that still
 * work is part of the run. Shares and efficiencies refer to this time; starting and ending MPI are
 * reported separately.
 *
 *	struct run_spans *run = run_spans_new(reader, time, NULL);
 *	run->length_ns                                      of the run
 *	run->threads[run->processes[2].first_thread]    of the first thread of the third process
 *	run_spans_free(run);
 *
 * MPI_Init_thread and MPI_Session_init count like MPI_Init if no communication precedes them;
 * MPI_Session_finalize and upc_exit like MPI_Finalize if none follows. A process without such a start in the
 * trace counts from its first event on, like UPC threads; one without an end, because it was killed, up to
 * its last event. A thread counts from its first to its last event within its process. It does not count if
 * it makes no calls and another thread of the process does, like OpenMP threads in archives of other tools:
 * they do not affect the efficiency between processes. If the threads of a process only interact with each
 * other, the first one counts.
 *
 * Only the first and last events of each thread are read, unless recording may have paused. */
#ifndef TARRY_ANALYSIS_MODEL_RUN_SPANS_H
#define TARRY_ANALYSIS_MODEL_RUN_SPANS_H

#include "analysis/model/logical_clock.h"
#include "analysis/model/session_peers.h"

/* Fractions from 0 to 1. */
struct efficiency {
	bool is_known;
	double parallel, load_balance, communication;
};

/* For this many processes, from the total of their computation times, the maximum of them and
 * the length of the run. */
struct efficiency efficiency_of(double processes, double computing_ns, double longest_ns, double length_ns);

/* Times are those of corrected_ns(). */
struct thread_span {
	int64_t start, end; /* equal if it has no time in the run */
	int64_t time_ns;    /* between them, without pauses */
	int64_t waits_ns;   /* at its end, in MPI_Finalize for the last process */
	bool has_events;
	bool counts;                    /* otherwise it has no time */
	uint64_t first_tick, last_tick; /* of all its events: the first start, and the last end */
};

struct process_span {
	int64_t start, end;
	int64_t length_ns;            /* between them, without the pauses of its first thread */
	int64_t init_ns, finalize_ns; /* durations of starting and ending MPI */
	bool has_start, has_end;
	uint32_t first_thread, thread_count; /* as many as the process has streams */
	uint32_t counted_threads;            /* threads included in the figures */
	uint32_t finalizing_thread;          /* number + 1 of the thread that calls MPI_Finalize; 0: none */
};

struct run_spans {
	struct process_span *processes;
	struct thread_span *threads;
	uint32_t process_count;
	int64_t length_ns;            /* the maximum over processes */
	int64_t time_ns;              /* of all threads */
	int64_t elapsed_ns;           /* from the first start to the last end, including everything */
	int64_t first_ns;             /* the start of that */
	int64_t init_ns, finalize_ns; /* of all processes */
	uint64_t calls;               /* polls one by one, of processes whose events were read through */
};

/* `peers`: each reads the events of its part of the processes; NULL: there are none. */
struct run_spans *run_spans_new(struct reader *reader, const struct corrected_time *time,
                                struct session_peers *peers);
void run_spans_free(struct run_spans *run);

/* The mean over the threads of a process, from their total. */
int64_t mean_of_threads(const struct process_span *process, int64_t sum_ns);

/* A call that starts or ends MPI. */
bool starts_mpi(const struct call *call);
bool ends_mpi(const struct call *call);
/* True if it involves other processes or files; other calls, such as MPI_Wtime and the user's own
 * functions, are computation. */
bool communicates(const struct call *call);

/* True for a region, phase or mark of the user. */
bool is_users_mark(const struct call *call);

#endif
