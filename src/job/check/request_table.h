/* Requests by their handles. With MPI_THREAD_MULTIPLE the caller holds the lock (requests_lock). Entries never move. */
#ifndef TARRY_JOB_CHECK_REQUEST_TABLE_H
#define TARRY_JOB_CHECK_REQUEST_TABLE_H

#include "job/check/request_states.h"
#include "job/mpi/host.h"

#define NO_REQUEST UINT32_MAX

enum { REQUEST_BLOCK = 1024, REQUEST_BLOCKS = 1 << 12, ENDED_REQUESTS = 1024, REQUEST_VARIABLES = 4096 };

/* A handle that the program was given and that stands for nothing any more. */
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
	uint32_t limit; /* entries: REQUEST_BLOCK times a power of two; there are as many chains */
	uint32_t free;  /* the entry that ended last */
	uint32_t live;
	bool shared;
	uint32_t by_variable
		[REQUEST_VARIABLES]; /* numbers of those that were given to variables last, with one more */
	struct request_memory ended[ENDED_REQUESTS]; /* some of the last */
};

#pragma GCC visibility push(hidden)

extern struct checked_request_table checked_requests;

/* NULL: no room. */
struct checked_request *request_add(uint64_t handle, const void *variable, uint32_t flags);
/* Whether the next one has room. */
bool request_reserve(void);
void request_remove(struct checked_request *request, enum call_id ended_by);
/* The one that this variable was given, or else any with this handle, unless it has one of these flags. */
struct checked_request *request_look_up(uint64_t handle, const void *variable, uint32_t unwanted_flags);
/* The first of those that may have this handle; the others follow by `next`. NO_REQUEST: none. */
uint32_t request_first(uint64_t handle);
/* The request that this variable was given last, if it has not ended. NULL: none, or forgotten. */
struct checked_request *request_of_variable(const void *variable);
/* Of the requests with this handle the last one that ended; NULL: forgotten, or never seen. */
const struct request_memory *request_find_ended(uint64_t handle);
/* One that Fortran made, by its handle there: MPI may know no C handle of it any more. */
const struct request_memory *request_find_ended_fortran(int32_t fortran);

#pragma GCC visibility pop

static inline struct checked_request *request_get(uint32_t number)
{
	return &checked_requests.blocks[number / REQUEST_BLOCK][number % REQUEST_BLOCK];
}

static inline void requests_lock(void)
{
	if (UNLIKELY(checked_requests.shared))
		host_lock();
}

static inline void requests_unlock(void)
{
	if (UNLIKELY(checked_requests.shared))
		host_unlock();
}

#endif
