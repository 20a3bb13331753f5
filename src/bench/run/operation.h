/* The operations that can be measured: tables with one entry each, combined in operations.c. To add one,
 * add a row to the file of its group; a new group needs a file and a line in operations.c. */
#ifndef TARRY_BENCH_RUN_OPERATION_H
#define TARRY_BENCH_RUN_OPERATION_H

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
	CAN_OVERLAP = 1 << 4, /* uses trial.compute_ns */
	IS_PAIR = 1 << 5,     /* between the first and the last process: the others return at once */
	IS_SELF_TEST = 1 << 6,
	IS_UNEVEN = 1 << 7,       /* blocks of different sizes, with counts and displacements of type int */
	HAS_BYTE_PLACES = 1 << 8, /* displacements are in bytes */
	IN_NEIGHBOURHOOD = 1 << 9,
	IS_ONE_SIDED = 1 << 10,   /* writes to or reads from memory of the next process */
	IS_ONE_ELEMENT = 1 << 11, /* always one element of a basic type */
	IS_FOR_WHOLE_NUMBERS = 1 << 12,
};

/* Number of blocks of trial.bytes in a buffer. */
enum blocks {
	NO_BLOCK,
	ONE_BLOCK,
	BLOCK_EACH,      /* one per process or neighbour; rooted operations: only on the root */
	BLOCK_A_MESSAGE, /* one per concurrent message */
	TWO_BLOCKS,      /* accessed by the previous process, and fetched from the next one */
};

/* The origin of a received block; of several: their reduction. */
enum sources {
	FROM_NOBODY,
	FROM_ROOT,
	FROM_PEER, /* the peer of the block */
	FROM_ALL,
	FROM_ALL_UP_TO_ME,
	FROM_ALL_BELOW_ME,
	FROM_FIRST,   /* of a pair */
	FROM_PARTNER, /* of a pair */
	FROM_PREVIOUS,
	FROM_NEXT,
	FROM_PREVIOUS_AND_ME,
	/* Two blocks: the local value combined with the previous process's, and the previous value of the
	 * next process. */
	JOINED_AND_FETCHED,
	SWAPPED_AND_FETCHED, /* the same, but swapped if the previous process expected the local value */
};

struct bench_operation {
	const char *name;  /* "MPI_Bcast" */
	const char *group; /* see operation_groups */
	const char *help;  /* the meaning of `bytes`, or the operation */
	unsigned traits;   /* enum operation_trait */
	int ranks_min;
	enum blocks send, receive;
	enum sources sources;
	int messages;                                /* per run, if the rate is the result; otherwise 0 */
	enum status (*prepare)(struct trial *trial); /* collective; NULL: nothing to do */
	int (*turn)(struct trial *trial);            /* before each run, not measured; NULL: nothing to do */
	int (*run)(struct trial *trial); /* the measured call. NULL: this MPI library has no such function */
	int (*after)(struct trial *trial);    /* after each run, not measured; NULL: nothing to do */
	void (*release)(struct trial *trial); /* also after a failed prepare(); NULL: nothing to do */
};

struct operation_group {
	const char *name;
	const char *help;
};

extern const struct operation_group operation_groups[]; /* ends with an entry without a name */

/* Finds operations by names ("MPI_Bcast", "bcast"), groups or "all"; without words the default selection.
 * In the order of the table, without duplicates. The caller frees `chosen`. */
enum status operations_choose(const char *const *words, size_t count, const struct bench_operation ***chosen,
                              size_t *chosen_count) MUST_CHECK;

/* Lists all operations by group, with the meaning of their sizes. */
void operations_list(struct text *out);

#endif
