#include "trace/encode.h"

#include "base/crc32.h"
#include "trace/chunk.h"

#include <string.h>

void encoder_open(struct encoder *e, void *memory, size_t bytes, const struct chunk_identity *identity,
                  uint64_t base_tick)
{
	struct chunk_header *chunk = memory;

	*chunk = (struct chunk_header){
		.version = CHUNK_VERSION,
		.world = identity->world,
		.process = identity->process,
		.stream = identity->stream,
		.sequence = identity->sequence,
		.capacity = chunk_capacity(bytes),
		.base_tick = base_tick,
	};
	memcpy(chunk->magic, CHUNK_MAGIC, CHUNK_MAGIC_SIZE);
	chunk->identity_crc = chunk_identity_crc(chunk);

	e->chunk = chunk;
	e->payload = (uint8_t *)(chunk + 1);
	e->names = e->sites = e->paths = e->calls = e->events = 0;
	e->last = NO_CALL;
	e->last_end = base_tick;
}

void encoder_seal(struct encoder *e, bool trim)
{
	struct chunk_header *chunk = e->chunk;

	if (trim)
		chunk->capacity = (uint32_t)chunk_align(chunk->length);
	chunk->identity_crc = chunk_identity_crc(chunk);
	struct chunk_header sealed = *chunk;
	sealed.sealed = 1;
	sealed.events = e->events;
	sealed.payload_crc = crc32_of(e->payload, chunk->length);
	sealed.seal_crc = chunk_seal_crc(&sealed);
	/* A process may be killed between these stores. The last one seals the chunk. The seal is valid before it, so that a
	 * reader does not take `events` for an open call. */
	__atomic_store_n(&chunk->progress, chunk->length, __ATOMIC_RELEASE);
	__atomic_store_n(&chunk->open_start, sealed.open_start, __ATOMIC_RELEASE);
	__atomic_store_n(&chunk->events, sealed.events, __ATOMIC_RELEASE);
	__atomic_store_n(&chunk->sealed, 1, __ATOMIC_RELEASE);
}

void chunk_identify(struct chunk_header *chunk, uint64_t world, uint32_t process)
{
	chunk->world = world;
	chunk->process = process;
	chunk->identity_crc = chunk_identity_crc(chunk);
}

void encode_long(struct encoder *e, enum record_kind kind, const void *body, size_t size)
{
	uint8_t *at = e->payload + e->chunk->length;

	*at++ = (uint8_t)(HEAD_LONG | kind);
	at = put_varint(at, size);
	memmove(at, body, size); /* encode_record() has put the body a few bytes further on */
	commit_length(e, at + size);
}

void encode_record(struct encoder *e, enum record_kind kind, const void *record)
{
	uint8_t *body = e->payload + e->chunk->length + LONG_HEAD_MAX;

	encode_long(e, kind, body, (size_t)(record_put(body, kind, record) - body));
}

uint32_t encode_name(struct encoder *e, const char *text)
{
	encode_long(e, RECORD_NAME, text, strlen(text));
	return e->names++;
}

uint32_t encode_site(struct encoder *e, uint64_t module, uint64_t offset)
{
	uint8_t body[2 * VARINT_MAX];
	uint8_t *at = put_varint(body, module);

	at = put_varint(at, offset);
	encode_long(e, RECORD_SITE, body, (size_t)(at - body));
	return e->sites++;
}

uint32_t encode_path(struct encoder *e, uint64_t caller, uint64_t module, uint64_t offset)
{
	uint8_t body[3 * VARINT_MAX];
	uint8_t *at = put_varint(body, caller);

	at = put_varint(at, module);
	at = put_varint(at, offset);
	encode_long(e, RECORD_PATH, body, (size_t)(at - body));
	return e->paths++;
}

static size_t varint_size(uint64_t value)
{
	size_t size = 1;

	for (; value >= 0x80; value >>= 7)
		size++;
	return size;
}

/* Writes a CALL record after the payload; returns its end. */
static uint8_t *put_call(const struct encoder *e, uint32_t name, uint32_t site, const struct field *fields,
                         size_t count)
{
	uint64_t site_code = site == NO_SITE ? 0 : (uint64_t)site + 1;
	size_t size = varint_size(name) + varint_size(site_code);
	uint8_t *at = e->payload + e->chunk->length;

	for (size_t i = 0; i < count; i++)
		size += varint_size(fields[i].key) + varint_size(zigzag(fields[i].value));

	*at++ = HEAD_LONG | RECORD_CALL;
	at = put_varint(at, size);
	at = put_varint(at, name);
	at = put_varint(at, site_code);
	for (size_t i = 0; i < count; i++) {
		at = put_varint(at, fields[i].key);
		at = put_signed(at, fields[i].value);
	}
	return at;
}

uint32_t encode_call(struct encoder *e, uint32_t name, uint32_t site, const struct field *fields,
                     size_t count)
{
	uint8_t *end = put_call(e, name, site, fields, count);

	e->successor[e->calls] = NO_CALL;
	commit_length(e, end);
	return e->calls++;
}

void encode_open_undefined(struct encoder *e, uint32_t name, uint32_t site, const struct field *fields,
                           size_t count, uint64_t start)
{
	put_call(e, name, site, fields, count);
	encode_open(e, (uint32_t)OPEN_CALL_UNDEFINED - 1, start);
}

void encode_open_record(struct encoder *e, uint32_t call, uint64_t start)
{
	uint8_t body[2 * VARINT_MAX], *at = put_varint(body, call);

	at = put_varint(at, start);
	encode_long(e, RECORD_OPEN, body, (size_t)(at - body));
}

void encode_polls(struct encoder *e, uint64_t polls, uint64_t busy)
{
	uint8_t body[2 * VARINT_MAX];
	uint8_t *at = put_varint(body, polls);

	at = put_varint(at, busy);
	encode_long(e, RECORD_POLLS, body, (size_t)(at - body));
}

void encode_delay(struct encoder *e, uint32_t before_us, uint32_t inside_us)
{
	uint8_t body[2 * VARINT_MAX];
	uint8_t *at = put_varint(body, before_us);

	at = put_varint(at, inside_us);
	encode_long(e, RECORD_DELAY, body, (size_t)(at - body));
}

void encode_blocked(struct encoder *e, uint32_t before_us)
{
	uint8_t body[VARINT_MAX];

	encode_long(e, RECORD_BLOCKED, body, (size_t)(put_varint(body, before_us) - body));
}

void encode_time(struct encoder *e, uint64_t tick)
{
	uint8_t body[VARINT_MAX];

	encode_long(e, RECORD_TIME, body, (size_t)(put_varint(body, tick) - body));
	e->last_end = tick;
}

uint8_t *put_sums(uint8_t *at, const struct call_sums *sums)
{
	at = put_u64(put_u64(at, sums->count), sums->inside);
	at = put_u64(put_u64(at, sums->shortest), sums->longest);
	return put_u64(put_u64(at, sums->sent), sums->received);
}

uint8_t *encode_summed(struct encoder *e, uint32_t call, const struct call_sums *sums)
{
	uint8_t body[VARINT_MAX + SUMS_ROOM], *at = put_sums(put_varint(body, call), sums);

	encode_long(e, RECORD_SUMMED, body, (size_t)(at - body));
	return e->payload + e->chunk->length - SUMS_ROOM;
}

void encode_skipped(struct encoder *e, uint64_t tick, uint64_t count, uint32_t call)
{
	uint8_t body[3 * VARINT_MAX], *at = put_varint(body, tick);

	at = put_varint(at, count);
	at = put_varint(at, call);
	encode_long(e, RECORD_SKIPPED, body, (size_t)(at - body));
}
