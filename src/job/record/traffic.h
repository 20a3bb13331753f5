/* The bytes that this process sends and receives in a collective. */
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

/* The data blocks of one side: `count` elements of `type` for each peer, or a separate count and perhaps a separate type for each. Arrays are
 * read only where they are significant. */
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

/* `root`: of the collective; ignored if it has none. */
struct traffic traffic_of(struct recording_stream *s, enum traffic_kind kind, const struct recorded_comm *c,
                          int root, bool in_place, const struct blocks *send, const struct blocks *receive);

/* The bytes for each peer are recorded only in communicators with at most this many peers. */
enum { BLOCKS_MAX = 64 };

/* Records a call with the bytes of `send` for each peer. */
void record_with_blocks(struct recording_stream *s, const int64_t *key, uint32_t words,
                        const struct recorded_comm *c, const struct blocks *send, uint64_t start,
                        uint64_t end);

#endif
