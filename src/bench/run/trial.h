/* One operation with its communicator, buffers and types, ready to run. */
#ifndef TARRY_BENCH_RUN_TRIAL_H
#define TARRY_BENCH_RUN_TRIAL_H

#include "bench/results/plan.h"
#include "bench/results/results.h"
#include "bench/run/datatypes.h"
#include "bench/run/operation.h"
#include "bench/run/reductions.h"

/* Blocks of different sizes in a buffer, one per peer. */
struct trial_blocks {
	int *counts;
	int *offsets;     /* in elements of the type */
	int *bytes;       /* the same in bytes */
	MPI_Aint *places; /* the same as MPI_Aint */
	MPI_Datatype *types;
	int *peers; /* ranks: the other end of each block */
	int count;
};

enum { NOTE_LETTERS = 160 };

struct trial {
	const struct bench_operation *operation;
	MPI_Comm comm;    /* of the processes that take part */
	MPI_Comm call_on; /* for the operation: the same, or with a topology */
	int rank, ranks, root;
	uint64_t bytes; /* of a message: as requested, rounded up to whole elements */
	int count;      /* of `type` in a message */
	MPI_Datatype type;
	MPI_Op reduction;
	bool in_place;
	/* Buffers of this run, for the call: one may be MPI_IN_PLACE. trial_turn() advances them. */
	void *send, *receive;
	struct trial_blocks out, in;
	int share;          /* of uneven operations: the count of the single block of this process */
	int64_t compute_ns; /* of non-blocking operations: computation between start and completion */
	MPI_Request request;
	int trouble; /* MPI's error code before the run; run() returns it */
	void *own;   /* further data of the operation; its release() frees it */
	const struct bench_plan *wanted;
	struct datatype datatype;
	const struct reduction *how; /* NULL: not a reduction */
	struct buffers *buffers;
	struct arena arena;
	char note[NOTE_LETTERS]; /* a note for the user, or "" */
};

/* Once, collective over `world`: last-level cache, memory, and the processes that share them. Until then a
 * process is treated as alone. */
void trial_look_around(MPI_Comm world);

/* Checks words of the plan that need no measurement: types, reductions, topologies, communicators. */
enum status trial_check_words(const struct bench_plan *wanted) MUST_CHECK;

/* Whether it can be measured with so many ranks and bytes; a message if not. Local, and the same
 * everywhere. */
enum status trial_check(const struct bench_operation *operation, const struct bench_plan *wanted,
                        uint64_t bytes, int ranks) MUST_CHECK;
/* Memory in bytes that a process needs; for rooted operations, the root. */
uint64_t trial_memory(const struct bench_operation *operation, const struct bench_plan *wanted,
                      uint64_t bytes, int ranks);

/* Collective over `comm`, which the trial does not own. Succeeds in all processes or in none. With
 * plan.verify the operation runs once, and its result is compared with MPI's definition. */
enum status trial_prepare(struct trial *trial, const struct bench_operation *operation,
                          const struct bench_plan *wanted, MPI_Comm comm, uint64_t bytes) MUST_CHECK;
/* The same without messages, for operations that need none to be prepared: the caller ends the job if a
 * process fails. */
enum status trial_can_be_silent(const struct bench_operation *operation) MUST_CHECK;
enum status trial_prepare_silently(struct trial *trial, const struct bench_operation *operation,
                                   const struct bench_plan *wanted, MPI_Comm comm, uint64_t bytes) MUST_CHECK;
/* Before a stage of at most `runs` runs: makes their buffers cold if requested. May take long. */
void trial_freshen(struct trial *trial, int64_t runs);
/* The next buffers; not measured. */
void trial_turn(struct trial *trial);
void trial_release(struct trial *trial);

/* Facts about the buffers: pages, memory per process. */
void trial_facts(const struct trial *trial, struct results *results);

#endif
