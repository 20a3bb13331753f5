/* What can be measured: one table, one small entry each. */
#ifndef TARRY_BENCH_OPERATION_H
#define TARRY_BENCH_OPERATION_H

#include "base/status.h"
#include "base/text.h"

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct trial;

enum operation_trait {
	HAS_ROOT = 1 << 0,
	HAS_SIZE = 1 << 1,
	REDUCES = 1 << 2,
	CAN_BE_IN_PLACE = 1 << 3,
	CAN_OVERLAP = 1 << 4, /* looks at trial.compute_ns */
	IS_PAIR = 1 << 5,     /* between the first and the last process: the others only wait */
	IS_SELF_TEST = 1 << 6,
};

struct operation {
	const char *name; /* "MPI_Bcast" */
	const char *
		group; /* "blocking", "non-blocking", "persistent", "neighbourhood", "communicators", "point-to-point",
	                      "one-sided", "self-test" */
	const char *help; /* what `bytes` means for it */
	unsigned traits;
	int ranks_min;
	/* Blocks of trial.bytes in the send and the receive buffer of one process. */
	void (*blocks)(const struct trial *trial, size_t *send, size_t *receive);
	enum status (*prepare)(struct trial *trial); /* NULL: nothing to do */
	int (*run)(
		struct
		trial *trial); /* what is measured; MPI's error code. NULL: this MPI library has no such function */
	int (*after)(struct trial *trial); /* after each run, not measured; NULL: nothing */
	void (*release)(struct trial *trial);
};

extern const struct operation *const operations[]; /* NULL behind the last */

/* By names ("MPI_Bcast", "bcast"), groups or "all"; NULL words: the default choice. */
enum status operations_choose(const char *const *words, size_t count, const struct operation ***chosen,
                              size_t *chosen_count) MUST_CHECK;

#endif
