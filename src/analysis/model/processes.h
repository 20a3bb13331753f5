/* The processes of a trace and their machines: MPI ranks or UPC threads, nodes, processes per
 * core, and eager limits.
 *
 *	struct nodes *nodes = nodes_new(reader);
 *	nodes->of[process_index]              number of its node, from 0
 *	nodes->names[nodes->of[process_index]]
 *	eager_between(nodes, sender, receiver)   bytes; -1: unknown
 *	most_crowded(reader, nodes)
 *	steal_of(reader, nodes)
 *	nodes_free(nodes); */
#ifndef TARRY_ANALYSIS_MODEL_PROCESSES_H
#define TARRY_ANALYSIS_MODEL_PROCESSES_H

#include "base/machine.h"
#include "trace/reader.h"

/* BOTH: UPC and MPI. */
enum paradigm {
	PARADIGM_MPI,
	PARADIGM_UPC,
	PARADIGM_BOTH,
	PARADIGM_SHMEM,
	PARADIGM_MPI_SHMEM,
	PARADIGMS_END
};

/* From their communicators: UPC's, OpenSHMEM's, or others. */
enum paradigm paradigm_of(const struct reader *reader);
/* True if its communicators are UPC's. */
bool is_upc_thread(const struct process *process);
/* True if its communicators are OpenSHMEM's. */
bool is_shmem_pe(const struct process *process);
/* True at the start of a UPC thread and at the end of shmem_init: events without duration. */
bool marks_start(const struct call *call);

enum distance { DISTANCE_NODE, DISTANCE_NETWORK, DISTANCES };

/* How near two processes are. PROXIMITY_NODE: on one node, but on several sockets or unknown parts of it. */
enum proximity {
	PROXIMITY_CORE,
	PROXIMITY_NUMA,
	PROXIMITY_SOCKET,
	PROXIMITY_NODE,
	PROXIMITY_NETWORK,
	PROXIMITIES
};

extern const char *const proximity_names[PROXIMITIES];

struct nodes {
	struct arena arena;
	uint32_t *of;                        /* by process */
	int64_t (*groups)[PROCESSOR_GROUPS]; /* by process: their lowest processors; -1: unknown */
	uint32_t count;
	const char **names; /* host names, which may not be unique */
	uint32_t *world_of; /* by process */
	uint32_t world_count;
	int64_t (*eager)[DISTANCES]; /* by world; -1: unknown */
	bool eager_is_inferred;      /* as far as the trace shows it (eager.h) */
};

struct nodes *nodes_new(const struct reader *reader);
void nodes_free(struct nodes *nodes);

static inline enum distance nodes_distance(const struct nodes *nodes, uint32_t from, uint32_t to)
{
	return nodes->of[from] == nodes->of[to] ? DISTANCE_NODE : DISTANCE_NETWORK;
}

static inline enum proximity nodes_proximity(const struct nodes *nodes, uint32_t from, uint32_t to)
{
	if (nodes->of[from] != nodes->of[to])
		return PROXIMITY_NETWORK;
	for (int i = 0; i < PROCESSOR_GROUPS; i++)
		if (nodes->groups[from][i] >= 0 && nodes->groups[from][i] == nodes->groups[to][i])
			return (enum proximity)i;
	return PROXIMITY_NODE;
}

/* The CPUs on which a process may run. */
struct cpu_share {
	uint32_t cpus;  /* 0: unknown */
	double sharers; /* processes that share them, itself included: 2 if another one may run on the same CPUs, 1.5 if on half of them */
};

/* By process. The caller frees it. */
struct cpu_share *cpu_shares(const struct reader *reader, const struct nodes *nodes);

/* The same for all worlds and distances. */
void nodes_set_eager(struct nodes *nodes, int64_t bytes);

/* Worlds of one job use one library, so a known limit of either holds for both. */
static inline int64_t eager_between(const struct nodes *nodes, uint32_t from, uint32_t to)
{
	enum distance distance = nodes_distance(nodes, from, to);
	int64_t bytes = nodes->eager[nodes->world_of[from]][distance];

	return bytes >= 0 ? bytes : nodes->eager[nodes->world_of[to]][distance];
}

/* Whether processes had to share cores. */
struct crowding {
	uint32_t processes;
	uint32_t cores; /* allowed cores of all of them; 0: unknown */
};

/* Of the node with the most processes per core. */
struct crowding most_crowded(const struct reader *reader, const struct nodes *nodes);

/* Nodes that are virtual machines whose hosts took CPU time, as far as processes report it. */
struct steal {
	uint32_t nodes; /* with significant steal time */
	uint32_t node;  /* the worst of these */
	const char *name;
	double share; /* there, of the CPU time of all processors */
};

struct steal steal_of(const struct reader *reader, const struct nodes *nodes);

#endif
