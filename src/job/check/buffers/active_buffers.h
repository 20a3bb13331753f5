/* Buffers in use by MPI: their operations have begun and are not complete. A buffer that MPI writes must not overlap another buffer in use; buffers
 * that MPI only reads may overlap (memory.overlap). Overlaps are exact to the byte, with the gaps of derived types.
 *
* A call that creates a request describes its buffers before MPI runs. The request takes them over (active_buffers_made) and keeps them until it
 * ends. They are in use until the request is complete: those of a persistent request from each start on, those of a partitioned request one
 * partition at a time.
 *
* Functions with a request as parameter need the lock. */
#ifndef TARRY_JOB_CHECK_BUFFERS_ACTIVE_BUFFERS_H
#define TARRY_JOB_CHECK_BUFFERS_ACTIVE_BUFFERS_H

#include "check/checks/checks.h"
#include "job/check/buffers/call_buffers.h"
#include "job/check/buffers/interval_set.h"
#include "job/check/objects/request_table.h"
#include "job/check/objects/type_layout.h"
#include "job/check/wire/announced.h"

struct finding_draft;
struct page_access;

struct active_buffer {
	struct interval interval;              /* from its first byte to its end */
	struct byte_pattern pattern;           /* its bytes */
	struct byte_run solid;                 /* the only run of a pattern without gaps */
	struct byte_runs list;                 /* or all runs of several blocks */
	const struct type_layout *layout;      /* or the type with the runs; held; NULL: none */
	struct active_buffer *next;            /* the next buffer of the same request, or the next free one */
	const struct checked_request *request; /* NULL: the call has no request */
	enum call_id by;
	uint32_t at;                   /* place; of a blocking call, only determined when it is needed */
	const struct agent_call *call; /* the blocking call that uses it */
	int64_t partition;
	int64_t address; /* the address that the program gave */
	int8_t parameter;
	bool receives; /* MPI writes to it */
	bool in_use;
	bool overlaps;    /* an overlap with another buffer was reported */
	bool is_reported; /* accesses to it were reported when it was complete */
	uint64_t window;  /* of a one-sided operation */
	int64_t target;
	uint64_t content; /* buffer_contents.h */
	uint32_t guard;   /* detects writes to it; 0: none */
	bool has_content;
	bool in_order; /* its runs are in the order in which MPI sends them; only for message_contents.h */
	struct receive_shadow *shadow; /* which MPI uses instead of the buffer; NULL: none */
	struct page_access
		*touched[2]; /* the program's first load and store (watched_memory.h); NULL: none */
};

/* Finds the functions whose buffers are followed; before the first call. */
void active_buffers_init(void);

/* Before MPI runs. `ranges`: those of the buffers in the call's shape. */
void active_buffers_before(struct argument_check *check, const struct byte_range *ranges);
/* After MPI has run: the new request; NULL: none. */
void active_buffers_made(const struct agent_call *call, struct checked_request *request);
/* After calls without a request and calls that complete one-sided operations. */
void active_buffers_after(struct agent_call *call, int rc);
bool active_buffers_are_concerned(enum call_id id);
/* True if some of these bytes are in use. */
bool active_buffers_have(int64_t first, int64_t end);
/* Visits the buffers in use that have some of these bytes; the interval is their first member. `all`: also
 * visits buffers that MPI only reads. */
void active_buffers_visit(int64_t first, int64_t end, bool all, interval_visit *visit, void *context);
/* Adds the calls that use a buffer. */
void active_buffer_origin(struct finding_draft *draft, const struct active_buffer *buffer);

/* Reports that the program accessed it while it was in use. `access` NULL: the access is unknown. */
struct page_access;
void active_buffer_report(const struct agent_call *call, const struct active_buffer *buffer, enum check check,
                          const struct page_access *access);
/* Guards its bytes, or the first ones of a type with gaps. */
uint32_t active_buffer_guard(const struct active_buffer *buffer, unsigned kind);

/* A persistent request starts; MPI has not run yet. */
void active_buffers_start(struct agent_call *call, struct checked_request *request);
/* MPI_Pready and MPI_Parrived. */
void active_buffers_partition(struct agent_call *call, struct checked_request *request, int64_t partition,
                              bool in_use);
/* `call` has completed the operation, with this status (NULL: unknown). `call` NULL: the
 * operation never began. */
void active_buffers_complete(struct agent_call *call, struct checked_request *request,
                             const MPI_Status *status);
/* The first `limit` bytes that the request of a message sends or has received; its buffer belongs
 * to the program again. */
struct message_content active_buffers_content(const struct checked_request *request, int64_t limit);
/* The request ends, and its buffers are released. */
void active_buffers_release(struct checked_request *request);

/* For shadows (receive_shadows.h). MPI gave the request a handle that other requests have, which
 * shows that all of them are complete. */
void active_buffers_settle(struct agent_call *call, struct checked_request *request);
/* True if MPI is receiving into a shadow of a buffer of this request. */
bool active_buffers_have_shadow(const struct checked_request *request);
/* The data has arrived: copies it to the buffers and frees the shadow. */
void active_buffers_deliver(struct active_buffer *first);

#endif
