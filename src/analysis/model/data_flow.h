/* Data transfers: sizes of messages and collective operations, and the traffic between processes.
 *
 *	struct data_flow *flow = data_flow_new(reader, figures);
 *	for (size_t i = 0; i < flow->traffic_count; i++)
 *		flow->traffic[i].from, .to, .bytes, .collective_bytes
 *	data_flow_free(flow);
 *
 * For a collective operation this is the logical data flow, not the algorithm of the library: which
 * process needs how much data from which other. For example, an allreduce transfers the bytes of each
 * process to each other one. Data that a process sends to itself does not count. For MPI_Alltoallv and
 * similar calls the amounts per pair are known if they were recorded; otherwise the total is split evenly,
 * and marked as estimated. */
#ifndef TARRY_ANALYSIS_MODEL_DATA_FLOW_H
#define TARRY_ANALYSIS_MODEL_DATA_FLOW_H

#include "analysis/model/figures.h"
#include "analysis/model/neighbour_table.h"

/* Bin 0: empty; bin i: from 2^(i-1) to below 2^i bytes. */
enum { SIZE_BINS = 65 };

/* Above this number of processes, the flow of collective operations is too large to write. */
enum { COLLECTIVE_FLOW_MAX = 512 };

struct size_bin {
	uint64_t count, bytes;
};

/* A collective function: the data that each process contributes to one call, from each process's view. */
struct collective_sizes {
	const char *call;
	uint64_t count, bytes;
	struct size_bin bins[SIZE_BINS];
};

/* A collective function on one communicator. */
struct comm_collective {
	const char *call;
	uint32_t comm; /* number in figures->comms */
	uint64_t count, bytes;
	int64_t inside_ns;
};

/* The traffic from one process to another. */
struct rank_traffic {
	uint32_t from, to;         /* by index in the reader */
	uint64_t messages, bytes;  /* point to point; of UPC, accesses */
	uint64_t collective_bytes; /* in collective operations */
	bool is_estimated;         /* some of it is estimated */
};

struct data_flow {
	struct size_bin messages,
		accesses; /* in all: point to point, and accesses of UPC threads to memory of others */
	struct size_bin sizes[SIZE_BINS];     /* of both */
	struct collective_sizes *collectives; /* by bytes, the most first */
	size_t collective_count;
	struct comm_collective *on_comms; /* where the communicator is known; in no order */
	size_t on_comm_count;
	struct rank_traffic *traffic; /* by sender, then by receiver */
	size_t traffic_count;
	bool without_collectives;          /* too many processes for their flow */
	struct neighbour_table neighbours; /* the sources of members of topologies */
	struct arena arena;
};

/* The data flow of each kind of collective operation. */
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
	bool is_uneven; /* members may send each other different amounts */
};

extern const struct collective_flow collective_flows[MOVES_VALUES];

struct data_flow *data_flow_new(const struct reader *reader, const struct figures *figures);
/* Only of calls in figures->phases[phase] and in nested ones. */
struct data_flow *data_flow_of_phase(const struct reader *reader, const struct figures *figures,
                                     uint32_t phase);
void data_flow_free(struct data_flow *flow);

/* The smallest size in this bin; the next bin's is its end. */
static inline uint64_t size_bin_start(size_t bin)
{
	return bin ? (uint64_t)1 << (bin - 1) : 0;
}

#endif
