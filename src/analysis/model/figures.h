/* The figures of a run, which all outputs share: where the time went, by process, call, phase and iteration, and the efficiencies of
 * the POP project. One pass over all events.
 *
 *	struct figures *figures = figures_new(session);
 *	figures->efficiency.parallel            0.58
 *	figures->ranks[3].computing_ns          of the fourth process
 *	figures_free(figures);
 *
 * All times but those of MPI_Init and MPI_Finalize lie in the run as model/run_spans.h defines it. Of a thread's time,
 *
 *	communication    is inside calls that have to do with other processes or with files,
 *	tool             the recorder was at work,
 *	unrecorded       it is not known, as events were lost in the middle,
 *	computing        is the rest, also local calls, as MPI_Wtime and MPI_Comm_rank,
 *
 * so that these four add up to the time. A process with several threads computes for the mean of those that
 * count (model/run_spans.h). Then
 *
 *	load balance              = mean of computing times / longest computing time
 *	communication efficiency  = longest computing time / length of the run
 *	parallel efficiency       = load balance * communication efficiency
 *
 * and for a phase likewise, over the processes that were in it; its length is the longest time that one of them was. */
#ifndef TARRY_ANALYSIS_MODEL_FIGURES_H
#define TARRY_ANALYSIS_MODEL_FIGURES_H

#include "analysis/model/iterations.h"
#include "analysis/model/run_spans.h"
#include "analysis/model/session.h"

/* Of a process. */
struct rank_figures {
	int64_t length_ns;
	int64_t computing_ns, communication_ns; /* the mean of its threads */
	int64_t init_ns, finalize_ns;
	uint64_t calls;                      /* of MPI and UPC */
	uint64_t sent_bytes, received_bytes; /* by all calls */
};

/* What a process did at one distinct call in one phase. */
struct site_total {
	uint32_t process;
	uint32_t phase; /* number in figures->phases + 1; 0: in none */
	const struct call *call;
	uint64_t count;    /* calls */
	uint64_t starts;   /* messages or operations begun: of a prepared request, how often it was started */
	int64_t inside_ns; /* in all */
	int64_t run_ns;    /* of that, in the run */
	bool is_local;     /* its time is computing */
	/* Of a trace that has only sums: */
	const struct call_sums *sums; /* NULL: it has events */
	int64_t waited_ns;            /* beyond the shortest call of this size from this place: an estimate */
};

/* A region or phase of the user (tarry.h, MPI_Pcontrol), with all that lies in it. */
struct phase_figures {
	const char *name;
	const char *path;   /* with those around it, the outermost first: "time loop > exchange" */
	uint32_t parent;    /* number + 1; 0: none */
	uint32_t depth;     /* of those around it */
	uint32_t processes; /* that were in it */
	uint64_t times;     /* it was entered, by all of them */
	uint64_t calls;     /* of MPI and UPC in it, without local ones */
	int64_t length_ns;  /* the longest time that a process was in it */
	int64_t time_ns, computing_ns, communication_ns; /* of all threads */
	struct efficiency efficiency;
};

struct figures {
	struct arena arena;
	const struct run_spans *run;
	const struct comm_table *comms;
	struct efficiency efficiency;
	int64_t computing_ns, communication_ns, tool_ns, unrecorded_ns; /* of all threads */
	uint64_t events;
	uint64_t calls;             /* polls counted one by one */
	uint64_t marks;             /* of the user */
	double scheduling_ns;       /* of the run, that threads were ready to run and had no processor */
	double overhead_ns;         /* that the recorder was at work between calls, also outside of the run */
	struct rank_figures *ranks; /* by process */
	struct site_total *sites;   /* by process */
	size_t site_count, site_room;
	struct phase_figures *phases; /* a phase before those in it; at one depth, as they appeared */
	uint32_t phase_count;
	struct iteration iteration;
};

/* Lives no longer than the session. */
struct figures *figures_new(struct analysis_session *session);
void figures_free(struct figures *figures);

/* Bytes that all operations hand over: see call_bytes(). */
uint64_t site_bytes(const struct site_total *site);
/* Bytes that one operation of a call hands over, none to MPI_PROC_NULL; of an access of UPC, also what it reads. */
uint64_t call_bytes(const struct call *call);
/* Bytes that it sends; none to MPI_PROC_NULL. */
uint64_t sent_bytes(const struct call *call);

#endif
