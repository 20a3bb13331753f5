/* What can be measured: tables, one small entry each, joined in operations.c. To add one, add a row to the file of its
 * group; a new group is a file and a line in operations.c. */
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
	CAN_OVERLAP = 1 << 4, /* looks at trial.compute_ns */
	IS_PAIR = 1 << 5,     /* between the first and the last process: the others return at once */
	IS_SELF_TEST = 1 << 6,
	IS_UNEVEN = 1 << 7,       /* blocks of different sizes, with counts and displacements of type int */
	HAS_BYTE_PLACES = 1 << 8, /* and those displacements are in bytes */
	IN_NEIGHBOURHOOD = 1 << 9,
	IS_ONE_SIDED = 1 << 10,   /* writes to, or reads from, memory of the next process */
	IS_ONE_ELEMENT = 1 << 11, /* always, of a basic type */
	IS_FOR_WHOLE_NUMBERS = 1 << 12,
};

/* Blocks of trial.bytes in a buffer. */
enum blocks {
	NO_BLOCK,
	ONE_BLOCK,
	BLOCK_EACH,      /* one for each process or neighbour; of those with a root, there */
	BLOCK_A_MESSAGE, /* of those that are under way at once */
	TWO_BLOCKS,      /* what the previous process accesses, and what was fetched from the next one */
};

/* Whose data a block holds that was received; of several, their reduction. */
enum sources {
	FROM_NOBODY,
	FROM_ROOT,
	FROM_PEER, /* the one that the block belongs to */
	FROM_ALL,
	FROM_ALL_UP_TO_ME,
	FROM_ALL_BELOW_ME,
	FROM_FIRST,   /* of a pair */
	FROM_PARTNER, /* of a pair */
	FROM_PREVIOUS,
	FROM_NEXT,
	FROM_PREVIOUS_AND_ME,
	/* Of two blocks: what was here, joined with what the previous one gave, and what was in the next one before. */
	JOINED_AND_FETCHED,
	SWAPPED_AND_FETCHED, /* the same, but swapped where the previous one expected what was here */
};

struct bench_operation {
	const char *name;  /* "MPI_Bcast" */
	const char *group; /* see operation_groups */
	const char *help;  /* what `bytes` means for it, or what it does */
	unsigned traits;   /* enum operation_trait */
	int ranks_min;
	enum blocks send, receive;
	enum sources sources;
	int messages; /* of a run, where their rate is the point of it; otherwise 0 */
	enum status (*prepare)(struct trial *trial); /* collective; NULL: nothing to do */
	int (*turn)(struct trial *trial);            /* before each run, not measured; NULL: nothing to do */
	int (*run)(struct trial *trial);   /* what is measured. NULL: this MPI library has no such function */
	int (*after)(struct trial *trial); /* after each run, not measured; NULL: nothing to do */
	void (*release)(struct trial *trial); /* also after a prepare() that failed; NULL: nothing to do */
};

struct operation_group {
	const char *name;
	const char *help;
};

extern const struct operation_group operation_groups[]; /* ends with one without a name */

/* By names ("MPI_Bcast", "bcast"), groups or "all"; no words: the default choice. In the table's order, none twice. The caller
 * frees `chosen`. */
enum status operations_choose(const char *const *words, size_t count, const struct bench_operation ***chosen,
                              size_t *chosen_count) MUST_CHECK;

/* All, by group, with what their sizes mean. */
void operations_list(struct text *out);

#endif
