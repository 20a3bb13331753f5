/* A summary of a trace, as printed by `tarry info`. It groups the figures of model/figures.h by function and
 * place, and adds facts about programs, machines, communicators and losses.
 *
 *	struct summary *summary = summarize(session, figures, source);
 *	for (size_t i = 0; i < summary->function_count; i++) …
 *	summary_free(summary); */
#ifndef TARRY_ANALYSIS_MODEL_SUMMARY_H
#define TARRY_ANALYSIS_MODEL_SUMMARY_H

#include "analysis/model/figures.h"
#include "analysis/model/processes.h"
#include "analysis/symbols/symbols.h"
#include "trace/reader.h"

/* Calls of one function, or of one function from one place. */
struct tally {
	const char *name; /* the function, or the place */
	uint64_t calls;   /* unsuccessful polls counted individually */
	int64_t inside_ns;
	int64_t run_ns;  /* of that, in the run */
	bool is_local;   /* its time is computation */
	uint64_t bytes;  /* sent; for UPC accesses, also read */
	size_t function; /* of a place: its function */
};

/* A text and the ranks of a world that share it: hosts, programs. */
struct sharing {
	const char *text;
	uint64_t world;
	const char *ranks; /* "0-3,7"; "?" for an unknown one */
	size_t count;
};

struct comm_summary {
	uint64_t identity;
	uint64_t kind;
	uint64_t size;
	uint64_t remote_size;
	const char *name; /* predefined, or given by the program; "": none */
	const char *made; /* "MPI_Comm_split at solver.c:40"; "": unknown */
};

struct loss_summary {
	const struct process *process;
	const struct stream *stream; /* NULL: the whole process */
	int64_t ns;                  /* since 1970, in the sense of clocks_ns() */
	double seconds;              /* since the start of the run */
	const char *reason;
};

struct summary {
	struct arena arena;
	size_t worlds;
	size_t threads;
	enum paradigm paradigm;
	struct crowding crowding;
	uint64_t start_ns;       /* since 1970; 0: unknown */
	double *uncertainty_ns;  /* by line of the clocks: the maximum of the run; negative: unknown */
	struct tally *functions; /* by time */
	size_t function_count;
	struct tally *places; /* by time */
	size_t place_count;
	struct sharing *hosts;
	size_t host_count;
	struct sharing *programs; /* command lines */
	size_t program_count;
	struct comm_summary *comms; /* in order of appearance */
	size_t comm_count;
	struct loss_summary *losses;
	size_t loss_count;
};

struct summary *summarize(const struct analysis_session *session, const struct figures *figures,
                          struct symbols *source);
void summary_free(struct summary *summary);

#endif
