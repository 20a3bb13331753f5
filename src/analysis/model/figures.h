/* The figures of a run, used by all outputs: time by process, call, phase and iteration, and the efficiencies
 * of the POP project. One pass over all events.
 *
 *	struct figures *figures = figures_new(session);
 *	figures->efficiency.parallel            0.58
 *	figures->ranks[3].computing_ns          of the fourth process
 *	figures_free(figures);
 *
 * All times except those of MPI_Init and MPI_Finalize are within the run (model/run_spans.h). A thread's
 * time is divided into
 *
 *	communication    calls that involve other processes or files,
 *	tool             work of the recorder,
 *	unrecorded       unknown, because events were lost,
 *	computing        the rest, including local calls such as MPI_Wtime and MPI_Comm_rank,
 *
 * which add up to its time. The computation time of a process with several threads is the mean over those
 * that count (model/run_spans.h). Then
 *
 *	load balance              = mean of computing times / longest computing time
 *	communication efficiency  = longest computing time / length of the run
 *	parallel efficiency       = load balance * communication efficiency
 *
 * If the process has OpenMP teams (model/team_time.h), its capacity is its computing time times the threads of its largest team, and
 *
 *	OpenMP efficiency         = useful time of the threads / capacity, of all processes
 *	hybrid efficiency         = parallel efficiency * OpenMP efficiency
 *
 * The first three also exist for a phase, over the processes that were in it; its length is the longest
 * time of one of them. */
#ifndef TARRY_ANALYSIS_MODEL_FIGURES_H
#define TARRY_ANALYSIS_MODEL_FIGURES_H

#include "analysis/model/counted_work.h"
#include "analysis/model/iterations.h"
#include "analysis/model/run_spans.h"
#include "analysis/model/session.h"

/* Communication efficiency, divided by a replay on an ideal network (analysis/whatif):
 *
 *	serialisation  = longest computing time / length on an ideal network
 *	transfer       = length on an ideal network / length of the run */
struct communication_parts {
	bool is_known;
	double serialisation, transfer;
};

struct communication_parts communication_parts_of(const struct efficiency *efficiency, int64_t length_ns,
                                                  int64_t ideal_length_ns);

/* Of a run with OpenMP teams. */
struct hybrid_efficiency {
	bool has_teams; /* otherwise each process has one thread */
	bool is_known;
	uint64_t threads; /* of the largest team of each process, in all */
	double parallel, openmp;
};

/* What computing time is, as far as the kernel says it; the rest was on a CPU. */
struct computing_parts {
	int64_t ready_ns;   /* ready to run without a CPU */
	int64_t blocked_ns; /* blocked in the kernel: asleep, in input and output, in page faults */
};

/* Of a process. */
struct rank_figures {
	int64_t length_ns;
	int64_t computing_ns, communication_ns; /* the mean of its threads */
	int64_t without_processor_ns;           /* the same; part of both */
	struct computing_parts parts;           /* the same; of computing */
	int64_t init_ns, finalize_ns;
	uint64_t calls;                      /* of MPI and UPC */
	uint64_t sent_bytes, received_bytes; /* by all calls */
	struct counted_work counted;
};

/* The calls of a process at one distinct call in one phase. */
struct site_total {
	uint32_t process;
	uint32_t phase; /* number in figures->phases + 1; 0: none */
	const struct call *call;
	uint64_t count;    /* calls */
	uint64_t starts;   /* messages or operations begun: starts of a prepared request */
	int64_t inside_ns; /* in all */
	int64_t run_ns;    /* of that, in the run */
	bool is_local;     /* its time is computation */
	/* For a trace with totals only: */
	const struct call_sums *sums; /* NULL: it has events */
	int64_t waited_ns;            /* above the shortest call of this size from this place: an estimate */
};

/* A region or phase of the user (tarry.h, MPI_Pcontrol), including nested ones. */
struct phase_figures {
	const char *name;
	const char *path;   /* with enclosing ones, the outermost first: "time loop > exchange" */
	uint32_t parent;    /* number + 1; 0: none */
	uint32_t depth;     /* number of enclosing ones */
	uint32_t processes; /* number of processes in it */
	uint64_t times;     /* how often it was entered, by all processes */
	uint64_t calls;     /* of MPI and UPC in it, without local ones */
	int64_t length_ns;  /* the longest time of a process in it */
	int64_t time_ns, computing_ns, communication_ns; /* of all threads */
	struct efficiency efficiency;
};

struct figures {
	struct arena arena;
	const struct run_spans *run;
	const struct comm_table *comms;
	struct efficiency efficiency;
	struct hybrid_efficiency hybrid;
	int64_t computing_ns, communication_ns, tool_ns, unrecorded_ns; /* of all threads */
	uint64_t events;
	uint64_t calls;               /* polls are counted individually */
	uint64_t marks;               /* of the user */
	struct computing_parts parts; /* of computing_ns */
	double scheduling_ns;         /* of the run, when threads were ready to run but had no CPU */
	double overhead_ns;           /* work of the recorder between calls, also outside the run */
	struct rank_figures *ranks;   /* by process */
	struct counted_work counted;
	struct site_total *sites; /* by process */
	size_t site_count, site_room;
	struct phase_figures *phases; /* a phase precedes nested ones; at one depth, in order of appearance */
	uint32_t phase_count;
	struct iteration iteration;
};

/* Must not outlive the session. */
struct figures *figures_new(struct analysis_session *session);
void figures_free(struct figures *figures);

/* Bytes of all operations: see call_bytes(). */
uint64_t site_bytes(const struct site_total *site);
/* Bytes of one operation of a call, 0 for MPI_PROC_NULL; for a UPC access, also bytes read. */
uint64_t call_bytes(const struct call *call);
/* Bytes sent; 0 for MPI_PROC_NULL. */
uint64_t sent_bytes(const struct call *call);

#endif
