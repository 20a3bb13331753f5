/* One thing to measure, ready to be run: an operation with its communicator, buffers, types. */
#ifndef TARRY_BENCH_TRIAL_H
#define TARRY_BENCH_TRIAL_H

#include "bench/operation.h"
#include "results/plan.h"

struct trial {
	const struct operation *operation;
	MPI_Comm comm; /* of the processes that take part */
	int rank, ranks, root;
	uint64_t bytes; /* the message's size as asked */
	int count;      /* of `type` in a message */
	MPI_Datatype type;
	MPI_Op reduction;
	bool in_place;
	/* Buffers of this run; trial_turn() moves them on through memory that is larger than the last cache. */
	void *send, *receive;
	int64_t compute_ns; /* of non-blocking operations: computation between start and completion */
	MPI_Request request;
	void *own; /* what else the operation needs; its release() frees it */
	struct buffers *buffers;
};

/* Whether it can be measured at all with so many ranks and bytes: one sentence if not. Collective over nothing. */
enum status trial_check(const struct operation *operation, const struct plan *wanted, uint64_t bytes,
                        int ranks) MUST_CHECK;
/* Bytes of memory that this process would need. */
uint64_t trial_memory(const struct operation *operation, const struct plan *wanted, uint64_t bytes,
                      int ranks);

/* Collective over `comm`, which the trial does not own. All or none succeed. */
enum status trial_prepare(struct trial *trial, const struct operation *operation, const struct plan *wanted,
                          MPI_Comm comm, uint64_t bytes) MUST_CHECK;
/* The next buffers. Local, and not part of what is measured. */
void trial_turn(struct trial *trial);
void trial_release(struct trial *trial);

#endif
