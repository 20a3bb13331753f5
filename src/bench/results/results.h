/* What a benchmark measured, and under which circumstances. Filled in point by point by the one who measures, or read from
 * a file; all that shows it (table, JSON, CSV, page, comparison) takes this. Times are in seconds. */
#ifndef TARRY_BENCH_RESULTS_RESULTS_H
#define TARRY_BENCH_RESULTS_RESULTS_H

#include "base/arena.h"
#include "bench/statistics/sample.h"

#include <stdbool.h>
#include <stdint.h>

/* A fact about the machine, the library, the parameters: "library" = "Open MPI 4.1.4". */
struct fact {
	const char *section; /* "mpi", "machine", "parameters", "clock", "self-tests" */
	const char *name;
	const char *value;
	struct fact *next;
};

/* Why a point is to be taken with care. Several are joined. */
enum mark {
	MARK_CLOCK = 1 << 0,          /* the clock's error is more than the stated share of the time */
	MARK_FEW = 1 << 1,            /* fewer right runs than the paper's minimum */
	MARK_UNSTEADY = 1 << 2,       /* ended by the number of runs, not by the relative error */
	MARK_OVERSUBSCRIBED = 1 << 3, /* more processes than processors on some node */
	MARK_RESOLUTION = 1 << 4,     /* the time is so short that the timer's resolution shows */
};

/* The time that each process itself took. */
struct process_time {
	double mean, min, max;
	const double *times; /* of each right run, or NULL when not asked for */
};

/* One operation with one set of parameters. */
struct result_point {
	const char *operation; /* "MPI_Bcast" */
	const char *variant;   /* an algorithm, or whatever else sets it apart; "" */
	uint64_t bytes;        /* the message's size, as the operation's description says; 0 without one */
	int ranks;
	int root; /* -1: it has none */
	const char *datatype;
	const char *reduction;    /* "": none */
	const char *communicator; /* "world", "halves", … */
	const char *cache;        /* "cold", "warm" */
	bool in_place;

	size_t runs;   /* n_t: all but the warm-up */
	size_t stages; /* without the warm-up */
	double window; /* the last stage's delta */
	const double *
		times; /* of right runs in their order: each the maximum over processes; summary.count of them (n_c) */
	struct sample_summary summary;
	const struct process_time *processes; /* `ranks` of them, or NULL */
	double clock_error;                   /* estimated, while it was measured */
	unsigned marks;                       /* enum mark */

	/* Of non-blocking operations with computation in between; NAN for others. */
	double overlap;   /* 0 to 1: the part of the time alone that was hidden */
	double computing; /* how long it computed */
	double total;     /* time with it */
	double rate;      /* bytes in a second where that is the point of it, else NAN */
};

/* Not measured, and why: "this MPI library has no MPI_Ibarrier". */
struct omission {
	const char *operation;
	const char *reason;
	struct omission *next;
};

struct results {
	struct arena arena; /* all that is in here belongs to it */
	struct fact *facts, **facts_end;
	struct omission *omissions, **omissions_end;
	struct result_point *points;
	size_t point_count, point_room;
	struct memory_use *memory; /* results/memory_use.h; mostly none */
	size_t memory_count, memory_room;
	size_t jobs;      /* not 0: each time of a point is the median of a job, of which there are so many */
	bool is_complete; /* false: the job ended early */
	const char *trouble; /* why, or NULL */
};

void results_init(struct results *results);
void results_release(struct results *results);

/* One with the same section and name is replaced. */
void results_fact(struct results *results, const char *section, const char *name, const char *format, ...)
	PRINTF_LIKE(4, 5);
/* One that is known not to be there yet. */
void results_new_fact(struct results *results, const char *section, const char *name, const char *value);
/* NULL if unknown. */
const char *results_find_fact(const struct results *results, const char *section, const char *name);
void results_omit(struct results *results, const char *operation, const char *reason);
/* Copies the point and all that it points to. */
void results_add(struct results *results, const struct result_point *point);

/* By all that was chosen for them: 0 for points that belong together. */
int point_order(const struct result_point *left, const struct result_point *right);

#endif
