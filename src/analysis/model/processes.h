/* What the processes of a trace are and where they run: ranks of MPI or threads of UPC, the machines, how many of them share how
 * many cores, and how large a standard send between two of them may be to end without its receiver.
 *
 *	struct nodes *nodes = nodes_new(reader);
 *	nodes->of[process_index]              number of its node, from 0
 *	nodes->names[nodes->of[process_index]]
 *	eager_between(nodes, sender, receiver)   bytes; -1: not known
 *	most_crowded(reader, nodes)
 *	steal_of(reader, nodes)
 *	nodes_free(nodes); */
#ifndef TARRY_ANALYSIS_MODEL_PROCESSES_H
#define TARRY_ANALYSIS_MODEL_PROCESSES_H

#include "trace/reader.h"

enum paradigm { PARADIGM_MPI, PARADIGM_UPC, PARADIGM_BOTH, PARADIGMS_END };

/* By the communicators that they know: that of UPC, or others. */
enum paradigm paradigm_of(const struct reader *reader);
/* Its communicators are UPC's. */
bool is_upc_thread(const struct process *process);
/* A thread of UPC begins: no call of the program. */
bool marks_start(const struct call *call);

enum distance { DISTANCE_NODE, DISTANCE_NETWORK, DISTANCES };

struct nodes {
	struct arena arena;
	uint32_t *of; /* by process */
	uint32_t count;
	const char **names; /* of the host; what it calls itself may not be unique */
	uint32_t *world_of; /* by process */
	uint32_t world_count;
	int64_t (*eager)[DISTANCES]; /* by world; -1: not known */
};

struct nodes *nodes_new(const struct reader *reader);
void nodes_free(struct nodes *nodes);

static inline enum distance nodes_distance(const struct nodes *nodes, uint32_t from, uint32_t to)
{
	return nodes->of[from] == nodes->of[to] ? DISTANCE_NODE : DISTANCE_NETWORK;
}

/* The same for all worlds and distances. */
void nodes_set_eager(struct nodes *nodes, int64_t bytes);

/* Worlds of one job use one library, so what is known of either of them holds for both. */
static inline int64_t eager_between(const struct nodes *nodes, uint32_t from, uint32_t to)
{
	enum distance distance = nodes_distance(nodes, from, to);
	int64_t bytes = nodes->eager[nodes->world_of[from]][distance];

	return bytes >= 0 ? bytes : nodes->eager[nodes->world_of[to]][distance];
}

/* Whether somebody had to wait for a core. */
struct crowding {
	uint32_t processes;
	uint32_t cores; /* that any of them may run on; 0: not known */
};

/* Of the node where most processes come to a processor. */
struct crowding most_crowded(const struct reader *reader, const struct nodes *nodes);

/* Nodes are virtual machines whose hosts took some of the processors' time, as far as processes tell. */
struct steal {
	uint32_t nodes; /* where it matters */
	uint32_t node;  /* the worst of these */
	const char *name;
	double share; /* there, of the time of all processors */
};

struct steal steal_of(const struct reader *reader, const struct nodes *nodes);

#endif
