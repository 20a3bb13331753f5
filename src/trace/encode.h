/* Writes one chunk, for the recorder's hot path and for the text assembler.
 *
 *	encoder_open(&e, memory, bytes, &identity, tick);
 *	uint32_t name = encode_name(&e, "MPI_Send");
 *	uint32_t call = encode_call(&e, name, NO_SITE, fields, count);
 *	encode_event(&e, call, start, end);
 *	encoder_seal(&e, false);
 *
 * The caller checks the room first (encoder_has_room), so the encoder cannot fail. The memory may be a mapped file: at any moment the
 * header's length ends with a whole record. `successor` is the prediction table, with one entry for each call that the chunk may
 * define. */
#ifndef TARRY_TRACE_ENCODE_H
#define TARRY_TRACE_ENCODE_H

#include "base/bytes.h"
#include "trace/format.h"
#include "trace/records.h"

#include <stdbool.h>

#define NO_CALL UINT32_MAX
#define NO_SITE UINT32_MAX

struct chunk_identity {
	uint64_t world;
	uint32_t process;
	uint32_t stream;
	uint32_t sequence;
};

struct field {
	uint32_t key; /* enum field_key */
	int64_t value;
} __attribute__((packed, aligned(4)));

struct encoder {
	struct chunk_header *chunk;
	uint8_t *payload;
	uint32_t *successor;
	uint32_t call_limit; /* entries of successor */
	uint32_t names;
	uint32_t sites;
	uint32_t paths;
	uint32_t calls;
	uint32_t events;
	uint32_t last;     /* the call before */
	uint64_t last_end; /* its end */
};

/* Payload bytes of a chunk with this size in memory. */
static inline uint32_t chunk_capacity(size_t bytes)
{
	return (uint32_t)(bytes - sizeof(struct chunk_header));
}

/* Starts an open chunk in `memory`, which is zeroed and has `bytes`, a multiple of CHUNK_ALIGNMENT. The caller owns the prediction
 * table, which the encoder uses for all chunks. */
void encoder_open(struct encoder *e, void *memory, size_t bytes, const struct chunk_identity *identity,
                  uint64_t base_tick);

/* Makes the chunk final. `trim` removes the unused capacity: the next chunk follows at once. */
void encoder_seal(struct encoder *e, bool trim);

/* Sets world and process of a chunk, which are unknown before MPI_Init. */
void chunk_identify(struct chunk_header *chunk, uint64_t world, uint32_t process);

static inline bool encoder_has_room(const struct encoder *e, size_t bytes)
{
	return e->chunk->length + bytes <= e->chunk->capacity;
}

static inline bool encoder_has_call(const struct encoder *e)
{
	return e->calls < e->call_limit;
}

/* A whole long record. Needs room for LONG_HEAD_MAX + size. */
void encode_long(struct encoder *e, enum record_kind kind, const void *body, size_t size);

/* A record of trace/records.h. Needs room for LONG_HEAD_MAX + record_room(). */
void encode_record(struct encoder *e, enum record_kind kind, const void *record);

/* Each defines something and returns its number for later records. */
uint32_t encode_name(struct encoder *e, const char *text);
uint32_t encode_site(struct encoder *e, uint64_t module, uint64_t offset);
/* `caller` is 1 + the number of another path; 0: none. */
uint32_t encode_path(struct encoder *e, uint64_t caller, uint64_t module, uint64_t offset);
uint32_t encode_call(struct encoder *e, uint32_t name, uint32_t site, const struct field *fields,
                     size_t count);

/* Defines a call that differs from another one only in the values of a few fields, which are neither names nor paths. The next event is
 * predicted to be this call, because callers define a call right before its event.
 *
 *	uint8_t *at = like_begin(&e, base);
 *	at = like_differs(at, position, value - value_of_base);       for each field that differs
 *	if (like_fits(&e, at))
 *		call = encode_like(&e, at);
 *
 * Needs LIKE_ROOM and, for each field, LIKE_FIELD_ROOM. The bytes belong to the chunk only after encode_like(). */
enum {
	LIKE_HEAD = 2,
	LIKE_BODY_MAX = 127,
	LIKE_ROOM = LIKE_HEAD + VARINT_MAX,
	LIKE_FIELD_ROOM = 2 * VARINT_MAX
};

static inline uint8_t *like_begin(const struct encoder *e, uint32_t base)
{
	return put_varint(e->payload + e->chunk->length + LIKE_HEAD, e->calls - 1 - base);
}

static inline uint8_t *like_differs(uint8_t *at, uint32_t position, uint64_t difference)
{
	return put_signed(put_varint(at, position), (int64_t)difference);
}

static inline bool like_fits(const struct encoder *e, const uint8_t *end)
{
	return end - (e->payload + e->chunk->length + LIKE_HEAD) <= LIKE_BODY_MAX;
}

/* The largest room that encode_call() needs. */
static inline size_t call_room(size_t fields)
{
	return LONG_HEAD_MAX + 2 * VARINT_MAX + fields * 2 * VARINT_MAX;
}

/* The next event represents `polls` consecutive calls, which spent `busy` ticks inside MPI. */
void encode_polls(struct encoder *e, uint64_t polls, uint64_t busy);

/* Scheduling delay of the next event in microseconds, before and after its start; not both 0. */
void encode_delay(struct encoder *e, uint32_t before_us, uint32_t inside_us);
/* The thread was blocked in the kernel before the next event, for so many microseconds; not 0. */
void encode_blocked(struct encoder *e, uint32_t before_us);
/* Of both records. */
enum { DELAY_ROOM = 2 * LONG_HEAD_MAX + 3 * VARINT_MAX };

/* Sets the time that the next gap counts from. */
void encode_time(struct encoder *e, uint64_t tick);

/* Between the previous event and `tick`, `count` calls were not recorded. */
void encode_skipped(struct encoder *e, uint64_t tick, uint64_t count, uint32_t call);
enum { SKIPPED_ROOM = LONG_HEAD_MAX + 3 * VARINT_MAX };

/* Sums of calls without events. Returns their place in the chunk, for put_sums(). */
uint8_t *encode_summed(struct encoder *e, uint32_t call, const struct call_sums *sums);
/* Replaces them in an open chunk. */
uint8_t *put_sums(uint8_t *at, const struct call_sums *sums);
enum { SUMS_ROOM = sizeof(struct call_sums), SUMMED_ROOM = LONG_HEAD_MAX + VARINT_MAX + SUMS_ROOM };

/* The largest room of one event and a TIME record before it. */
enum { EVENT_ROOM = EVENT_MAX + LONG_HEAD_MAX + VARINT_MAX };

/* At every moment the length ends with a whole record, for readers after the end of this process. The order of the instructions is
 * enough for that. Readers of a running process use follow_barrier(). */
static inline void commit_progress(struct chunk_header *chunk, uint32_t length)
{
	__atomic_signal_fence(__ATOMIC_RELEASE);
	/* This also ends the open call. */
	__atomic_store_n(&chunk->progress, length, __ATOMIC_RELAXED);
}

static inline void commit_length(struct encoder *e, const uint8_t *end)
{
	commit_progress(e->chunk, (uint32_t)(end - e->payload));
}

/* The thread is in this call from `start` to the next record. */
static inline __attribute__((always_inline)) void encode_open(struct encoder *e, uint32_t call,
                                                              uint64_t start)
{
	struct chunk_header *chunk = e->chunk;

	chunk->open_start = start;
	__atomic_signal_fence(__ATOMIC_RELEASE);
	__atomic_store_n(&chunk->events, call + 1, __ATOMIC_RELAXED);
}

/* The same for a call without a definition. The next record overwrites its description. Needs the room of a call. */
void encode_open_undefined(struct encoder *e, uint32_t name, uint32_t site, const struct field *fields,
                           size_t count, uint64_t start);

static inline void put_like_head(const struct encoder *e, const uint8_t *end)
{
	uint8_t *at = e->payload + e->chunk->length;

	at[0] = HEAD_LONG | RECORD_LIKE;
	at[1] = (uint8_t)(end - (at + LIKE_HEAD));
}

static inline uint32_t encode_like(struct encoder *e, uint8_t *end)
{
	put_like_head(e, end);
	e->successor[e->calls] = NO_CALL;
	if (e->last != NO_CALL)
		e->successor[e->last] = e->calls;
	commit_length(e, end);
	return e->calls++;
}

/* As encode_open_undefined(). */
static inline void encode_open_like(struct encoder *e, uint8_t *end, uint64_t start)
{
	put_like_head(e, end);
	encode_open(e, (uint32_t)OPEN_CALL_UNDEFINED - 1, start);
}

/* The thread ended in this call. For chunks that are written at once. */
void encode_open_record(struct encoder *e, uint32_t call, uint64_t start);
enum { OPEN_ROOM = LONG_HEAD_MAX + 2 * VARINT_MAX };

/* Writes gap and duration at `at`, and their codes into the head. */
static inline uint8_t *put_times(uint8_t *at, uint8_t *head, bool is_explicit, uint64_t gap,
                                 uint64_t duration)
{
	const uint64_t rest = is_explicit ? DURATION_REST_EXPLICIT : DURATION_REST;
	const uint64_t gap_code = gap < GAP_REST ? gap : GAP_REST;
	const uint64_t duration_code = duration < rest ? duration : rest;

	*head = (uint8_t)(is_explicit ? HEAD_EXPLICIT | gap_code << GAP_SHIFT_EXPLICIT | duration_code
	                              : gap_code << GAP_SHIFT | duration_code);
	if (gap >= GAP_REST)
		at = put_varint(at, gap - GAP_REST);
	if (duration >= rest)
		at = put_varint(at, duration - rest);
	return at;
}

/* Writes a predicted event with a short gap and duration. Stores two bytes, and returns how many of them count. */
static inline __attribute__((always_inline)) uint32_t put_short(uint8_t *head, uint32_t gap,
                                                                uint32_t duration)
{
	const bool is_tiny = gap < GAP_REST && duration < DURATION_REST;

	head[0] = (uint8_t)(is_tiny ? gap << GAP_SHIFT | duration
	                            : HEAD_SHORT + (duration >> 5 << 4 | gap >> 3));
	head[1] = (uint8_t)(gap % 8 << 5 | duration % 32);
	return is_tiny ? 1 : 2;
}

/* Writes a longer one in three bytes. Stores four. */
static inline uint32_t put_packed(uint8_t *head, uint32_t gap, uint32_t duration)
{
	const uint32_t times = gap << PACKED_BITS | duration;
	const uint32_t bytes = HEAD_PACKED | times >> 16 | (times & UINT16_MAX) << 8;

	memcpy(head, &bytes, sizeof bytes);
	return 3;
}

/* An event of the predicted call; needs EVENT_ROOM. */
static inline __attribute__((always_inline)) void encode_predicted(struct encoder *e, uint32_t call,
                                                                   uint64_t start, uint64_t end)
{
	if (__builtin_expect(start < e->last_end, 0))
		encode_time(e, start);

	/* The encoder is read and written before the bytes, because for the compiler these may alias anything. */
	struct chunk_header *chunk = e->chunk;
	const uint32_t length = chunk->length;
	uint8_t *head = e->payload + length;
	uint64_t gap = start - e->last_end, duration = end - start;
	uint32_t bytes;

	e->last = call;
	e->last_end = end;
	e->events++;
	if (__builtin_expect(gap < SHORT_GAP && duration < SHORT_DURATION, 1))
		bytes = put_short(head, (uint32_t)gap, (uint32_t)duration);
	else if (gap < PACKED_GAP && duration < PACKED_DURATION)
		bytes = put_packed(head, (uint32_t)gap, (uint32_t)duration);
	else
		bytes = (uint32_t)(put_times(head + 1, head, false, gap, duration) - head);
	commit_progress(chunk, length + bytes);
}

/* One event; needs EVENT_ROOM. */
static inline void encode_event(struct encoder *e, uint32_t call, uint64_t start, uint64_t end)
{
	if (e->last != NO_CALL && e->successor[e->last] == call) {
		encode_predicted(e, call, start, end);
		return;
	}
	if (start < e->last_end)
		encode_time(e, start);

	uint8_t *head = e->payload + e->chunk->length;
	uint64_t gap = start - e->last_end, duration = end - start;

	if (e->last != NO_CALL)
		e->successor[e->last] = call;
	e->last = call;
	e->last_end = end;
	e->events++;
	commit_length(e, put_times(put_varint(head + 1, call), head, true, gap, duration));
}

#endif
