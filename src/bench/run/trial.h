/* One thing to measure, ready to be run: an operation with its communicator, buffers, types. */
#ifndef TARRY_BENCH_RUN_TRIAL_H
#define TARRY_BENCH_RUN_TRIAL_H

#include "bench/results/plan.h"
#include "bench/results/results.h"
#include "bench/run/datatypes.h"
#include "bench/run/operation.h"
#include "bench/run/reductions.h"

/* Blocks of a buffer, where they differ in size: one for each peer. */
struct trial_blocks {
	int *counts;
	int *offsets;     /* in elements of the type */
	int *bytes;       /* the same in bytes, for those that want that */
	MPI_Aint *places; /* and for those that want it in an MPI_Aint */
	MPI_Datatype *types;
	int *peers; /* ranks: whom this block goes to or comes from */
	int count;
};

enum { NOTE_LETTERS = 160 };

struct trial {
	const struct bench_operation *operation;
	MPI_Comm comm;    /* of the processes that take part */
	MPI_Comm call_on; /* what the operation gets: the same, or with a topology */
	int rank, ranks, root;
	uint64_t bytes; /* of a message: as asked, rounded up to whole elements */
	int count;      /* of `type` in a message */
	MPI_Datatype type;
	MPI_Op reduction;
	bool in_place;
	/* Buffers of this run, for the call: one of them may be MPI_IN_PLACE. trial_turn() moves them on. */
	void *send, *receive;
	struct trial_blocks out, in;
	int share; /* of uneven operations: the count of the one block that this process gives or gets */
	int64_t compute_ns; /* of non-blocking operations: computation between start and completion */
	MPI_Request request;
	int trouble; /* MPI's error code of what came before the run; run() gives it back */
	void *own;   /* what else the operation needs; its release() frees it */
	const struct bench_plan *wanted;
	struct datatype datatype;
	const struct reduction *how; /* NULL: reduces nothing */
	struct buffers *buffers;
	struct arena arena;
	char note[NOTE_LETTERS]; /* what the user should know, or "" */
};

/* Once, collective over `world`: the last cache, memory, and who shares them. Before, a process is taken to be alone. */
void trial_look_around(MPI_Comm world);

/* Words of the plan that mean nothing, whatever is measured: types, reductions, topologies, communicators. */
enum status trial_check_words(const struct bench_plan *wanted) MUST_CHECK;

/* Whether it can be measured at all with so many ranks and bytes: one sentence if not. Collective over nothing, and the same
 * everywhere. */
enum status trial_check(const struct bench_operation *operation, const struct bench_plan *wanted,
                        uint64_t bytes, int ranks) MUST_CHECK;
/* Bytes of memory that a process would need, and of those with a root, that one. */
uint64_t trial_memory(const struct bench_operation *operation, const struct bench_plan *wanted,
                      uint64_t bytes, int ranks);

/* Collective over `comm`, which the trial does not own. All or none succeed. With plan.verify the operation is run once
 * and what it gives is compared with what MPI's definition says. */
enum status trial_prepare(struct trial *trial, const struct bench_operation *operation,
                          const struct bench_plan *wanted, MPI_Comm comm, uint64_t bytes) MUST_CHECK;
/* The same without a message, for operations that need none to be prepared: the caller ends the job if one process
 * fails. */
enum status trial_can_be_silent(const struct bench_operation *operation) MUST_CHECK;
enum status trial_prepare_silently(struct trial *trial, const struct bench_operation *operation,
                                   const struct bench_plan *wanted, MPI_Comm comm, uint64_t bytes) MUST_CHECK;
/* Before a stage of at most so many runs: their buffers are cold, if they are to be. May take long. */
void trial_freshen(struct trial *trial, int64_t runs);
/* The next buffers. Not part of what is measured. */
void trial_turn(struct trial *trial);
void trial_release(struct trial *trial);

/* What of buffers is worth knowing: pages, memory walked through. */
void trial_facts(const struct trial *trial, struct results *results);

#endif
