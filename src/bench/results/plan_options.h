/* The options of a plan as table rows, for programs that have further options. */
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
	{"sizes", 's', "LIST", "bytes of a message: 1,1K,64K; 8-1M doubles, 8-1M:4 multiplies by 4; " \
	 "default: " PLAN_DEFAULT_SIZES, OPTION_LIST, &plan.sizes}, \
	{"ranks", 'r', "LIST", "numbers of processes: 2,4,8; 2-64 doubles, 2-8:+1 counts; default: all", \
	 OPTION_LIST, &plan.ranks}, \
	{"root", 0, "RANK", "root of operations with a root: a rank, 'middle' or 'last'; default: 0", \
	 OPTION_TEXT, &plan.root}, \
	{"datatype", 't', "TYPE", "element type, such as byte, int, double, vector, indexed, struct; " \
	 "default: byte, for reductions int", OPTION_TEXT, &plan.datatype}, \
	{"reduction", 0, "OPERATION", "operation of reductions, such as sum or max; default: sum", \
	 OPTION_TEXT, &plan.reduction}, \
	{"communicator", 0, "WHICH", "world, halves, node, or split:0,0,1,1 with a colour for each rank; default: world", \
	 OPTION_TEXT, &plan.communicator}, \
	{"topology", 0, PLAN_TOPOLOGIES, "topology of neighbourhood operations; default: cartesian", \
	 OPTION_CHOICE, &plan.topology}, \
	{"cache", 0, PLAN_CACHES, "buffers outside or inside the cache; default: cold", \
	 OPTION_CHOICE, &plan.cache}, \
	{"in-place", 0, NULL, "use MPI_IN_PLACE where MPI defines it", OPTION_FLAG, &plan.in_place}, \
	{"huge-pages", 0, NULL, "use huge pages for buffers", OPTION_FLAG, &plan.huge_pages}, \
	{"align", 0, "SIZE", "alignment of buffers, a power of 2; default: 64", OPTION_SIZE, &plan.alignment}, \
	{"verify", 0, NULL, "verify the result of each operation once before measuring", \
	 OPTION_FLAG, &plan.verify}, \
	{"method", 0, PLAN_METHODS, "window: the reliable method; the others are for comparison; default: window", \
	 OPTION_CHOICE, &plan.method}, \
	{"timer", 0, "NAME", "clock for measuring, one of 'tarry bench list'; default: the best", \
	 OPTION_TEXT, &plan.timer}, \
	{"sync", 0, PLAN_SYNC_METHODS, "method of clock synchronisation; default: tree", \
	 OPTION_CHOICE, &plan.sync}, \
	{"sync-patience", 0, "N", "stop comparing two clocks after N messages without a faster one; default: 100", \
	 OPTION_NUMBER, &plan.sync_patience}, \
	{"warm-up", 0, "N", "runs for warm-up, not counted; default: 4", OPTION_NUMBER, &plan.warm_up_runs}, \
	{"stage", 0, "N", "runs between two checks of the time window; default: 8", OPTION_NUMBER, &plan.stage_runs}, \
	{"wrong", 0, "SHARE", "make the time window longer if more than this share of a stage is invalid; default: 25%", \
	 OPTION_REAL, &plan.wrong_share}, \
	{"widening", 0, "FACTOR", "make the time window FACTOR times as long as a run takes; default: 1.1", \
	 OPTION_REAL, &plan.widening}, \
	{"max-runs", 0, "N", "stop when there are more than N runs, valid or not; default: 100", OPTION_NUMBER, &plan.runs_max}, \
	{"max-right", 0, "N", "stop when there are more than N valid runs; default: 30", OPTION_NUMBER, &plan.right_max}, \
	{"min-right", 0, "N", "stop after N valid runs if the error is below '--error'; default: 10", \
	 OPTION_NUMBER, &plan.right_min}, \
	{"error", 0, "SHARE", "relative standard error at which to stop; default: 5%", \
	 OPTION_REAL, &plan.relative_error}, \
	{"time-limit", 0, "SECONDS", "time limit for a line of the table; default: 10", \
	 OPTION_NUMBER, &plan.time_limit}, \
	{"trim", 0, "SHARE", "share of valid runs dropped at each end for the mean; default: 25%", \
	 OPTION_REAL, &plan.trim}, \
	{"confidence", 0, "SHARE", "confidence of the interval around the mean; default: 95%", OPTION_REAL, &plan.confidence}, \
	{"clock-share", 0, "SHARE", "mark a time if the clock error exceeds this share; default: 10%", \
	 OPTION_REAL, &plan.clock_share}, \
	{"seed", 0, "N", "seed of random numbers; default: 1", OPTION_NUMBER, &plan.seed}, \
	{"per-process", 0, NULL, "keep the times of each process", OPTION_FLAG, &plan.per_process}, \
	{"no-overlap", 0, NULL, "measure non-blocking operations only without computation", OPTION_FLAG, &plan.no_overlap}, \
	{"memory", 0, NULL, "measure memory of the MPI library instead of time", OPTION_FLAG, &plan.memory}, \
	{"first-call", 0, NULL, "compare the first call of each operation in a new job with the second; default: bcast, allgather, barrier, reduce, allreduce", \
	 OPTION_FLAG, &plan.first_call}, \
	{"json", 'o', "FILE", "write all results as JSON, for example for 'tarry bench compare'", \
	 OPTION_TEXT, &plan.files.json}, \
	{"csv", 0, "FILE", "write the table as CSV", OPTION_TEXT, &plan.files.csv}, \
	{"html", 0, "FILE", "write a page with plots", OPTION_TEXT, &plan.files.page}, \
	{"quiet", 'q', NULL, "print no table", OPTION_FLAG, &plan.quiet}, \
	{"dry-run", 0, NULL, "print the planned measurements and the memory they need", OPTION_FLAG, &plan.dry_run}, \
	{"list", 0, NULL, "list operations and timers; the same as 'tarry bench list'", OPTION_FLAG, &plan.list}, \
	{"show-progress", 0, NULL, NULL, OPTION_FLAG, &plan.show_progress}, \
	{"colour", 0, NULL, NULL, OPTION_FLAG, &plan.coloured}, \
	{"variant", 0, "NAME", NULL, OPTION_TEXT, &plan.variant}, \
	{"world", 0, "N", NULL, OPTION_NUMBER, &plan.world}, \
	{"clock-truth", 0, NULL, NULL, OPTION_FLAG, &plan.clock_truth}, \
	{"plant", 0, "FAULT", NULL, OPTION_TEXT, &plan.plant}, \
	{"each-algorithm", 0, NULL, NULL, OPTION_FLAG, &plan.tune}, \
	{"commutative", 0, NULL, NULL, OPTION_FLAG, &plan.commutative}, \
	{"rounds", 0, "N", NULL, OPTION_NUMBER, &plan.rounds}, \
	{"layouts", 0, "LIST", NULL, OPTION_LIST, &plan.layouts}, \
	{"segments", 0, "LIST", NULL, OPTION_LIST, &plan.segments}, \
	{"skip-algorithms", 0, "LIST", NULL, OPTION_TEXT, &plan.skip_algorithms}, \
	{"journal", 0, "FILE", NULL, OPTION_TEXT, &plan.journal}, \
	{"die-after", 0, "N", NULL, OPTION_NUMBER, &plan.die_after}
// clang-format on

#endif
