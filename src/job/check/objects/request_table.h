/* Requests by handle. Under MPI_THREAD_MULTIPLE the caller holds the lock (lock_if_shared). Entries never move. */
#ifndef TARRY_JOB_CHECK_OBJECTS_REQUEST_TABLE_H
#define TARRY_JOB_CHECK_OBJECTS_REQUEST_TABLE_H

#include "calls/calls.h"
#include "job/check/wire/process_state.h"
#include "job/mpi/flavour.h"

#define NO_REQUEST UINT32_MAX

enum request_flag {
	REQUEST_TAKEN = 1,      /* the entry is used */
	REQUEST_PERSISTENT = 2, /* survives its completion */
	REQUEST_PARTITIONED = 4,
	REQUEST_RECEIVES = 8,
	REQUEST_SENDS = 16,
	REQUEST_ACTIVE = 32,
	REQUEST_STARTED = 64,        /* was active at least once */
	REQUEST_CANCELLED = 128,     /* MPI_Cancel was called: the status says whether it succeeded */
	REQUEST_CLAIMED = 256,       /* a call that may complete it is in progress */
	REQUEST_SEEN_COMPLETE = 512, /* seen by MPI_Request_get_status */
	REQUEST_GENERALIZED = 1024,
	REQUEST_OF_FILE = 2048,
	REQUEST_COLLECTIVE = 4096,
	REQUEST_ONE_SIDED = 8192,
	REQUEST_MAKES_COMM = 16384,    /* MPI_Comm_idup */
	REQUEST_NESTED = 32768,        /* created in a callback */
	REQUEST_BUFFERED = 65536,      /* MPI_Bsend_init */
	REQUEST_SEND_CHANGED = 131072, /* the program changed the data while it was sent */
};

struct checked_request {
	uint64_t handle;
	const void *variable; /* the variable that received the handle */
	uint32_t flags;
	uint32_t number;         /* of this entry */
	uint32_t next, previous; /* in the chain of its hash */
	uint32_t
		claim_next; /* the next request that the same call claims, in the order of its array; or the next free entry */
	int claim_index; /* in that array */
	int32_t fortran; /* its Fortran handle, if Fortran created it */
	enum call_id created_by, started_by, overwritten_by;
	uint32_t created_at, started_at, overwritten_at; /* places */
	bool overwritten;
	uint64_t
		object; /* handle of the file or window to which it belongs, or of the communicator that MPI_Comm_idup makes; or bytes of
	                  * the attached buffer that MPI_Bsend_init needs */
	struct request_partitions *partitions;
	struct active_buffer *buffers; /* used by the operation; NULL: none is followed */
	void *facts;                   /* for events: the operation that its completion ends */
};

enum { REQUEST_BLOCK = 1024, REQUEST_BLOCKS = 1 << 12, ENDED_REQUESTS = 1024, REQUEST_VARIABLES = 4096 };

/* The handle of an ended request. */
struct request_memory {
	uint64_t handle;
	enum call_id created_by, ended_by;
	uint32_t created_at;
	int32_t fortran; /* checked_request.fortran */
	bool known;
};

struct checked_request_table {
	struct checked_request *blocks[REQUEST_BLOCKS];
	uint32_t *chains;
	uint32_t limit; /* entries: REQUEST_BLOCK times a power of two; also the number of chains */
	uint32_t free;  /* the entry that ended last */
	uint32_t live;
	uint32_t by_variable
		[REQUEST_VARIABLES]; /* numbers of the requests last stored in variables, plus one */
	struct request_memory ended[ENDED_REQUESTS]; /* the last one for each hash of handles */
};

extern HIDDEN struct checked_request_table checked_requests;

/* Iterates over all requests. */
bool request_next(uint32_t *position, struct checked_request **request);
/* NULL: out of memory. */
struct checked_request *request_add(uint64_t handle, const void *variable, uint32_t flags);
/* True if there is room for the next request. */
bool request_reserve(void);
void request_remove(struct checked_request *request, enum call_id ended_by);
/* The request that is stored in this variable, or any with this handle; without these flags. */
struct checked_request *request_look_up(uint64_t handle, const void *variable, uint32_t unwanted_flags);
/* The first request that may have this handle; others follow by `next`. NO_REQUEST: none. */
uint32_t request_first(uint64_t handle);
/* The request that was last stored in this variable, if it has not ended. NULL: none, or forgotten. */
struct checked_request *request_of_variable(const void *variable);
/* The last ended request with this handle; NULL: forgotten, or never seen. */
const struct request_memory *request_find_ended(uint64_t handle);
/* A request created by Fortran, by its Fortran handle: MPI may not have a C handle for it. */
const struct request_memory *request_find_ended_fortran(int32_t fortran);

static inline struct checked_request *request_get(uint32_t number)
{
	return &checked_requests.blocks[number / REQUEST_BLOCK][number % REQUEST_BLOCK];
}

/* The request that a call created, if it has no other requests, so that events can store facts in it. Valid
 * between requests_after and the end of agent_after. NULL: none. */
static inline struct checked_request *request_made(const struct agent_call *call)
{
	return call->state;
}

static inline struct checked_request *request_next_claimed(const struct checked_request *request)
{
	return request->claim_next == NO_REQUEST ? NULL : request_get(request->claim_next);
}

#endif
