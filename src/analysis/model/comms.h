/* The communicators of a trace: who is a member of which, under which rank, and which processes never were seen.
 *
 *	struct comm_table *comms = comm_table_new(reader);
 *	const struct membership *own = find_membership(comms, process_index, identity);
 *	const struct communicator *comm = &comms->comms[own->comm];
 *	uint32_t sender = comm_process(comms, own->comm, side, rank);
 *	comm_table_free(comms);
 *
 * Each member describes itself (COMM records), and that with rank 0 the whole group. An intercommunicator has two
 * groups, sides 0 and 1; any other has one. */
#ifndef TARRY_ANALYSIS_MODEL_COMMS_H
#define TARRY_ANALYSIS_MODEL_COMMS_H

#include "base/map.h"
#include "trace/reader.h"

#define NO_PROCESS UINT32_MAX
#define NO_COMM UINT32_MAX

struct side {
	uint64_t size;
	const struct group *group; /* NULL: nobody told */
	uint32_t present;          /* members that are in this trace */
	uint32_t *processes;       /* by rank, NO_PROCESS; NULL: too few are present for that */
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
	uint32_t *worlds;   /* by process: its membership in MPI_COMM_WORLD, UINT32_MAX */
};

struct comm_table *comm_table_new(struct reader *reader);
void comm_table_free(struct comm_table *comms);

/* NULL if the process is not a member, as far as it told. */
const struct membership *find_membership(const struct comm_table *comms, uint32_t process, uint64_t identity);
/* Of the communicator that MPI_Init makes. */
const struct membership *find_world(const struct comm_table *comms, uint32_t process);

/* The process that says that it has this rank in a group: its index in the reader, NO_PROCESS if there is none. */
uint32_t comm_process(const struct comm_table *comms, uint32_t comm, uint32_t side, uint32_t rank);

static inline bool is_inter(const struct communicator *comm)
{
	return comm->kind == COMM_INTER;
}

/* Any process uses UPC. */
bool has_upc(const struct comm_table *comms);

#endif
