/* Buffers in use by MPI: their operations have begun and are not complete. A buffer that MPI writes must not overlap another buffer in use; buffers
 * that it only reads may overlap (memory.overlap). Overlap is exact to the byte, with the gaps of derived types.
 *
 * A call with a request describes its buffers before MPI runs. The request takes them over (active_buffers_made) and keeps them until it
 * ends. They are in use until the request is complete: for a persistent request from each start on, for a partitioned request one
 * partition at a time.
 *
 * Functions with a request need the lock. */
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
	struct byte_runs list;                 /* or all runs, of several blocks */
	const struct type_layout *layout;      /* or the runs of a type; held; NULL: none */
	struct active_buffer *next;            /* of the same request, or free */
	const struct checked_request *request; /* NULL: the call has no request */
	enum call_id by;
	uint32_t at;                   /* place; unknown for a blocking call until it is needed */
	const struct agent_call *call; /* of a blocking call */
	int64_t partition;
	int64_t address; /* as given by the program */
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
	bool in_order;                 /* its runs are in MPI's send order; only with message_contents.h */
	struct receive_shadow *shadow; /* used by MPI instead of the buffer; NULL: none */
	struct page_access
		*touched[2]; /* set by watched_memory.h: the program's first load and store; NULL: none */
};

/* Finds the functions with buffers to follow; before the first call. */
void active_buffers_init(void);

/* Before MPI runs. `ranges`: for the buffers of the call's shape. */
void active_buffers_before(struct argument_check *check, const struct byte_range *ranges);
/* After MPI: the new request; NULL: none. */
void active_buffers_made(const struct agent_call *call, struct checked_request *request);
/* After calls without a request and calls that complete one-sided operations. */
void active_buffers_after(struct agent_call *call, int rc);
bool active_buffers_are_concerned(enum call_id id);
/* True if some of these bytes are in use. */
bool active_buffers_have(int64_t first, int64_t end);
/* Visits the buffers in use with some of these bytes; their intervals are their first members. `all`: also
 * buffers that MPI only reads. */
void active_buffers_visit(int64_t first, int64_t end, bool all, interval_visit *visit, void *context);
/* Adds the calls that use a buffer. */
void active_buffer_origin(struct finding_draft *draft, const struct active_buffer *buffer);

/* The program accessed it while it was in use: by this access; NULL: unknown. */
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
/* The operation is complete: `call` completed it, with this status (NULL: unknown). call
 * NULL: it never began. */
void active_buffers_complete(struct agent_call *call, struct checked_request *request,
                             const MPI_Status *status);
/* The first `limit` bytes that the request of a message sends or has received; its buffer belongs
 * to the program again. */
struct message_content active_buffers_content(const struct checked_request *request, int64_t limit);
/* The request ends. */
void active_buffers_release(struct checked_request *request);

/* Shadows (receive_shadows.h). MPI gave the request a handle that other requests have too: so all
 * of them are complete. */
void active_buffers_settle(struct agent_call *call, struct checked_request *request);
/* MPI is receiving into a shadow of a buffer of this request. */
bool active_buffers_have_shadow(const struct checked_request *request);
/* The data arrived: copies it to the buffers and frees the shadow. */
void active_buffers_deliver(struct active_buffer *first);

#endif
