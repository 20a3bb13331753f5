/* The life of requests: from the call that makes one to its completion, and of persistent and partitioned ones through every start.
 *
 * MPI may give several requests the same handle (MPICH does for sends that are complete at once). Then the variable that holds the handle
 * tells them apart, and otherwise any of them is taken.
 *
 * A variable that is overwritten while its request is active is no mistake yet, because the program may have a copy of the handle. So
 * that is reported at the end, if nobody ever completed the request. */
#ifndef TARRY_JOB_CHECK_REQUEST_STATES_H
#define TARRY_JOB_CHECK_REQUEST_STATES_H

#include "job/check/agent.h"
#include "job/mpi/flavour.h"

enum request_flag {
	REQUEST_TAKEN = 1,      /* there is such a request */
	REQUEST_PERSISTENT = 2, /* survives its completion */
	REQUEST_PARTITIONED = 4,
	REQUEST_RECEIVES = 8,
	REQUEST_SENDS = 16,
	REQUEST_ACTIVE = 32,
	REQUEST_STARTED = 64,        /* was active at least once */
	REQUEST_CANCELLED = 128,     /* MPI_Cancel was called: its status tells whether it is */
	REQUEST_CLAIMED = 256,       /* a call that may complete it is under way */
	REQUEST_SEEN_COMPLETE = 512, /* MPI_Request_get_status said so */
	REQUEST_GENERALIZED = 1024,
	REQUEST_OF_FILE = 2048,
	REQUEST_COLLECTIVE = 4096,
	REQUEST_ONE_SIDED = 8192,
	REQUEST_MAKES_COMM = 16384, /* MPI_Comm_idup */
	REQUEST_NESTED = 32768,     /* made in a callback */
	REQUEST_BUFFERED = 65536,   /* MPI_Bsend_init */
};

struct checked_request {
	uint64_t handle;
	const void *variable; /* where the program was given the handle */
	uint32_t flags;
	uint32_t number;         /* of this entry */
	uint32_t next, previous; /* in the chain of its hash */
	uint32_t
		claim_next; /* of those that one call claims, in the order of its array; of a free entry, the next one */
	int claim_index; /* in that array */
	int32_t fortran; /* its handle there, if Fortran made it */
	enum call_id created_by, started_by, overwritten_by;
	uint32_t created_at, started_at, overwritten_at; /* places */
	bool overwritten;
	uint64_t
		object; /* handle of the file or window it belongs to, of the communicator that MPI_Comm_idup makes; bytes of
	                  * the attached buffer that MPI_Bsend_init needs */
	struct request_partitions *partitions;
	struct active_buffer *buffers; /* that the operation uses; NULL: none that are followed */
	void *facts;                   /* of events: what the operation is that completes with it */
};

/* What a call does to requests; 0: nothing. */
enum request_effect {
	EFFECT_NEW_REQUEST = 1,
	EFFECT_COMPLETES,
	EFFECT_ASKS, /* whether it is complete */
	EFFECT_STARTS,
	EFFECT_OTHER_REQUEST, /* frees, cancels, marks partitions */
};

#pragma GCC visibility push(hidden)

/* Before the first call. */
void requests_start(void);
void requests_share(void);
uint32_t request_effects(enum call_id id);

/* Around each call that has an effect. */
void requests_before(struct agent_call *call);
void requests_after(struct agent_call *call, int rc);

/* The request that this call has made, for events to keep facts in it; between requests_after and the end of agent_after. NULL: none. */
struct checked_request *request_made(const struct agent_call *call);

/* NULL: MPI_REQUEST_NULL, or unknown. */
struct checked_request *request_find(uint64_t handle, const void *variable);
/* All that there are. */
bool request_next(uint32_t *position, struct checked_request **request);

/* At the end: requests that were overwritten, never completed or never started. */
void requests_report_left(void);

/* By events. A persistent or partitioned request starts: called in requests_before, for those of MPI_Startall in their order. */
void request_started(struct checked_request *request, const struct agent_call *call);
/* An operation is complete: called in requests_after, in the order of the array. status: what MPI gave, also where the program ignores it;
 * NULL: nothing is known. Whether a request that was cancelled is, the status tells (status_cancelled). */
void request_completed(struct checked_request *request, const struct agent_call *call,
                       const MPI_Status *status);
/* The buffers of a complete operation are the program's again, with this status (NULL: not known): before request_completed, or long before it if
 * MPI_Request_get_status told. */
void request_arrived(const struct checked_request *request, const MPI_Status *status);
/* The program changed what it sends. */
void request_send_changed(const struct checked_request *request);
/* The request ends: after request_completed of one that is not persistent, or by MPI_Request_free. Facts are let go of. */
void request_ended(struct checked_request *request);

#pragma GCC visibility pop

#endif
