/* Communicators, windows and files in events. All processes agree on their identities (job/mpi/members.h). */
#ifndef TARRY_JOB_CHECK_EVENTS_COMMS_H
#define TARRY_JOB_CHECK_EVENTS_COMMS_H

#include "job/check/wire/agent_call.h"
#include "job/check/wire/announced.h"

/* The number of partitioned requests with the same envelope that are told apart. Starts of further ones may be mixed up. */
enum { PARTITIONED_MAX = 8 };

struct followed_comm {
	uint64_t identity;
	struct announced_comm *announced;
	struct announced_comm *partitioned[PARTITIONED_MAX]; /* comm_partitioned; NULL: not used yet */
	struct announced_comm *leaders;                      /* comm_of_leaders; NULL: not used yet */
	int rank, size;
	int peers; /* possible destinations: the size of the remote group, if there is one */
	bool inter;
	uint32_t side;    /* which of the two groups of an intercommunicator this is */
	int *world_ranks; /* of the peers; NULL: equal to their ranks */
	uint32_t
		holds; /* number of references: by its handle, by requests, and by messages of matched probes */
	uint32_t broadcasts; /* number of broadcasts on it, if their data is compared (message_contents.h) */
	uint32_t persistent_calls; /* number of persistent collective calls created on it */
};

/* A window or file. */
struct followed_object {
	uint64_t identity;
	struct announced_comm *announced;
};

/* After MPI_Init: MPI_COMM_WORLD and MPI_COMM_SELF. */
void comms_start(void);
/* Events can be pushed now: announces MPI_COMM_WORLD to the first analyser. */
void comms_announce(void);

/* NULL: its creation was not seen, or other processes may have another identity for it. Then its
 * events are not reported. */
struct followed_comm *comm_find(uint64_t handle);
struct followed_object *win_find(uint64_t handle);
struct followed_object *file_find(uint64_t handle);

/* After MPI_Comm_set_info. */
void comms_info_changed(const struct agent_call *call);

/* The peer's rank in the world; -1: it is in another world. */
static inline int32_t comm_peer(const struct followed_comm *c, int64_t rank)
{
	return rank < 0 || rank >= c->peers ? -1 : c->world_ranks ? c->world_ranks[rank] : (int32_t)rank;
}

/* The communicator of the next partitioned request. Partitioned messages match only each other, in the order
 * in which their requests are created, not started, so the n-th request of an envelope has its own identity.
 * NULL: out of memory. */
struct announced_comm *comm_partitioned(struct followed_comm *c, bool sends, int32_t peer, int32_t tag);
/* The communicator for messages of MPI_Intercomm_create, which match only each other. NULL: out of memory. */
struct announced_comm *comm_of_leaders(struct followed_comm *c);
/* A communicator for the starts of one more persistent collective call, owned by the
 * caller. NULL: out of memory. */
struct announced_comm *comm_of_starts(struct followed_comm *c);

/* Keeps it while it is referenced, even without its handle. */
static inline void comm_keep(struct followed_comm *c)
{
	c->holds++;
}

void comm_free(struct followed_comm *c);

static inline void comm_drop(struct followed_comm *c)
{
	if (--c->holds == 0)
		comm_free(c);
}

/* Before and after each call: ended and new objects. */
void comms_before(struct agent_call *call);
void comms_after(struct agent_call *call, int rc);

void announced_comm_release(struct announced_comm *comm);
/* Frees unused communicators, when no event names them. */
void comms_free_unused(void);

#endif
