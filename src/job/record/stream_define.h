/* Defines a distinct call in the thread's chunk: converts its key to records. */
#ifndef TARRY_JOB_RECORD_STREAM_DEFINE_H
#define TARRY_JOB_RECORD_STREAM_DEFINE_H

#include "base/probe.h"
#include "calls/ids.h"
#include "job/record/stream.h"

/* The largest size of a call's definition in the chunk. */
size_t stream_define_room(const int64_t *key, uint32_t words);

/* The number of the new call. The chunk has room for it. NO_CALL: recording has ended. */
uint32_t stream_define(struct recording_stream *s, const int64_t *key, uint32_t words);

/* Converts the next words after a key's values: one field, or one completed request with at most FIELDS_OF_REST fields. Returns the number of
 * words. */
uint32_t describe_rest(const int64_t *key, struct field *fields, size_t *count);
enum { FIELDS_OF_REST = 4 };
/* Whether the field is a name in the trace, so that a LIKE record cannot change it. */
static inline bool is_named(uint32_t field)
{
	return field == FIELD_PARAM || field == FIELD_TEXT;
}

/* Describes an open call after the chunk's payload, which has room for it. Sets `start` to the time when it is done. */
void stream_describe_open(struct recording_stream *s, const int64_t *key, uint32_t words, uint64_t *start);

/* The shapes of keys: of MPI and UPC functions, generated from the tables of calls, and of tarry.h. */

/* Calls of tarry.h in the user's code: events without duration. */
enum user_event { USER_REGION_BEGIN = ALL_CALLS, USER_REGION_END, USER_PHASE, USER_MARK, SHAPES };

extern const struct shape call_shapes[ALL_CALLS];

/* For a function of MPI, UPC or tarry.h. */
const struct shape *shape_of(uint32_t id);

/* Also for functions that rules trace. */
const char *shape_name(uint32_t id);

/* Names that a chunk defines once: functions, functions that rules trace (record/probes.h), and their parameters. */
enum { PROBE_NAMES = SHAPES + PROBES_MAX, CHUNK_NAMES = PROBE_NAMES + PROBE_NAMES_MAX };

/* Bytes of the texts in a key's definition. */
size_t shape_text_bytes(const int64_t *key, uint32_t words);

#endif
