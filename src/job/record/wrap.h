/* Building blocks of the generated wrappers: parameter values for the trace, the frame of a wrapper, and calls that need more than their
 * parameters. The generator (src/calls/generator/wrappers.py) chooses them for each function. */
#ifndef TARRY_JOB_RECORD_WRAP_H
#define TARRY_JOB_RECORD_WRAP_H

#include "calls/ids.h"
#include "job/mpi/fortran.h"
#include "job/mpi/nesting.h"
#include "job/record/argument_hooks.h"
#include "job/record/comms.h"
#include "job/record/completion.h"
#include "job/record/lifecycle.h"
#include "job/record/requests.h"
#include "job/record/stream.h"
#include "job/record/timer.h"
#include "job/record/traffic.h"

#include <string.h>

#define EXPORT __attribute__((visibility("default")))
#define HIDDEN __attribute__((visibility("hidden")))
#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define HERE \
	(LIKELY(!called_through) ? __builtin_return_address(0) : called_through(__builtin_return_address(0)))
#define FRAME __builtin_frame_address(0)
#define CALLED_INSIDE_MPI call_is_inside_mpi(__builtin_return_address(0))
#define SITE(address) ((int64_t)(uintptr_t)(address))

/* Opens a call with the known part of its key. Unknown handles are not looked up, because they may be invalid. */
#define OPEN_KEY(s, start, ...) OPEN_KEY_BY(stream_open, s, start, __VA_ARGS__)
/* The same for a whole key. */
#define OPEN_WHOLE_KEY(s, start, ...) OPEN_KEY_BY(stream_open_whole, s, start, __VA_ARGS__)
#define OPEN_KEY_BY(function, s, start, ...) \
	do { \
		const bool failed_before = (s)->failed; \
		(s)->failed = true; \
		const int64_t open_key[] = {__VA_ARGS__}; \
		(s)->failed = failed_before; \
		(start) = function(s, open_key, COUNT_OF(open_key), start); \
	} while (0)

/* Ends a wrapper: records the call's key. */
#define RECORD(key) stream_record(s, key, COUNT_OF(key), start, end), stream_leave(s)
/* Also remembers its raw key, unless the call failed. */
#define RECORD_WITH(key, raw, rest, rest_words) \
	(stream_record(s, key, COUNT_OF(key), start, end), \
	 rc == MPI_SUCCESS ? stream_remember_raw(s, raw, COUNT_OF(raw), rest, rest_words) : (void)0, \
	 stream_leave(s))
/* After stream_record_opened(). */
#define RECORD_OPENED(raw) \
	(s->is_new ? (void)0 : stream_remember_raw(s, raw, COUNT_OF(raw), NULL, 0), stream_leave(s))
#define RECORD_OR_POLL(key, found) \
	((found) ? stream_record(s, key, COUNT_OF(key), start, end) \
	         : stream_poll(s, key, COUNT_OF(key), start, end), \
	 stream_leave(s))

/* Returns the call site in the program if the checker's agent or a tool is between the program and us. NULL: neither is. */
extern const void *(*called_through)(const void *return_address)HIDDEN;

/* The functions that wrappers call: MPI's, or those of libtarry-coll (tarry_record_chain) or of another tool (tarry_chain_others). */
struct record_next {
	const char *name; /* NULL: end of the table */
	void *place;      /* the pointer to the function */
};

extern const struct record_next record_nexts[] HIDDEN;
void *record_fortran_next(void **next, const char *name) HIDDEN;

/* The Fortran entry point of MPI_Finalize as a C function. */
extern void *record_fortran_finalize HIDDEN;
int record_call_fortran_finalize(void) HIDDEN;

static inline int64_t rank_value(int64_t rank)
{
	return LIKELY(rank >= 0)        ? rank
	       : rank == MPI_ANY_SOURCE ? RANK_ANY
	       : rank == MPI_PROC_NULL  ? RANK_NULL
	       : rank == MPI_ROOT       ? RANK_ROOT
	                                : rank;
}

static inline int64_t tag_value(int64_t tag)
{
	return tag == MPI_ANY_TAG ? TAG_ANY : tag;
}

static inline int64_t color_value(int64_t color)
{
	return color == MPI_UNDEFINED ? -1 : color;
}

static inline int64_t lock_value(int64_t lock)
{
	return lock == MPI_LOCK_EXCLUSIVE ? LOCK_EXCLUSIVE : LOCK_SHARED;
}

/* Bytes of `count` elements if the type is known; otherwise ABSENT. */
int64_t known_bytes(struct recording_stream *s, int64_t count, MPI_Datatype type);

/* The same inline, for a few wrappers only: longer wrappers also slow down predicted calls, which do not need it. */
static inline int64_t known_bytes_inline(struct recording_stream *s, int64_t count, MPI_Datatype type)
{
	const struct handle_cache_entry *entry = cached(&s->types, HANDLE(type));

	return LIKELY(entry->handle == HANDLE(type)) ? count * entry->value : known_bytes(s, count, type);
}

int64_t assert_value(int64_t assertion);
/* 0 single, 1 funneled, 2 serialized, 3 multiple. MPI 5.0's ABI has other numbers. */
int64_t thread_level_value(int level);
int64_t op_value(MPI_Op op);
/* The class of an error, in the trace's numbering. MPI libraries have different numbers. */
int error_value(int rc);

/* Whether the call failed, although its handles were valid. */
bool failed_late(int rc);

static inline int64_t result_value(int rc)
{
	return LIKELY(rc == MPI_SUCCESS) ? 0 : error_value(rc);
}

/* The source or tag of a status, if the receive was posted with a wildcard. */
static inline int64_t source_value(const MPI_Status *status, int64_t posted_rank, int64_t posted_tag)
{
	return posted_rank == RANK_ANY || posted_tag == TAG_ANY ? rank_value(status->MPI_SOURCE) : ABSENT;
}

static inline int64_t source_tag_value(const MPI_Status *status, int64_t posted_rank, int64_t posted_tag)
{
	return posted_rank == RANK_ANY || posted_tag == TAG_ANY ? status->MPI_TAG : ABSENT;
}

/* Numbers of messages, for MPI_Mprobe and similar functions. */
int64_t message_made(MPI_Message handle, const void *place);
int64_t message_taken(MPI_Message handle, const void *place);

/* Requests in calls that do not complete them. */
int64_t request_number(MPI_Request handle, const void *place);
int64_t request_made_for_comm(struct recording_stream *s, int64_t number, void *new_comm, MPI_Comm parent,
                              bool fortran);
void request_freed(int64_t number);

/* Adds the ranks of a group as pairs after the values of the key, for MPI_Win_post and MPI_Win_start. */
void completion_group(struct completion *done, const struct win *w, MPI_Group group);
/* Adds the sources of this process in neighbourhood collectives. */
void completion_sources(struct completion *done, MPI_Comm handle);

/* Records the key in a struct completion. */
static inline void record_gathered(struct completion *done, const void *site, int64_t what, uint64_t start,
                                   uint64_t end, bool poll)
{
	struct recording_stream *s = done->s;

	done->key[KEY_SITE] = SITE(site);
	done->key[KEY_WHAT] = what;
	if (UNLIKELY(poll))
		stream_poll(s, done->key, done->words, start, end);
	else
		stream_record(s, done->key, done->words, start, end);
	stream_leave(s);
}

#endif
