/* What was sent: how large messages and collective operations were, and from which process to which data went.
 *
 *	struct data_flow *flow = data_flow_new(reader, figures);
 *	for (size_t i = 0; i < flow->traffic_count; i++)
 *		flow->traffic[i].from, .to, .bytes, .collective_bytes
 *	data_flow_free(flow);
 *
 * Of a collective operation this is the logical flow of data, not the algorithm of the library: which process needs the data of which
 * other, and how much of it. A reduction to all, for example, brings the bytes of each process to each other one. What a process
 * gives to itself is no flow. Who gets how much from whom in MPI_Alltoallv and its relatives is known if the recorder wrote it down;
 * otherwise the sum is taken as split evenly, and marked as estimated. */
#ifndef TARRY_ANALYSIS_MODEL_DATA_FLOW_H
#define TARRY_ANALYSIS_MODEL_DATA_FLOW_H

#include "analysis/model/figures.h"
#include "analysis/model/neighbour_table.h"

/* Bin 0: empty; bin i: from 2^(i-1) to below 2^i bytes. */
enum { SIZE_BINS = 65 };

/* The flow of collective operations between more processes than this would be too much to write. */
enum { COLLECTIVE_FLOW_MOST = 512 };

struct size_bin {
	uint64_t count, bytes;
};

/* A collective function: what each process hands over in one call, from each process's view. */
struct collective_sizes {
	const char *call;
	uint64_t count, bytes;
	struct size_bin bins[SIZE_BINS];
};

/* What went from one process to another. */
struct rank_traffic {
	uint32_t from, to;         /* by index in the reader */
	uint64_t messages, bytes;  /* point to point; of UPC, accesses */
	uint64_t collective_bytes; /* in collective operations */
	bool is_estimated;         /* some of these are */
};

struct data_flow {
	struct size_bin messages,
		accesses; /* in all: point to point, and of threads of UPC to the memory of others */
	struct size_bin sizes[SIZE_BINS];     /* of both */
	struct collective_sizes *collectives; /* by bytes, the most first */
	size_t collective_count;
	struct rank_traffic *traffic; /* by sender, then by receiver */
	size_t traffic_count;
	bool without_collectives;          /* there are too many processes for their flow */
	struct neighbour_table neighbours; /* whom members of topologies get data from */
	struct arena arena;
};

/* How data flows in the collective operations of each kind. */
struct collective_flow {
	enum flow_shape {
		FLOW_NONE,
		FLOW_BROADCAST,
		FLOW_REDUCE,
		FLOW_GATHER,
		FLOW_SCATTER,
		FLOW_ALLREDUCE,
		FLOW_ALLGATHER,
		FLOW_ALLTOALL,
		FLOW_REDUCE_SCATTER,
		FLOW_NEIGHBOURS
	} shape;
	bool is_uneven; /* members may give each other different amounts */
};

extern const struct collective_flow collective_flows[MOVES_VALUES];

struct data_flow *data_flow_new(const struct reader *reader, const struct figures *figures);
void data_flow_free(struct data_flow *flow);

/* Messages of this bin have from this many bytes on; the next one's is where it ends. */
static inline uint64_t size_bin_start(size_t bin)
{
	return bin ? (uint64_t)1 << (bin - 1) : 0;
}

#endif
