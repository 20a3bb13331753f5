#include "trace/chunk_writer.h"

#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
	CALL_LIMIT = 1 << 16,
	RECORD_LIMIT = 1 << 30,
	SITE_ROOM = LONG_HEAD_MAX + 2 * VARINT_MAX,
	PATH_ROOM = LONG_HEAD_MAX + 3 * VARINT_MAX,
	POLLS_ROOM = LONG_HEAD_MAX + 2 * VARINT_MAX,
};

void chunk_writer_begin(struct chunk_writer *writer, uint64_t world, uint32_t process, uint32_t stream)
{
	writer->begun = true;
	writer->identity = (struct chunk_identity){world, process, stream, 0};
	writer->encoder.successor = memory_new(CALL_LIMIT, sizeof(uint32_t));
	writer->encoder.call_limit = CALL_LIMIT;
	writer->last_end = 0;
}

static size_t align_up(size_t bytes)
{
	return (bytes + CHUNK_ALIGNMENT - 1) & ~(size_t)(CHUNK_ALIGNMENT - 1);
}

/* A chunk with room for its opening and `room` bytes more. */
static void open_chunk(struct chunk_writer *writer, size_t room, uint64_t tick)
{
	size_t opening = writer->has_opening ? LONG_HEAD_MAX + writer->opening.length : 0;
	size_t bytes = align_up(sizeof(struct chunk_header) + opening + room);

	if (bytes < writer->chunk_bytes)
		bytes = align_up(writer->chunk_bytes);
	writer->memory = memory_new(1, bytes);
	writer->identity.sequence = (*writer->sequence)++;
	encoder_open(&writer->encoder, writer->memory, bytes, &writer->identity, tick);
	writer->names = writer->sites = writer->paths = writer->calls = (struct interner){
		.arena = &writer->arena};
	if (writer->has_opening)
		encode_long(&writer->encoder, RECORD_THREAD, writer->opening.bytes, writer->opening.length);
}

static enum status close_chunk(struct chunk_writer *writer)
{
	size_t bytes;
	enum status status = OK;

	encoder_seal(&writer->encoder, true);
	bytes = sizeof(struct chunk_header) + writer->encoder.chunk->capacity;
	if (fwrite(writer->memory, 1, bytes, writer->out) != bytes)
		status = fail("cannot write the trace: %s", strerror(errno));
	free(writer->memory);
	writer->memory = NULL;
	arena_release(&writer->arena);
	return status;
}

/* An open chunk with `room` bytes and room for one more call; times in a new one count from `tick`. */
static enum status make_room(struct chunk_writer *writer, size_t room, uint64_t tick)
{
	if (room > RECORD_LIMIT)
		return fail("a record of %zu bytes is more than a chunk can hold", room);
	if (writer->memory && encoder_has_room(&writer->encoder, room) && encoder_has_call(&writer->encoder))
		return OK;
	if (writer->memory)
		TRY(close_chunk(writer));
	open_chunk(writer, room, tick);
	return OK;
}

enum status chunk_writer_thread(struct chunk_writer *writer, uint64_t id, bool is_main, const char *name)
{
	uint8_t numbers[2 * VARINT_MAX];
	uint8_t *end = put_varint(put_varint(numbers, id), is_main);

	if (writer->memory)
		TRY(close_chunk(writer));
	text_clear(&writer->opening);
	text_add_bytes(&writer->opening, (char *)numbers, (size_t)(end - numbers));
	text_add_bytes(&writer->opening, name, strlen(name));
	writer->has_opening = true;
	return OK;
}

enum status chunk_writer_long(struct chunk_writer *writer, enum record_kind kind, const void *body,
                              size_t size)
{
	TRY(make_room(writer, LONG_HEAD_MAX + size, writer->last_end));
	encode_long(&writer->encoder, kind, body, size);
	return OK;
}

_Static_assert((int)OPEN_ROOM <= (int)EVENT_ROOM, "what has room for an event has room for an open call");

static size_t event_room(const struct draft_event *event)
{
	size_t room = LONG_HEAD_MAX + strlen(event->name) + SITE_ROOM + POLLS_ROOM + STOLEN_ROOM + EVENT_ROOM;

	for (size_t i = 0; i < event->field_count; i++) {
		room += event->fields[i].site_count * PATH_ROOM;
		if (event->fields[i].text)
			room += LONG_HEAD_MAX + strlen(event->fields[i].text);
	}
	return room + call_room(event->field_count);
}

/* Each finds the number of a definition in this chunk, and defines what is new. */

static uint32_t number_name(struct chunk_writer *writer, const char *name)
{
	uint64_t known = writer->names.count;
	const struct interned *item = intern(&writer->names, name, strlen(name));

	return item->number == known ? encode_name(&writer->encoder, name) : (uint32_t)item->number;
}

static uint32_t number_site(struct chunk_writer *writer, uint64_t module, uint64_t offset)
{
	uint64_t site[2] = {module, offset};
	uint64_t known = writer->sites.count;
	const struct interned *item = intern(&writer->sites, site, sizeof site);

	return item->number == known ? encode_site(&writer->encoder, module, offset) : (uint32_t)item->number;
}

static uint32_t number_path(struct chunk_writer *writer, const struct draft_site *sites, size_t count)
{
	uint64_t path[3] = {0};

	while (count-- > 0) {
		uint64_t known = writer->paths.count;
		path[1] = sites[count].module;
		path[2] = sites[count].offset;
		uint64_t number = intern(&writer->paths, path, sizeof path)->number;
		if (number == known)
			encode_path(&writer->encoder, path[0], path[1], path[2]);
		path[0] = number + 1;
	}
	return (uint32_t)path[0] - 1;
}

static int64_t number_field(struct chunk_writer *writer, const struct draft_field *field)
{
	if (field->sites)
		return number_path(writer, field->sites, field->site_count);
	return field->text ? (int64_t)number_name(writer, field->text) : field->value;
}

static uint32_t number_call(struct chunk_writer *writer, const struct draft_event *event)
{
	uint32_t head[2] = {number_name(writer, event->name), NO_SITE};
	size_t size = sizeof head + event->field_count * sizeof(struct field);
	uint8_t *key = memory_new(1, size);
	struct field *fields = (struct field *)(key + sizeof head);
	uint64_t known = writer->calls.count;
	uint32_t number;

	if (event->has_site)
		head[1] = number_site(writer, event->module, event->offset);
	memcpy(key, head, sizeof head);
	for (size_t i = 0; i < event->field_count; i++) {
		const struct draft_field *field = &event->fields[i];
		fields[i].key = field->key;
		fields[i].value = number_field(writer, field);
	}
	number = (uint32_t)intern(&writer->calls, key, size)->number;
	if (number == known)
		encode_call(&writer->encoder, head[0], head[1], fields, event->field_count);
	free(key);
	return number;
}

enum status chunk_writer_event(struct chunk_writer *writer, const struct draft_event *event)
{
	bool later = writer->last_end && writer->last_end <= event->start;
	uint32_t call;

	if (event->stolen_before > UINT32_MAX || event->stolen_inside > UINT32_MAX)
		return fail("an event has more scheduling delay than 2^32 microseconds");
	TRY(make_room(writer, event_room(event), later ? writer->last_end : event->start));
	call = number_call(writer, event);
	if (event->polls)
		encode_polls(&writer->encoder, event->polls, event->busy);
	if (event->stolen_before | event->stolen_inside)
		encode_stolen(&writer->encoder, (uint32_t)event->stolen_before,
		              (uint32_t)event->stolen_inside);
	encode_event(&writer->encoder, call, event->start, event->end);
	writer->last_end = event->end;
	return OK;
}

enum status chunk_writer_open_call(struct chunk_writer *writer, const struct draft_event *call)
{
	TRY(make_room(writer, event_room(call), writer->last_end ? writer->last_end : call->start));
	encode_open_record(&writer->encoder, number_call(writer, call), call->start);
	return OK;
}

_Static_assert((int)SKIPPED_ROOM <= (int)EVENT_ROOM, "what has room for an event has room for skipped calls");

enum status chunk_writer_skipped(struct chunk_writer *writer, const struct draft_event *call, uint64_t count)
{
	TRY(make_room(writer, event_room(call), writer->last_end ? writer->last_end : call->start));
	encode_skipped(&writer->encoder, call->start, count, number_call(writer, call));
	return OK;
}

void chunk_writer_release(struct chunk_writer *writer)
{
	free(writer->memory);
	free(writer->encoder.successor);
	arena_release(&writer->arena);
	text_release(&writer->opening);
	*writer = (struct chunk_writer){
		.out = writer->out, .chunk_bytes = writer->chunk_bytes, .sequence = writer->sequence};
}

enum status chunk_writer_end(struct chunk_writer *writer)
{
	enum status status = OK;

	if (!writer->begun)
		return OK;
	if (!writer->memory)
		open_chunk(writer, 0, writer->last_end);
	status = close_chunk(writer);
	chunk_writer_release(writer);
	return status;
}
