/* The options of a plan as rows of a table, for programs that have others beside them. */
#ifndef TARRY_BENCH_RESULTS_PLAN_OPTIONS_H
#define TARRY_BENCH_RESULTS_PLAN_OPTIONS_H

#include "bench/results/plan.h"

#define PLAN_DEFAULT_SIZES "1-1M:16"
#define PLAN_SYNC_METHODS "linear|ring|tree"
#define PLAN_METHODS "window|barrier|loop"
#define PLAN_TOPOLOGIES "cartesian|graph"
#define PLAN_CACHES "cold|warm"

// clang-format off
#define PLAN_OPTIONS \
	{"sizes", 's', "LIST", "bytes of a message: 1,1K,64K; 8-1M doubles, 8-1M:4 takes every fourth; " \
	 "default: " PLAN_DEFAULT_SIZES, OPTION_LIST, &plan.sizes}, \
	{"ranks", 'r', "LIST", "how many processes take part: 2,4,8; 2-64 doubles, 2-8:+1 counts; default: all", \
	 OPTION_LIST, &plan.ranks}, \
	{"root", 0, "RANK", "root of those that have one: a rank, 'middle' or 'last'; default: 0", \
	 OPTION_TEXT, &plan.root}, \
	{"datatype", 't', "TYPE", "what messages are made of, such as byte, int, double, vector, indexed, struct; " \
	 "default: byte, of reductions int", OPTION_TEXT, &plan.datatype}, \
	{"reduction", 0, "OPERATION", "of reductions, such as sum or max; default: sum", \
	 OPTION_TEXT, &plan.reduction}, \
	{"communicator", 0, "WHICH", "world, halves, node, or split:0,0,1,1 with a colour for each rank; default: world", \
	 OPTION_TEXT, &plan.communicator}, \
	{"topology", 0, PLAN_TOPOLOGIES, "of neighbourhood operations; default: cartesian", \
	 OPTION_CHOICE, &plan.topology}, \
	{"cache", 0, PLAN_CACHES, "buffers that no cache holds, or that it does; default: cold", \
	 OPTION_CHOICE, &plan.cache}, \
	{"in-place", 0, NULL, "with MPI_IN_PLACE where there is such a form", OPTION_FLAG, &plan.in_place}, \
	{"huge-pages", 0, NULL, "ask for huge pages for buffers", OPTION_FLAG, &plan.huge_pages}, \
	{"align", 0, "SIZE", "alignment of buffers, a power of 2; default: 64", OPTION_SIZE, &plan.alignment}, \
	{"verify", 0, NULL, "look at each operation's result once, before it is measured", \
	 OPTION_FLAG, &plan.verify}, \
	{"method", 0, PLAN_METHODS, "window: the one to trust; the others, to compare with; default: window", \
	 OPTION_CHOICE, &plan.method}, \
	{"timer", 0, "NAME", "clock to measure with; '--list' shows which there are; default: the best", \
	 OPTION_TEXT, &plan.timer}, \
	{"sync", 0, PLAN_SYNC_METHODS, "how clocks of processes are compared; default: tree", \
	 OPTION_CHOICE, &plan.sync}, \
	{"sync-patience", 0, "N", "a pair has compared its clocks when N messages have not been faster; default: 100", \
	 OPTION_NUMBER, &plan.sync_patience}, \
	{"warm-up", 0, "N", "runs before those that count; default: 4", OPTION_NUMBER, &plan.warm_up_runs}, \
	{"stage", 0, "N", "runs of a stage; default: 8", OPTION_NUMBER, &plan.stage_runs}, \
	{"wrong", 0, "SHARE", "a stage with more wrong runs makes the window wider; default: 25%", \
	 OPTION_REAL, &plan.wrong_share}, \
	{"widening", 0, "FACTOR", "by which a window exceeds the time that runs took; default: 1.1", \
	 OPTION_REAL, &plan.widening}, \
	{"max-runs", 0, "N", "end after more than N runs; default: 100", OPTION_NUMBER, &plan.runs_max}, \
	{"max-right", 0, "N", "end after more than N right runs; default: 30", OPTION_NUMBER, &plan.right_max}, \
	{"min-right", 0, "N", "end after N right runs if the error is small enough; default: 10", \
	 OPTION_NUMBER, &plan.right_min}, \
	{"error", 0, "SHARE", "standard error over mean that is small enough; default: 5%", \
	 OPTION_REAL, &plan.relative_error}, \
	{"time-limit", 0, "SECONDS", "end one line of the table after so long; default: 10", \
	 OPTION_NUMBER, &plan.time_limit}, \
	{"trim", 0, "SHARE", "right runs dropped at each end before the mean is taken; default: 25%", \
	 OPTION_REAL, &plan.trim}, \
	{"confidence", 0, "SHARE", "of the interval around the mean; default: 95%", OPTION_REAL, &plan.confidence}, \
	{"clock-share", 0, "SHARE", "mark a time when the clocks' error is more of it; default: 10%", \
	 OPTION_REAL, &plan.clock_share}, \
	{"seed", 0, "N", "of all that is random; default: 1", OPTION_NUMBER, &plan.seed}, \
	{"per-process", 0, NULL, "keep the times of each process", OPTION_FLAG, &plan.per_process}, \
	{"no-overlap", 0, NULL, "non-blocking operations alone, without computation", OPTION_FLAG, &plan.no_overlap}, \
	{"memory", 0, NULL, "what the MPI library allocates, instead of how long it takes", OPTION_FLAG, &plan.memory}, \
	{"first-call", 0, NULL, "compare the first and the second call of each operation; default: the five of the paper", \
	 OPTION_FLAG, &plan.first_call}, \
	{"json", 'o', "FILE", "write all that was measured, for programs and for 'tarry bench compare'", \
	 OPTION_TEXT, &plan.files.json}, \
	{"csv", 0, "FILE", "write a line for each time of the table", OPTION_TEXT, &plan.files.csv}, \
	{"html", 0, "FILE", "write a page with plots", OPTION_TEXT, &plan.files.page}, \
	{"quiet", 'q', NULL, "print no table", OPTION_FLAG, &plan.quiet}, \
	{"dry-run", 0, NULL, "say what would be measured and what memory it takes", OPTION_FLAG, &plan.dry_run}, \
	{"list", 0, NULL, "list operations and timers", OPTION_FLAG, &plan.list}, \
	{"show-progress", 0, NULL, NULL, OPTION_FLAG, &plan.show_progress}, \
	{"colour", 0, NULL, NULL, OPTION_FLAG, &plan.coloured}, \
	{"variant", 0, "NAME", NULL, OPTION_TEXT, &plan.variant}, \
	{"world", 0, "N", NULL, OPTION_NUMBER, &plan.world}, \
	{"clock-truth", 0, NULL, NULL, OPTION_FLAG, &plan.clock_truth}, \
	{"plant", 0, "FAULT", NULL, OPTION_TEXT, &plan.plant}, \
	{"each-algorithm", 0, NULL, NULL, OPTION_FLAG, &plan.tune}, \
	{"commutative", 0, NULL, NULL, OPTION_FLAG, &plan.commutative}, \
	{"rounds", 0, "N", NULL, OPTION_NUMBER, &plan.rounds}, \
	{"segments", 0, "LIST", NULL, OPTION_LIST, &plan.segments}, \
	{"skip-algorithms", 0, "LIST", NULL, OPTION_TEXT, &plan.skip_algorithms}, \
	{"journal", 0, "FILE", NULL, OPTION_TEXT, &plan.journal}, \
	{"die-after", 0, "N", NULL, OPTION_NUMBER, &plan.die_after}
// clang-format on

#endif
