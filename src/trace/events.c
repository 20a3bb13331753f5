#include "base/files.h"
#include "base/memory.h"
#include "trace/decode.h"
#include "trace/decoded.h"
#include "trace/process.h"
#include "trace/reader.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void event_iter_release(struct event_iter *iter)
{
	free(iter->calls);
	free(iter->names);
	free(iter->sites);
	free(iter->paths);
	free(iter->skipped);
	free(iter->window);
	decoded_free(iter->recorded);
	*iter = (struct event_iter){0};
}

void reader_events(struct reader *reader, struct stream *stream, struct event_iter *iter)
{
	*iter = (struct event_iter){.reader = reader,
	                            .stream = stream,
	                            .is_interrupted = stream && (stream->loss_count || stream->pause_count)};
}

static const uint8_t *chunk_end(const struct event_iter *iter)
{
	return iter->chunk->payload + iter->chunk->length;
}

static const uint8_t *copied(struct event_iter *iter, const uint8_t *place, size_t size)
{
	struct part *part = iter->chunk->part;

	if (!iter->window)
		iter->window = memory_grow(NULL, iter->reader->window, 1);
	if (part->file >= 0 && pread_fully(part->file, iter->window, size, place - part->bytes))
		return iter->window;
	part_touch(iter->reader, part, place);
	return memcpy(iter->window, place, size);
}

/* Continues at a place in the chunk. */
static void go_on_at(struct event_iter *iter, const uint8_t *place)
{
	size_t left = (size_t)(chunk_end(iter) - place), window = iter->reader->window;

	assert(place);
	if (window) {
		left = left < window ? left : window;
		iter->at = copied(iter, place, left);
	} else {
		part_touch(iter->reader, iter->chunk->part, place);
		iter->at = place;
	}
	iter->end = iter->at + left;
	iter->rest = place + left;
}

/* The window may be too short for the next event, and the chunk has more bytes. */
static bool runs_low(const struct event_iter *iter)
{
	return iter->end - iter->at < EVENT_MAX && iter->rest < chunk_end(iter);
}

/* Nothing of this chunk will be noted again. */
static void end_notes(struct chunk *chunk)
{
	if (chunk->noted <= chunk->length)
		chunk->noted = chunk->length + 1;
}

bool chunk_give_up(struct event_iter *iter, const char *format, ...)
{
	struct chunk *chunk = iter->chunk;
	uint32_t place = event_iter_place(iter);
	uint32_t rest = chunk->length - place;
	char what[256];
	va_list args;

	va_start(args, format);
	vsnprintf(what, sizeof what, format, args);
	va_end(args);
	if (place >= chunk->noted)
		note_damage(iter->reader, chunk->part, chunk->offset, rest, "%s: %s; %u bytes skipped",
		            name_chunk(iter->reader, chunk), what, rest);
	end_notes(chunk);
	iter->damaged += rest;
	go_on_at(iter, chunk->payload + chunk->length);
	return false;
}

static void check_event_count(struct event_iter *iter)
{
	struct chunk *chunk = iter->chunk;

	if (chunk->sealed && iter->events != chunk->events && chunk->noted <= chunk->length)
		note_damage(iter->reader, chunk->part, chunk->offset, 0,
		            "%s: its header counts %u events, but it has %u", name_chunk(iter->reader, chunk),
		            chunk->events, iter->events);
	end_notes(chunk);
}

static void take_shape(struct event_iter *iter);

static bool open_next_chunk(struct event_iter *iter)
{
	bool is_known;

	if (!iter->stream) /* it was at the end before */
		return false;
	is_known = iter->reader->is_read_through;
	if (iter->chunk) {
		const struct chunk *chunk = iter->chunk;
		check_event_count(iter);
		if (iter->recorded)
			decoded_keep(iter);
		if (!is_known) {
			iter->stream->call_count = iter->call_count;
			iter->stream->name_count = iter->name_count;
			iter->stream->site_count = iter->site_count;
			chunk_keep_calls(iter);
		}
		if (!iter->reader->window)
			part_release(chunk->part, chunk->offset, (uint64_t)(iter->rest - chunk->part->bytes));
	}
	if (iter->next_chunk == iter->stream->chunk_count) {
		if (!is_known)
			iter->stream->open = iter->open;
		event_iter_release(iter);
		return false;
	}
	iter->chunk = &iter->stream->chunks[iter->next_chunk++];
	go_on_at(iter, iter->chunk->payload);
	iter->last = NO_CALL;
	iter->last_end = iter->chunk->base_tick;
	iter->polls = iter->busy = 0;
	iter->delay_before = iter->delay_inside = iter->blocked_before = 0;
	iter->events = iter->order_at = 0;
	iter->next_ordered = UINT32_MAX;
	iter->damaged = 0;
	iter->looked_for_open = false;
	iter->open.call = NULL;
	iter->call_count = iter->name_count = iter->site_count = iter->path_count = 0;
	iter->decoded = iter->chunk->decoded;
	iter->decoded_at = iter->stop_at = 0;
	if (iter->reader->decoded_room)
		decoded_begin(iter);
	if (iter->chunk->shape)
		take_shape(iter);
	return true;
}

static bool find_body(struct cursor *cursor, struct cursor *body, uint8_t *kind);
static bool take_definition(struct event_iter *iter, uint8_t kind, struct cursor *body);

/* Takes the definitions that the chunk shares with others. */
static void take_shape(struct event_iter *iter)
{
	const struct chunk_shape *shape = iter->chunk->shape;
	struct cursor table = {shape->table, shape->table + shape->table_length, false}, body;
	uint8_t kind;

	while (cursor_left(&table)) {
		if (!find_body(&table, &body, &kind)) {
			chunk_give_up(iter, "its table is damaged");
			return;
		}
		if (!take_definition(iter, kind, &body))
			return;
	}
	if (shape->order_count)
		iter->next_ordered = shape->order[0].event;
}

static void take_open_call(struct event_iter *iter);

static bool read_more(struct event_iter *iter)
{
	if (iter->chunk && iter->follows && !runs_low(iter))
		return false;
	if (!iter->chunk || !runs_low(iter)) {
		take_open_call(iter);
		return open_next_chunk(iter);
	}
	go_on_at(iter, iter->rest - (iter->end - iter->at));
	return true;
}

static bool take_time(struct event_iter *iter, struct cursor *body)
{
	iter->last_end = take_varint(body);
	return true;
}

static bool take_polls(struct event_iter *iter, struct cursor *body)
{
	iter->polls = take_varint(body);
	iter->busy = take_varint(body);
	if (!body->bad && !iter->polls)
		return chunk_give_up(iter, "a record of polls has the count 0");
	return true;
}

static bool take_delay(struct event_iter *iter, struct cursor *body)
{
	uint64_t before = take_varint(body), inside = take_varint(body);

	if (!body->bad && (before > UINT32_MAX || inside > UINT32_MAX || !(before | inside)))
		return chunk_give_up(iter, "a record of scheduling delay has none, or more than an hour");
	iter->delay_before = (uint32_t)before;
	iter->delay_inside = (uint32_t)inside;
	if (!iter->stream->has_delays)
		iter->stream->has_delays = true;
	return true;
}

static bool take_blocked(struct event_iter *iter, struct cursor *body)
{
	uint64_t before = take_varint(body);

	if (!body->bad && (before > UINT32_MAX || !before))
		return chunk_give_up(iter, "a record of time in the kernel has none, or more than an hour");
	iter->blocked_before = (uint32_t)before;
	return true;
}

static bool take_overhead(struct event_iter *iter, struct cursor *body)
{
	union any_record record;
	uint64_t ns;

	if (take_record(iter->reader, NULL, RECORD_OVERHEAD, body, &record))
		return true;
	ns = record.overhead.ns;
	iter->tool_ns = ns < UINT64_MAX - iter->tool_ns ? iter->tool_ns + ns : UINT64_MAX;
	if (!iter->stream->has_overhead)
		iter->stream->has_overhead = true;
	return true;
}

/* False: the record was noted before, or is damaged. */
static bool take_mark(struct event_iter *iter, enum record_kind kind, struct cursor *body,
                      union any_record *record)
{
	uint32_t place = event_iter_place(iter);

	if (place < iter->chunk->noted || take_record(iter->reader, NULL, kind, body, record))
		return false;
	iter->is_interrupted = true;
	iter->chunk->noted = place + 1;
	return true;
}

static bool take_loss(struct event_iter *iter, struct cursor *body)
{
	struct stream *stream = iter->stream;
	union any_record record;

	if (take_mark(iter, RECORD_LOSS, body, &record))
		arena_add(&stream->process->arena, stream->losses, stream->loss_count, record.loss);
	return true;
}

static bool take_pause(struct event_iter *iter, struct cursor *body)
{
	struct stream *stream = iter->stream;
	union any_record record;

	if (take_mark(iter, RECORD_PAUSE, body, &record))
		arena_add(&stream->process->arena, stream->pauses, stream->pause_count, record.pause);
	return true;
}

static void set_open(struct event_iter *iter, uint32_t call, uint64_t start)
{
	iter->open = (struct open_call){iter->stream->process->calls.items[iter->calls[call].id], start};
}

static bool take_open(struct event_iter *iter, struct cursor *body)
{
	uint64_t call = take_varint(body), start = take_varint(body);

	if (body->bad)
		return true;
	if (call >= iter->call_count)
		return chunk_give_up(iter, "the open call is call %llu, but only %u are defined",
		                     (unsigned long long)call, iter->call_count);
	set_open(iter, (uint32_t)call, start);
	return true;
}

static bool take_skipped_body(struct event_iter *iter, struct cursor *body, struct skipped_calls *skipped)
{
	uint64_t call;

	skipped->tick = take_varint(body);
	skipped->count = take_varint(body);
	call = take_varint(body);
	if (body->bad)
		return true;
	if (!skipped->count)
		return chunk_give_up(iter, "a record of skipped calls has the count 0");
	if (call >= iter->call_count)
		return chunk_give_up(iter, "skipped calls are of call %llu, but only %u are defined",
		                     (unsigned long long)call, iter->call_count);
	skipped->call = iter->stream->process->calls.items[iter->calls[call].id];
	return true;
}

static bool take_skipped(struct event_iter *iter, struct cursor *body)
{
	struct skipped_calls skipped;

	if (!take_skipped_body(iter, body, &skipped))
		return false;
	if (body->bad || !iter->keeps_skipped)
		return true;
	iter->skipped = definition_room(iter->skipped, iter->skipped_count, &iter->skipped_room, 0,
	                                sizeof *iter->skipped);
	iter->skipped[iter->skipped_count++] = skipped;
	iter->is_interrupted = true;
	return true;
}

static bool take_summed_body(struct event_iter *iter, struct cursor *body, struct summed_calls *summed)
{
	struct call_sums *sums = &summed->sums;
	uint64_t call = take_varint(body);

	sums->count = take_u64(body);
	sums->inside = take_u64(body);
	sums->shortest = take_u64(body);
	sums->longest = take_u64(body);
	sums->sent = take_u64(body);
	sums->received = take_u64(body);
	if (body->bad)
		return true;
	if (call >= iter->call_count)
		return chunk_give_up(iter, "sums are of call %llu, but only %u are defined",
		                     (unsigned long long)call, iter->call_count);
	summed->call = iter->stream->process->calls.items[iter->calls[call].id];
	return true;
}

static bool take_summed(struct event_iter *iter, struct cursor *body)
{
	struct stream *stream = iter->stream;
	uint32_t place = event_iter_place(iter);
	struct summed_calls summed;

	if (!take_summed_body(iter, body, &summed))
		return false;
	if (body->bad || place < iter->chunk->noted)
		return true;
	iter->chunk->noted = place + 1;
	if (summed.sums.count)
		arena_add(&stream->process->arena, stream->summed, stream->summed_count, summed);
	return true;
}

/* Only checks the record. reader_next_item() returns it. */
static bool take_thread(struct event_iter *iter, struct cursor *body)
{
	union any_record record;

	take_record(iter->reader, NULL, RECORD_THREAD, body, &record);
	return true;
}

static const struct {
	const char *name;
	bool (*take)(struct event_iter *iter, struct cursor *body);
} kinds[KIND_MASK + 1] = {
	[RECORD_NAME] = {"name", take_name},
	[RECORD_SITE] = {"site", take_site},
	[RECORD_CALL] = {"call", take_call},
	[RECORD_TIME] = {"time", take_time},
	[RECORD_POLLS] = {"polls", take_polls},
	[RECORD_LOSS] = {"loss", take_loss},
	[RECORD_PATH] = {"path", take_path},
	[RECORD_THREAD] = {"thread", take_thread},
	[RECORD_PAUSE] = {"pause", take_pause},
	[RECORD_DELAY] = {"delay", take_delay},
	[RECORD_OVERHEAD] = {"overhead", take_overhead},
	[RECORD_OPEN] = {"open", take_open},
	[RECORD_SKIPPED] = {"skipped", take_skipped},
	[RECORD_LIKE] = {"like", take_like},
	[RECORD_SUMMED] = {"summed", take_summed},
	[RECORD_BLOCKED] = {"blocked", take_blocked},
};

static bool find_body(struct cursor *cursor, struct cursor *body, uint8_t *kind)
{
	uint64_t size;

	*kind = *cursor->at++ & KIND_MASK;
	size = take_varint(cursor);
	*body = (struct cursor){.at = cursor->at};
	if (!take_bytes(cursor, size))
		return false;
	body->end = cursor->at;
	return true;
}

static bool take_definition(struct event_iter *iter, uint8_t kind, struct cursor *body)
{
	switch (kind) {
	case RECORD_NAME:
	case RECORD_SITE:
	case RECORD_PATH:
	case RECORD_CALL:
	case RECORD_LIKE:
		return kinds[kind].take(iter, body) &&
		       (!body->bad || chunk_give_up(iter, "its table is damaged"));
	default:
		return true;
	}
}

/* Reads the CALL or LIKE record after the payload of an open chunk. The end of the file may cut it. */
static bool take_undefined_call(struct event_iter *iter, const uint8_t *place, size_t size)
{
	struct cursor cursor = {place, place + size, false}, body;
	uint8_t kind;

	if (!cursor_left(&cursor) || *place < HEAD_LONG || !find_body(&cursor, &body, &kind) ||
	    (kind != RECORD_CALL && kind != RECORD_LIKE))
		return chunk_give_up(iter, "the open call has no description");
	return kinds[kind].take(iter, &body) &&
	       (!body.bad || chunk_give_up(iter, "the open call is cut short"));
}

/* Restores the iterator, because the next record may define the same number differently. */
const struct call *reader_describe_call(struct event_iter *iter, const uint8_t *record, size_t size)
{
	const uint32_t before = iter->call_count;
	const uint32_t successor = iter->last == NO_CALL ? NO_CALL : iter->calls[iter->last].successor;
	const struct call *call = NULL;

	if (take_undefined_call(iter, record, size))
		call = iter->stream->process->calls.items[iter->calls[before].id];
	iter->call_count = before;
	if (iter->last != NO_CALL)
		iter->calls[iter->last].successor = successor;
	return call;
}

/* Finds the open call at the end of an unsealed chunk. */
static void take_open_call(struct event_iter *iter)
{
	const struct chunk *chunk = iter->chunk;
	uint32_t number;

	if (!chunk || iter->looked_for_open || !chunk->open_call)
		return;
	iter->looked_for_open = true;
	if (chunk->open_call == (uint32_t)OPEN_CALL_UNDEFINED) {
		if (!take_undefined_call(iter, chunk_end(iter), chunk->after_payload))
			return;
		number = iter->call_count - 1;
	} else {
		number = chunk->open_call - 1;
	}
	if (number >= iter->call_count)
		chunk_give_up(iter, "the open call is call %u, but only %u are defined", number,
		              iter->call_count);
	else
		set_open(iter, number, chunk->open_start);
}

/* Reads a long record and moves the iterator after it. False: the rest of the chunk was skipped. */
static bool take_long(struct event_iter *iter, struct cursor *body, uint8_t *kind)
{
	struct cursor cursor = {iter->at, iter->end, false};

	if (iter->recorded)
		decoded_add_record(iter, event_iter_place(iter));
	if (!find_body(&cursor, body, kind)) {
		cursor = (struct cursor){iter->rest - (iter->end - iter->at), chunk_end(iter), false};
		if (!find_body(&cursor, body, kind))
			return chunk_give_up(iter, "a record of kind %u reaches beyond the payload's end",
			                     *kind);
	}
	if (kinds[*kind].take) {
		struct cursor parsed = *body;
		if (!kinds[*kind].take(iter, &parsed))
			return false;
		if (parsed.bad)
			return chunk_give_up(iter, "a record of kind %u (%s) is too short", *kind,
			                     kinds[*kind].name);
	}
	if (cursor.end == iter->end)
		iter->at = cursor.at;
	else
		go_on_at(iter, cursor.at);
	return true;
}

/* The state that changes with each event. Local variables hold it, because most of the reading time is spent here. */
struct event_state {
	struct cursor bytes;
	struct defined *calls;
	uint32_t call_count;
	uint32_t last;
	uint64_t last_end;
	uint32_t events, next_ordered;
	uint8_t version;
};

/* The call of the next event, which no earlier event predicts. */
static uint32_t take_ordered(struct event_iter *iter)
{
	const struct chunk_shape *shape = iter->chunk->shape;
	uint32_t call = shape->order[iter->order_at++].call;

	iter->next_ordered = iter->order_at < shape->order_count ? shape->order[iter->order_at].event
	                                                         : UINT32_MAX;
	return call;
}

/* The call of the next event: the one that followed the last call before, unless the trace has another one. */
PART_OF_LOOP uint64_t take_call_of_event(struct event_iter *iter, struct event_state *state, bool is_whole,
                                         bool predicted)
{
	const bool is_ordered = predicted && state->events == state->next_ordered;
	uint64_t call;

	if (__builtin_expect(predicted && !is_ordered, 1))
		return state->last == NO_CALL ? NO_CALL : state->calls[state->last].successor;
	call = is_ordered ? take_ordered(iter) : take_quick_varint(&state->bytes, is_whole);
	state->next_ordered = iter->next_ordered;
	if (state->last != NO_CALL && call < state->call_count)
		state->calls[state->last].successor = (uint32_t)call;
	return call;
}

/* Takes an event's head, call, gap and duration. False: it is damaged, or its time exceeds 64 bits. */
PART_OF_LOOP bool take_event(struct event_iter *iter, struct event_state *state, bool is_whole,
                             uint64_t *call, struct event *event)
{
	const uint8_t head = *state->bytes.at++;
	const bool predicted = head < HEAD_EXPLICIT;
	uint64_t gap, duration, start, end;

	*call = take_call_of_event(iter, state, is_whole, predicted);
	if (predicted && head >= HEAD_SHORT && state->version != 1)
		take_packed(&state->bytes, is_whole, head, &gap, &duration);
	else
		take_times(&state->bytes, state->version, is_whole, head, &gap, &duration);
	start = state->last_end + gap;
	end = start + duration;
	if (__builtin_expect(state->bytes.bad || *call >= state->call_count || start < state->last_end ||
	                             end < start,
	                     0))
		return false;
	*event = (struct event){.start = start, .end = end, .id = state->calls[*call].id};
	state->last = (uint32_t)*call;
	state->last_end = end;
	state->events++;
	return true;
}

static void bad_event(struct event_iter *iter, const struct event_state *state, bool predicted, uint64_t call)
{
	if (state->bytes.bad)
		chunk_give_up(iter, "an event is cut short");
	else if (predicted && call == NO_CALL)
		chunk_give_up(iter, "event %u is predicted, but nothing predicts it", iter->events);
	else if (call >= iter->call_count)
		chunk_give_up(iter, "event %u is of call %u, but only %u are defined", iter->events,
		              call > NO_CALL ? NO_CALL : (uint32_t)call, iter->call_count);
	else
		chunk_give_up(iter, "the time of event %u exceeds 64 bits", iter->events);
}

/* The first event gets the values of the records before it. */
static void add_earlier_records(struct event_iter *iter, struct event *event)
{
	/* In microseconds. Resets the sum. */
	uint64_t us = (iter->tool_ns + 500) / 1000;

	event->polls = iter->polls;
	event->busy = iter->busy;
	event->delay_before = iter->delay_before;
	event->delay_inside = iter->delay_inside;
	event->blocked_before = iter->blocked_before;
	event->tool_before = us < UINT32_MAX ? (uint32_t)us : UINT32_MAX;
	iter->tool_ns = 0;
	iter->polls = iter->busy = 0;
	iter->delay_before = iter->delay_inside = iter->blocked_before = 0;
	iter->open.call = NULL;
}

/* Takes events up to the next long record, at most `most`. Returns 0 if the first is damaged. */
static uint32_t take_events(struct event_iter *iter, struct event *events, uint32_t most)
{
	const struct call *const *known = iter->stream->process->calls.items;
	struct event_state state = {.bytes = {iter->at, iter->end, false},
	                            .calls = iter->calls,
	                            .call_count = iter->call_count,
	                            .last = iter->last,
	                            .last_end = iter->last_end,
	                            .events = iter->events,
	                            .next_ordered = iter->next_ordered,
	                            .version = iter->chunk->version};
	const bool has_more = iter->rest < chunk_end(iter);
	const uint8_t *begun = state.bytes.at;
	const uint64_t last_end = iter->last_end;
	uint32_t count = 0;
	uint64_t call = NO_CALL;
	bool is_good = true;

	while (count < most) {
		const bool is_whole = cursor_left(&state.bytes) >= EVENT_MAX;
		/* The last events of a window are taken with the next one. */
		if (!is_whole && (!cursor_left(&state.bytes) || (count && has_more)))
			break;
		begun = state.bytes.at;
		if (*begun >= HEAD_LONG)
			break;
		is_good = is_whole ? take_event(iter, &state, true, &call, &events[count])
		                   : take_event(iter, &state, false, &call, &events[count]);
		if (!is_good)
			break;
		events[count].call = known[events[count].id];
		count++;
	}
	iter->at = is_good ? state.bytes.at : begun;
	iter->last = state.last;
	iter->last_end = state.last_end;
	iter->events = state.events;
	if (!is_good)
		bad_event(iter, &state, *begun < HEAD_EXPLICIT, call);
	if (count && iter->recorded)
		decoded_add(iter, events, count, last_end);
	if (count)
		add_earlier_records(iter, events);
	return count;
}

/* Takes the records before the next event of a decoded chunk. */
static void take_records(struct event_iter *iter)
{
	struct cursor body;
	uint8_t kind;

	go_on_at(iter, iter->chunk->payload + iter->decoded->stops.items[iter->stop_at++].place);
	if (iter->stop_at == iter->decoded->stops.count)
		iter->decoded = NULL;
	while (iter->decoded) {
		if (runs_low(iter))
			go_on_at(iter, iter->rest - (iter->end - iter->at));
		if (iter->at == iter->end || *iter->at < HEAD_LONG)
			return;
		if (!take_long(iter, &body, &kind))
			iter->decoded = NULL;
	}
}

/* The same as take_events(), of a decoded chunk. Returns 0 after its last event. */
static uint32_t take_decoded(struct event_iter *iter, struct event *events, uint32_t most)
{
	const struct call *const *known = iter->stream->process->calls.items;
	const struct decoded_event *from;
	uint64_t end;
	uint32_t left;

	while (iter->decoded && iter->decoded_at == iter->decoded->stops.items[iter->stop_at].event)
		take_records(iter);
	if (!iter->decoded)
		return 0;
	from = &iter->decoded->events[iter->decoded_at];
	left = iter->decoded->stops.items[iter->stop_at].event - iter->decoded_at;
	most = left < most ? left : most;
	end = iter->last_end;
	for (uint32_t i = 0; i < most; i++) {
		const uint64_t start = end + from[i].gap;
		end = start + from[i].duration;
		events[i] = (struct event){
			.start = start, .end = end, .call = known[from[i].id], .id = from[i].id};
	}
	iter->last_end = end;
	iter->events += most;
	iter->decoded_at += most;
	add_earlier_records(iter, events);
	return most;
}

uint32_t reader_next_many(struct event_iter *iter, struct event *events, uint32_t most)
{
	struct cursor body;
	uint8_t kind;

	for (;;) {
		if (iter->decoded) {
			uint32_t count = take_decoded(iter, events, most);
			if (count)
				return count;
		} else if (!iter->chunk || iter->at == iter->end || runs_low(iter)) {
			if (!read_more(iter))
				return 0;
		} else if (*iter->at >= HEAD_LONG) {
			take_long(iter, &body, &kind);
		} else {
			uint32_t count = take_events(iter, events, most);
			if (count)
				return count;
		}
	}
}

bool reader_next(struct event_iter *iter, struct event *event)
{
	return reader_next_many(iter, event, 1);
}

static void show_long(struct event_iter *iter, uint8_t kind, struct cursor body, struct item *item)
{
	item->kind = kind;
	item->body = body.at;
	item->size = cursor_left(&body);
	if (kind == RECORD_SKIPPED)
		take_skipped_body(iter, &body, &item->skipped);
	else if (kind == RECORD_SUMMED)
		take_summed_body(iter, &body, &item->summed);
	else if (kind == RECORD_OPEN)
		item->open = iter->open;
	else if (kinds[kind].take)
		take_record(iter->reader, NULL, kind, &body, &item->record);
}

static bool is_shown(uint8_t kind)
{
	return !kinds[kind].take || record_layouts[kind].members || kind == RECORD_SKIPPED ||
	       kind == RECORD_SUMMED || kind == RECORD_OPEN;
}

/* Returns the open call at the end of an unsealed chunk. */
static bool show_open_call(struct event_iter *iter, struct item *item)
{
	if (!iter->chunk || iter->looked_for_open || runs_low(iter))
		return false;
	take_open_call(iter);
	if (!iter->looked_for_open || !iter->open.call)
		return false;
	item->kind = RECORD_OPEN;
	item->open = iter->open;
	item->size = 0;
	return true;
}

bool reader_next_item(struct event_iter *iter, struct item *item)
{
	struct cursor body;
	uint8_t kind;

	for (;;) {
		if (!iter->chunk || iter->at == iter->end || runs_low(iter)) {
			if (show_open_call(iter, item))
				return true;
			if (!read_more(iter))
				return false;
		} else if (*iter->at >= HEAD_LONG) {
			if (take_long(iter, &body, &kind) && is_shown(kind)) {
				show_long(iter, kind, body, item);
				return true;
			}
		} else if (take_events(iter, &item->event, 1)) {
			item->kind = ITEM_EVENT;
			return true;
		}
	}
}
