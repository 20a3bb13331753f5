/* The plan of a measurement: the options of `tarry bench` and of the programs that it starts, which are
 * the same. */
#ifndef TARRY_BENCH_RESULTS_PLAN_H
#define TARRY_BENCH_RESULTS_PLAN_H

#include "base/options.h"
#include "bench/results/output.h"

#include <stdbool.h>
#include <stdint.h>

struct bench_plan {
	/* as given by the user; NULL: the default */
	const char *sizes;   /* "1,1K,64K" or "8-1M" (times 2) or "8-1M:4" */
	const char *ranks;   /* the same, or "all": sizes of sub-communicators; default: all */
	const char *layouts; /* instead of ranks: "1x8,2x4", nodes x processes on each */
	const char *root;    /* number, "last" or "middle" */
	const char *datatype; /* byte, int, double, …, vector:…, indexed:…, struct:…, or a user's layout */
	const char *reduction;    /* sum, max, … */
	const char *communicator; /* world, halves, node, or split:0,0,1,1 */
	const char *topology;     /* of neighbourhood operations: cartesian, graph */
	const char *cache;        /* cold, warm */
	const char *timer;
	const char *sync;   /* linear, ring, tree */
	const char *method; /* window, barrier, loop (for comparison) */
	bool in_place;
	bool huge_pages;
	bool verify; /* verify the result of each operation once before measuring */
	uint64_t alignment;

	/* parameters of the paper, with its defaults */
	int64_t sync_patience; /* d: 100 */
	int64_t warm_up_runs;  /* k': 4 */
	int64_t stage_runs;    /* k: 8 */
	double wrong_share;    /* g: 0.25 */
	double widening;       /* gamma: 1.1 */
	int64_t runs_max;      /* 100 */
	int64_t right_max;     /* 30 */
	double relative_error; /* 0.05 */
	int64_t right_min;     /* 10 */
	double trim;           /* g': 0.25, at each end */
	double confidence;     /* 0.95 */
	int64_t time_limit;    /* seconds per point: 10 */
	double clock_share;    /* a larger clock error relative to the time is marked: 0.1 */
	int64_t seed;          /* of all random values: order, contents */

	bool per_process; /* keep the times of each process */
	bool no_overlap;  /* non-blocking operations only without computation */
	bool memory;      /* measure memory of the library instead of time */
	bool first_call;  /* measure the first and the second call in a fresh job */
	bool list;        /* list the operations and exit */
	bool dry_run;     /* print points and memory, and exit */
	bool quiet;
	bool show_progress; /* for `tarry bench`, which draws a bar */
	bool coloured;
	const char *variant;  /* label of these measurements in a common table; NULL: none */
	int64_t world;        /* of dry_run: assumed number of processes; 0: that of the job */
	bool clock_truth;     /* compare clocks with a counter that all processes share: for tests */
	const char *plant;    /* a planted fault: for tests */
	bool commutative;     /* of tune: accept algorithms that are wrong for non-commutative reductions */
	bool tune;            /* measure each algorithm of the library: for `tarry bench tune` */
	int64_t rounds;       /* of tune: number of rounds; 5 */
	const char *segments; /* of tune: segment sizes of messages in bytes; 0: not segmented */
	const char *skip_algorithms; /* of tune: "MPI_Bcast:linear;MPI_Reduce:chain,32K" */
	const char *journal;         /* of tune: a file with the algorithm that is being tried */
	int64_t die_after; /* number of points after which the last process kills itself: for tests; 0: never */
	struct output_files files;
	struct string_list operations; /* operands */
};

/* Filled by options_parse() with PLAN_OPTIONS of results/plan_options.h; the caller sets `operations`. */
extern struct bench_plan plan;
extern const struct bench_plan plan_defaults;

/* Only PLAN_OPTIONS, with --help. */
extern const struct option_spec plan_options[];

/* Parses lists: single numbers, ranges that double ("8-1M"), grow by another factor ("8-1M:4") or by steps
 * ("2-8:+2"). The last number of a range is always included. Keeps the order, without duplicates. `at`
 * belongs to the arena. NULL: the default. */
struct uint_list {
	uint64_t *at;
	size_t count;
};

enum status plan_sizes(const char *text, struct arena *arena, struct uint_list *numbers) MUST_CHECK;
enum status plan_ranks(const char *text, int world, struct arena *arena,
                       struct uint_list *numbers) MUST_CHECK;
/* Sub-communicators by nodes. A point measured in one has its words as communicator. */
struct rank_layout {
	const char *words; /* "2x4" */
	int nodes, per_node;
};

struct rank_layout_list {
	struct rank_layout *at;
	size_t count;
};

/* Empty if `text` is NULL. */
enum status plan_layouts(const char *text, struct arena *arena, struct rank_layout_list *layouts) MUST_CHECK;
/* False: the communicator is none of these. */
bool layout_read(const char *words, struct rank_layout *layout);

/* A process of `ranks`. */
enum status plan_root(const char *text, int ranks, int *root) MUST_CHECK;

/* The arguments that give another program the same plan, without defaults; NULL-terminated. */
char **plan_argv(const struct bench_plan *wanted, struct arena *arena);

/* Parameters of the measurement (not of its output) and their values in this plan, including defaults. */
bool plan_has_parameter(const struct option_spec *spec);
void plan_value(const struct option_spec *spec, const struct bench_plan *wanted, struct text *out);

/* Checks that need no machine: values out of range, invalid lists, two outputs in one file. */
enum status plan_check(const struct bench_plan *wanted) MUST_CHECK;

#endif
