/* How many bytes a collective moves, as this process sees it: what it hands over and what it gets. */
#ifndef TARRY_JOB_RECORD_TRAFFIC_H
#define TARRY_JOB_RECORD_TRAFFIC_H

#include "job/record/comms.h"

enum traffic_kind {
	TRAFFIC_bcast,
	TRAFFIC_reduce,
	TRAFFIC_allreduce,
	TRAFFIC_gather,
	TRAFFIC_scatter,
	TRAFFIC_allgather,
	TRAFFIC_alltoall,
	TRAFFIC_reduce_scatter,
	TRAFFIC_neighbor_allgather,
	TRAFFIC_neighbor_alltoall,
};

/* One side's blocks of data: `count` elements of `type` for each peer, or one count, and perhaps one type, for
 * each. Arrays are looked at only where the operation says that they mean something. */
struct blocks {
	int64_t count;
	MPI_Datatype type;
	const void *counts; /* NULL: the same count for all */
	const void *types;  /* NULL: the same type for all */
	bool wide;          /* counts are MPI_Count */
	bool fortran;       /* types are Fortran handles */
};

struct traffic {
	int64_t sent, received, size;
};

/* `root`: of the collective, as given; anything where there is none. */
struct traffic traffic_of(struct recording_stream *s, enum traffic_kind kind, const struct recorded_comm *c,
                          int root, bool in_place, const struct blocks *send, const struct blocks *receive);

/* Who gets how much is recorded in communicators of at most so many peers. */
enum { BLOCKS_MOST = 64 };

/* Records a call of so many words with what each peer gets of `send`. */
void record_with_blocks(struct recording_stream *s, const int64_t *key, uint32_t words,
                        const struct recorded_comm *c, const struct blocks *send, uint64_t start,
                        uint64_t end);

#endif
