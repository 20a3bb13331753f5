/* Defining a distinct call in the thread's chunk: its key as the records that readers need before its first event. */
#ifndef TARRY_JOB_RECORD_STREAM_DEFINE_H
#define TARRY_JOB_RECORD_STREAM_DEFINE_H

#include "base/probe.h"
#include "calls/ids.h"
#include "job/record/stream.h"

/* Bytes of the chunk that defining the call may take. */
size_t stream_define_room(const int64_t *key, uint32_t words);

/* The number of the new call; the chunk has room for it. NO_CALL: recording has ended. */
uint32_t stream_define(struct recording_stream *s, const int64_t *key, uint32_t words);

/* One field behind a key's values, or those of one completed request, at most FIELDS_OF_REST; returns the words that told it. */
uint32_t describe_rest(const int64_t *key, struct field *fields, size_t *count);
enum { FIELDS_OF_REST = 4 };
/* Whether the trace has the field as a name, so that two calls with different ones are not alike. */
static inline bool is_named(uint32_t field)
{
	return field == FIELD_PARAM || field == FIELD_TEXT;
}

/* Describes a call that begins behind the chunk's payload, which has room for it; `start` is when that is done. */
void stream_describe_open(struct recording_stream *s, const int64_t *key, uint32_t words, uint64_t *start);

/* The shapes of keys: those of MPI's and UPC's functions, made from the tables of calls, and those of tarry.h. */

/* What the user's own code tells us through tarry.h: events of no duration. */
enum user_event { USER_REGION_BEGIN = ALL_CALLS, USER_REGION_END, USER_PHASE, USER_MARK, SHAPES };

extern const struct shape call_shapes[ALL_CALLS];

/* Of a function of MPI, UPC or tarry.h. */
const struct shape *shape_of(uint32_t id);

/* Of these and of functions that rules trace. */
const char *shape_name(uint32_t id);

/* Names that a chunk defines once: functions, those that rules trace (record/probes.h), and their parameters. */
enum { PROBE_NAMES = SHAPES + PROBES_MAX, CHUNK_NAMES = PROBE_NAMES + PROBE_NAMES_MAX };

/* Bytes of the texts that a key's definition may have to spell out. */
size_t shape_text_bytes(const int64_t *key, uint32_t words);

#endif
