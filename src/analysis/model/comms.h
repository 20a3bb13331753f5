/* The communicators of a trace: their members with their ranks, and processes that are not in the trace.
 *
 *	struct comm_table *comms = comm_table_new(reader);
 *	const struct membership *own = find_membership(comms, process_index, identity);
 *	const struct communicator *comm = &comms->comms[own->comm];
 *	uint32_t sender = comm_process(comms, own->comm, side, rank);
 *	comm_table_free(comms);
 *
 * Each member describes itself (COMM records), and rank 0 describes the whole group. An intercommunicator has
 * two groups, sides 0 and 1; any other has one. */
#ifndef TARRY_ANALYSIS_MODEL_COMMS_H
#define TARRY_ANALYSIS_MODEL_COMMS_H

#include "base/map.h"
#include "trace/reader.h"

#define NO_PROCESS UINT32_MAX
#define NO_COMM UINT32_MAX

struct side {
	uint64_t size;
	const struct group *group; /* NULL: unknown */
	uint32_t present;          /* members in this trace */
	uint32_t *processes;       /* by rank, NO_PROCESS; NULL: too few are present */
};

struct communicator {
	uint64_t identity;
	uint64_t kind;
	const char *name;
	struct side sides[2];
};

struct membership {
	uint32_t comm;
	uint32_t side;
	uint32_t rank;
};

struct comm_table {
	struct reader *reader;
	struct communicator *comms;
	uint32_t comm_count;
	struct membership *memberships; /* by process */
	uint32_t *first_of;             /* by process: its first membership */
	uint32_t membership_count;
	struct map by_identity;
	struct map by_member;
	struct map by_rank; /* communicator, side and rank to process */
	uint32_t *worlds;   /* by process: its membership in MPI_COMM_WORLD, or UINT32_MAX */
};

struct comm_table *comm_table_new(struct reader *reader);
void comm_table_free(struct comm_table *comms);

/* NULL: the process is not a member, according to its records. */
const struct membership *find_membership(const struct comm_table *comms, uint32_t process, uint64_t identity);
/* Of the communicator created by MPI_Init. */
const struct membership *find_world(const struct comm_table *comms, uint32_t process);

/* The index of the process with this rank in a group; NO_PROCESS: none. */
uint32_t comm_process(const struct comm_table *comms, uint32_t comm, uint32_t side, uint32_t rank);

static inline bool is_inter(const struct communicator *comm)
{
	return comm->kind == COMM_INTER;
}

/* True if any process uses UPC or OpenSHMEM. */
bool has_pgas(const struct comm_table *comms);

#endif
