/* What to measure and how: the options of `tarry bench` and of the programs it starts, which are the same ones. */
#ifndef TARRY_BENCH_RESULTS_PLAN_H
#define TARRY_BENCH_RESULTS_PLAN_H

#include "base/options.h"
#include "bench/results/output.h"

#include <stdbool.h>
#include <stdint.h>

struct bench_plan {
	/* as the user wrote it; NULL: the default */
	const char *sizes; /* "1,1K,64K" or "8-1M" (times 2) or "8-1M:4" */
	const char *ranks; /* the same, or "all"; sub-communicators of so many; default: all */
	const char *root;  /* number, "last" or "middle" */
	const char *
		datatype; /* byte, int, double, …, vector:…, indexed:…, struct:…, or a layout of the user's */
	const char *reduction;    /* sum, max, … */
	const char *communicator; /* world, halves, node, or split:0,0,1,1 */
	const char *topology;     /* of neighbourhood operations: cartesian, graph */
	const char *cache;        /* cold, warm */
	const char *timer;
	const char *sync;   /* linear, ring, tree */
	const char *method; /* window, barrier, loop: the last two to compare with */
	bool in_place;
	bool huge_pages;
	bool verify; /* verify the result of each operation once before measuring */
	uint64_t alignment;

	/* the paper's parameters, with its defaults */
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
	int64_t time_limit;    /* seconds for one point: 10 */
	double clock_share;    /* a clock error above this share of the time is marked: 0.1 */
	int64_t seed;          /* of all that is random: order, contents */

	bool per_process; /* keep each process's times of each run */
	bool no_overlap;  /* non-blocking operations alone */
	bool memory;      /* what the library allocates instead of how long it takes */
	bool first_call;  /* the first and the second call in a fresh job */
	bool list;        /* the operations, then end */
	bool dry_run;     /* say what would be measured and what memory that takes, then end */
	bool quiet;
	bool show_progress; /* for `tarry bench`, which makes a bar of it */
	bool coloured;
	const char *
		variant; /* what sets these measurements apart from others in the same table; NULL: nothing */
	int64_t world;   /* of dry_run: as if the job had so many processes; 0: as many as it has */
	bool clock_truth;     /* compare clocks with a counter that all processes share: for tests */
	const char *plant;    /* a fault to be found out: for tests */
	bool commutative;     /* of tune: also algorithms that are wrong for reductions that do not commute */
	bool tune;            /* measure each algorithm that the library offers: for `tarry bench tune` */
	int64_t rounds;       /* of tune: in how many turns all are measured; 5 */
	const char *segments; /* of tune: bytes that messages are cut into, where algorithms do so; 0: not */
	const char *skip_algorithms; /* of tune: "MPI_Bcast:linear;MPI_Reduce:chain,32K" */
	const char *journal;         /* of tune: file to tell in what is being tried */
	int64_t die_after; /* points after which the last process kills itself: for tests; 0: never */
	struct output_files files;
	struct string_list operations; /* operands */
};

/* Filled in by options_parse() with PLAN_OPTIONS of results/plan_options.h; `operations` are the caller's to set. */
extern struct bench_plan plan;
extern const struct bench_plan plan_defaults;

/* PLAN_OPTIONS alone, with --help. */
extern const struct option_spec plan_options[];

/* Lists as the user writes them: single numbers, ranges that double ("8-1M"), grow by another factor ("8-1M:4") or by steps
 * ("2-8:+2"); a range's last number is always in it. In the user's order, each once. `at` is the arena's. NULL: the default. */
struct uint_list {
	uint64_t *at;
	size_t count;
};

enum status plan_sizes(const char *text, struct arena *arena, struct uint_list *numbers) MUST_CHECK;
enum status plan_ranks(const char *text, int world, struct arena *arena,
                       struct uint_list *numbers) MUST_CHECK;
/* A process of `ranks`. */
enum status plan_root(const char *text, int ranks, int *root) MUST_CHECK;

/* The words that make another program's plan the same, without those that say what is the default; NULL behind the last. */
char **plan_argv(const struct bench_plan *wanted, struct arena *arena);

/* Of what was measured, not of where it is written; and its value in this plan, defaults spelled out. */
bool plan_has_parameter(const struct option_spec *spec);
void plan_value(const struct option_spec *spec, const struct bench_plan *wanted, struct text *out);

/* What cannot be right whatever the machine: shares out of range, lists that are none, two outputs in one file. */
enum status plan_check(const struct bench_plan *wanted) MUST_CHECK;

#endif
