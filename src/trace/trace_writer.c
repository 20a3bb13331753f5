#include "trace/trace_writer.h"

#include "base/memory.h"
#include "trace/text.h"

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

/* Opens a chunk with room for the THREAD record and `room` more bytes. */
static void open_chunk(struct chunk_writer *writer, size_t room, uint64_t tick)
{
	size_t thread = writer->thread.known ? LONG_HEAD_MAX + record_room(RECORD_THREAD, &writer->thread)
	                                     : 0;
	size_t bytes = sizeof(struct chunk_header) + thread + room;

	bytes = chunk_align(bytes < writer->chunk_bytes ? writer->chunk_bytes : bytes);
	writer->memory = memory_new(1, bytes);
	writer->identity.sequence = (*writer->sequence)++;
	encoder_open(&writer->encoder, writer->memory, bytes, &writer->identity, tick);
	writer->names = writer->sites = writer->paths = writer->calls = (struct interner){
		.arena = &writer->arena};
	memset(writer->latest, 0, sizeof writer->latest);
	if (writer->thread.known)
		encode_record(&writer->encoder, RECORD_THREAD, &writer->thread);
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

/* Makes room for `room` bytes and one more call. A new chunk counts its times from `tick`. */
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

enum status trace_writer_thread_info(struct trace_writer *trace, const struct thread_info *thread)
{
	struct chunk_writer *writer = &trace->events;

	if (writer->memory)
		TRY(close_chunk(writer));
	text_clear(&writer->thread_name);
	text_add(&writer->thread_name, "%s", thread->name);
	writer->thread = (struct thread_info){true, thread->id, thread->main, text_get(&writer->thread_name)};
	return OK;
}

enum status chunk_writer_record(struct chunk_writer *writer, enum record_kind kind, const void *record)
{
	TRY(make_room(writer, LONG_HEAD_MAX + record_room(kind, record), writer->last_end));
	encode_record(&writer->encoder, kind, record);
	return OK;
}

static enum status chunk_writer_long(struct chunk_writer *writer, enum record_kind kind, const void *body,
                                     size_t size)
{
	TRY(make_room(writer, LONG_HEAD_MAX + size, writer->last_end));
	encode_long(&writer->encoder, kind, body, size);
	return OK;
}

_Static_assert((int)OPEN_ROOM <= (int)EVENT_ROOM, "the room of an event is enough for an open call");

static size_t event_room(const struct draft_event *event)
{
	size_t room = LONG_HEAD_MAX + strlen(event->name) + SITE_ROOM + POLLS_ROOM + DELAY_ROOM + EVENT_ROOM;

	for (size_t i = 0; i < event->field_count; i++) {
		room += event->fields[i].site_count * PATH_ROOM;
		if (event->fields[i].text)
			room += LONG_HEAD_MAX + strlen(event->fields[i].text);
	}
	return room + call_room(event->field_count) + LIKE_ROOM;
}

/* Each returns the number of a definition in this chunk, and defines it if it is new. */

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

/* The key of a call in the interner. */
struct call_key {
	uint32_t name, site;
	struct field fields[];
};

/* Writes the call as its differences to an earlier one. NULL: they differ in more than numbers. */
static uint8_t *put_like(struct chunk_writer *writer, const struct interned *earlier,
                         const struct call_key *call, size_t fields)
{
	struct call_key head;
	uint8_t *at;

	if (!earlier || earlier->size != sizeof *call + fields * sizeof *call->fields)
		return NULL;
	memcpy(&head, earlier->bytes, sizeof head);
	if (head.name != call->name || head.site != call->site)
		return NULL;
	at = like_begin(&writer->encoder, earlier->number);
	for (size_t i = 0; i < fields; i++) {
		struct field before, now = call->fields[i];
		memcpy(&before, earlier->bytes + sizeof head + i * sizeof before, sizeof before);
		if (before.key != now.key)
			return NULL;
		if (before.value == now.value)
			continue;
		if (field_form(now.key) == FORM_path || field_form(now.key) == FORM_name)
			return NULL;
		at = like_differs(at, (uint32_t)i, (uint64_t)now.value - (uint64_t)before.value);
	}
	return like_fits(&writer->encoder, at) ? at : NULL;
}

static uint32_t number_call(struct chunk_writer *writer, const struct draft_event *event)
{
	size_t size = sizeof(struct call_key) + event->field_count * sizeof(struct field);
	struct call_key *call = memory_new(1, size);
	uint64_t known = writer->calls.count;
	const struct interned *interned;

	call->name = number_name(writer, event->name);
	call->site = event->has_site ? number_site(writer, event->module, event->offset) : NO_SITE;
	for (size_t i = 0; i < event->field_count; i++) {
		const struct draft_field *field = &event->fields[i];
		call->fields[i].key = field->key;
		call->fields[i].value = field->sites  ? (int64_t)number_path(writer, field->sites,
		                                                             field->site_count)
		                        : field->text ? (int64_t)number_name(writer, field->text)
		                                      : field->value;
	}
	interned = intern(&writer->calls, call, size);
	if (interned->number == known) {
		const struct interned **latest = &writer->latest[call->name % LATEST_CALLS];
		uint8_t *end = put_like(writer, *latest, call, event->field_count);
		if (end)
			encode_like(&writer->encoder, end);
		else
			encode_call(&writer->encoder, call->name, call->site, call->fields,
			            event->field_count);
		*latest = interned;
	}
	free(call);
	return interned->number;
}

void definitions_write(const struct draft_event *calls, size_t count, struct text *out)
{
	uint32_t sequence = 0;
	struct chunk_writer writer = {.sequence = &sequence};
	size_t room = 0;

	for (size_t i = 0; i < count; i++)
		room += event_room(&calls[i]);
	chunk_writer_begin(&writer, 0, 0, 0);
	open_chunk(&writer, room, 0);
	for (size_t i = 0; i < count; i++)
		number_call(&writer, &calls[i]);
	text_add_bytes(out, (const char *)writer.encoder.payload, writer.encoder.chunk->length);
	chunk_writer_release(&writer);
}

enum status trace_writer_event(struct trace_writer *trace, const struct draft_event *event)
{
	struct chunk_writer *writer = &trace->events;
	bool later = writer->last_end && writer->last_end <= event->start;
	uint32_t call;

	if (event->delay_before > UINT32_MAX || event->delay_inside > UINT32_MAX ||
	    event->blocked_before > UINT32_MAX)
		return fail("an event has more time without a CPU than 2^32 microseconds");
	TRY(make_room(writer, event_room(event), later ? writer->last_end : event->start));
	call = number_call(writer, event);
	if (event->polls)
		encode_polls(&writer->encoder, event->polls, event->busy);
	if (event->delay_before | event->delay_inside)
		encode_delay(&writer->encoder, (uint32_t)event->delay_before, (uint32_t)event->delay_inside);
	if (event->blocked_before)
		encode_blocked(&writer->encoder, (uint32_t)event->blocked_before);
	encode_event(&writer->encoder, call, event->start, event->end);
	writer->last_end = event->end;
	return OK;
}

enum status trace_writer_open_call(struct trace_writer *trace, const struct draft_event *call)
{
	struct chunk_writer *writer = &trace->events;

	TRY(make_room(writer, event_room(call), writer->last_end ? writer->last_end : call->start));
	encode_open_record(&writer->encoder, number_call(writer, call), call->start);
	return OK;
}

_Static_assert((int)SKIPPED_ROOM <= (int)EVENT_ROOM, "the room of an event is enough for skipped calls");

enum status trace_writer_skipped(struct trace_writer *trace, const struct draft_event *call, uint64_t count)
{
	struct chunk_writer *writer = &trace->events;

	TRY(make_room(writer, event_room(call), writer->last_end ? writer->last_end : call->start));
	encode_skipped(&writer->encoder, call->start, count, number_call(writer, call));
	return OK;
}

enum status trace_writer_summed(struct trace_writer *trace, const struct draft_event *call,
                                const struct call_sums *sums)
{
	struct chunk_writer *writer = &trace->events;

	TRY(make_room(writer, event_room(call) + SUMMED_ROOM, writer->last_end));
	encode_summed(&writer->encoder, number_call(writer, call), sums);
	return OK;
}

void chunk_writer_release(struct chunk_writer *writer)
{
	free(writer->memory);
	free(writer->encoder.successor);
	arena_release(&writer->arena);
	text_release(&writer->thread_name);
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

enum status trace_writer_open(struct trace_writer *writer, const char *path, size_t chunk_bytes)
{
	*writer = (struct trace_writer){0};
	TRY(output_open(&writer->output, path));
	writer->processes.arena = &writer->arena;
	writer->records = writer->events = (struct chunk_writer){
		.out = writer->output.file, .chunk_bytes = chunk_bytes, .sequence = &writer->sequence};
	return OK;
}

static void release(struct trace_writer *writer)
{
	chunk_writer_release(&writer->records);
	chunk_writer_release(&writer->events);
	arena_release(&writer->arena);
}

void trace_writer_discard(struct trace_writer *writer)
{
	output_discard(&writer->output);
	release(writer);
}

static enum status end_process(struct trace_writer *writer)
{
	TRY(chunk_writer_end(&writer->records));
	return chunk_writer_end(&writer->events);
}

enum status trace_writer_commit(struct trace_writer *writer)
{
	enum status status = end_process(writer);

	if (status == OK)
		status = output_commit(&writer->output);
	else
		output_discard(&writer->output);
	release(writer);
	return status;
}

enum status trace_writer_process(struct trace_writer *writer, uint64_t world, uint32_t rank)
{
	uint64_t identity[2] = {world, rank};
	uint64_t known = writer->processes.count;

	TRY(end_process(writer));
	if (intern(&writer->processes, identity, sizeof identity)->number != known)
		return fail("this process was described before");
	writer->has_process = true;
	writer->world = world;
	writer->rank = rank;
	writer->sequence = 0;
	chunk_writer_begin(&writer->records, world, rank, STREAM_PROCESS);
	return OK;
}

enum status trace_writer_record(struct trace_writer *writer, enum record_kind kind, const void *record)
{
	return chunk_writer_record(&writer->records, kind, record);
}

enum status trace_writer_mark(struct trace_writer *writer, enum record_kind kind, const void *record)
{
	return chunk_writer_record(writer->events.begun ? &writer->events : &writer->records, kind, record);
}

enum status trace_writer_property(struct trace_writer *writer, const char *key, const char *value)
{
	return trace_writer_record(writer, RECORD_PROPERTY, &(struct property){key, value});
}

enum status trace_writer_world(struct trace_writer *writer, uint64_t size, uint64_t run)
{
	return trace_writer_record(writer, RECORD_WORLD,
	                           &(struct world_record){writer->world, writer->rank, size, run});
}

enum status trace_writer_thread(struct trace_writer *writer, uint32_t number)
{
	if (writer->events.begun && writer->thread == number)
		return OK;
	TRY(chunk_writer_end(&writer->events));
	writer->thread = number;
	chunk_writer_begin(&writer->events, writer->world, writer->rank, number);
	return OK;
}

enum status trace_writer_bytes(struct trace_writer *writer, enum record_kind kind, const void *body,
                               size_t size)
{
	return chunk_writer_long(writer->events.begun ? &writer->events : &writer->records, kind, body, size);
}
