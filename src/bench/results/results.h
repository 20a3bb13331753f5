/* The results of a benchmark and its circumstances, filled point by point or read from a file. All outputs
 * (table, JSON, CSV, page, comparison) use this. Times are in seconds. */
#ifndef TARRY_BENCH_RESULTS_RESULTS_H
#define TARRY_BENCH_RESULTS_RESULTS_H

#include "base/arena.h"
#include "statistics/sample.h"

#include <stdbool.h>
#include <stdint.h>

/* A fact about machine, library or parameters: "library" = "Open MPI 4.1.4". */
struct fact {
	const char *section; /* "mpi", "machine", "parameters", "clock", "self-tests" */
	const char *name;
	const char *value;
	struct fact *next;
};

/* Warnings about a point; combined by |. */
enum mark {
	MARK_CLOCK = 1 << 0,          /* the clock error is a larger share of the time than allowed */
	MARK_FEW = 1 << 1,            /* fewer valid runs than the paper's minimum */
	MARK_UNSTEADY = 1 << 2,       /* ended by the number of runs, not by the relative error */
	MARK_OVERSUBSCRIBED = 1 << 3, /* more processes than cores on some node */
	MARK_RESOLUTION = 1 << 4,     /* the time is too short for the timer's resolution */
};

/* Times of a single process. */
struct process_time {
	double mean, min, max;
	const double *times; /* of each valid run; NULL: not requested */
};

/* One operation with one set of parameters. */
struct result_point {
	const char *operation; /* "MPI_Bcast" */
	const char *variant;   /* an algorithm or another label; "" */
	uint64_t bytes;        /* message size, as the operation's description defines it; 0 without one */
	int ranks;
	int root; /* -1: none */
	const char *datatype;
	const char *reduction;    /* "": none */
	const char *communicator; /* "world", "halves", … */
	const char *cache;        /* "cold", "warm" */
	bool in_place;

	size_t runs;   /* n_t: all but the warm-up */
	size_t stages; /* without the warm-up */
	double window; /* delta of the last stage */
	const double
		*times; /* of valid runs, in order: the maximum over processes; summary.count (n_c) values */
	struct sample_summary summary;
	const struct process_time *processes; /* `ranks` of them, or NULL */
	double clock_error;                   /* estimated, during the measurement */
	unsigned marks;                       /* enum mark */

	/* Non-blocking operations with computation; NAN for others. */
	double overlap;   /* 0 to 1: the hidden part of the time without computation */
	double computing; /* duration of the computation */
	double total;     /* time with computation */
	double rate;      /* bytes per second if this is the result, otherwise NAN */
};

/* A point that was not measured, and the reason: "this MPI library has no MPI_Ibarrier". */
struct omission {
	const char *operation;
	const char *reason;
	struct omission *next;
};

struct results {
	struct arena arena; /* owns all data */
	struct fact *facts, **facts_end;
	struct omission *omissions, **omissions_end;
	struct result_point *points;
	size_t point_count, point_room;
	struct memory_use *memory; /* results/memory_use.h; usually empty */
	size_t memory_count, memory_room;
	size_t jobs;         /* not 0: times are medians of this many jobs */
	bool is_complete;    /* false: the job ended early */
	const char *trouble; /* the reason, or NULL */
};

void results_init(struct results *results);
void results_release(struct results *results);

/* Replaces a fact of the same section and name. */
void results_fact(struct results *results, const char *section, const char *name, const char *format, ...)
	PRINTF_LIKE(4, 5);
/* The same for a fact that is known to be new. */
void results_new_fact(struct results *results, const char *section, const char *name, const char *value);
/* NULL: unknown. */
const char *results_find_fact(const struct results *results, const char *section, const char *name);
void results_omit(struct results *results, const char *operation, const char *reason);
/* Copies the point and its data. */
void results_add(struct results *results, const struct result_point *point);

/* By all parameters; 0: the points correspond. */
int point_order(const struct result_point *left, const struct result_point *right);

#endif
