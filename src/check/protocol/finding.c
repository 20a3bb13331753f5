#include "check/protocol/finding.h"

#include "base/hash.h"
#include "calls/ids.h"

#include <stdlib.h>

enum { FIRST_ROOM = 256 };

void writer_release(struct message_writer *out)
{
	free(out->bytes);
	*out = (struct message_writer){0};
}

/* Room for `more` bytes behind what is there; NULL: none. */
static uint8_t *reserve(struct message_writer *out, size_t more)
{
	size_t room = out->room ? out->room : FIRST_ROOM;
	uint8_t *bytes;

	if (out->failed)
		return NULL;
	if (out->room - out->size >= more)
		return out->bytes + out->size;
	while (room - out->size < more && room <= SIZE_MAX / 2)
		room *= 2;
	bytes = room - out->size < more ? NULL : realloc(out->bytes, room);
	if (!bytes) {
		out->failed = true;
		return NULL;
	}
	out->bytes = bytes;
	out->room = room;
	return bytes + out->size;
}

void put_number(struct message_writer *out, uint64_t value)
{
	uint8_t *at = reserve(out, VARINT_MAX);

	if (at)
		out->size = (size_t)(put_varint(at, value) - out->bytes);
}

void put_integer(struct message_writer *out, int64_t value)
{
	put_number(out, zigzag(value));
}

void put_word(struct message_writer *out, uint64_t value)
{
	put_raw(out, &value, sizeof value);
}

void put_raw(struct message_writer *out, const void *bytes, size_t size)
{
	uint8_t *at = size ? reserve(out, size) : NULL;

	if (at)
		out->size = (size_t)(put_bytes(at, bytes, size) - out->bytes);
}

void put_text(struct message_writer *out, const char *text)
{
	size_t length = text ? strnlen(text, FINDING_TEXT_MAX) : 0;

	put_number(out, length);
	put_raw(out, text, length);
}

char *take_text(struct cursor *in)
{
	uint64_t length = take_varint(in);
	const uint8_t *bytes = length > FINDING_TEXT_MAX ? NULL : take_bytes(in, length);
	char *text;

	if (in->bad || !bytes || memchr(bytes, '\0', length)) {
		in->bad = true;
		return NULL;
	}
	text = malloc(length + 1);
	if (!text) {
		in->bad = true;
		return NULL;
	}
	memcpy(text, bytes, length);
	text[length] = '\0';
	return text;
}

uint32_t take_count(struct cursor *in, uint64_t most)
{
	uint64_t count = take_varint(in);

	/* Whatever is counted takes a byte at least: nobody is made to reserve memory for what is not there. */
	if (count > most || count > cursor_left(in) || count > UINT32_MAX) {
		in->bad = true;
		return 0;
	}
	return (uint32_t)count;
}

uint32_t take_u32(struct cursor *in)
{
	uint64_t value = take_varint(in);

	if (value > UINT32_MAX) {
		in->bad = true;
		return 0;
	}
	return (uint32_t)value;
}

void *take_memory(struct cursor *in, size_t count, size_t size)
{
	/* One more, so that none of no items is not mistaken for lack of memory. */
	void *memory = in->bad ? NULL : calloc(count + 1, size);

	if (!memory)
		in->bad = true;
	return memory;
}

/* Places and calls */

static void put_place(struct message_writer *out, const struct check_place *place)
{
	put_text(out, place->module);
	put_text(out, place->build_id);
	put_number(out, place->offset);
	put_number(out, place->line);
}

static void take_place(struct cursor *in, struct check_place *place)
{
	place->module = take_text(in);
	place->build_id = take_text(in);
	place->offset = take_varint(in);
	place->line = take_u32(in);
}

void call_put(struct message_writer *out, const struct check_call *call)
{
	uint32_t count = call->stack_count < FINDING_STACK_MAX ? call->stack_count : FINDING_STACK_MAX;

	put_word(out, call->world);
	put_number(out, call->rank);
	put_number(out, call->function);
	put_text(out, call->note);
	put_text(out, call->arguments);
	put_number(out, count);
	for (uint32_t i = 0; i < count; i++)
		put_place(out, &call->stack[i]);
}

bool call_take(struct cursor *in, struct check_call *call)
{
	*call = (struct check_call){.world = take_u64(in), .rank = take_u32(in), .function = take_u32(in)};
	if (call->function >= ALL_CALLS)
		in->bad = true;
	call->note = take_text(in);
	call->arguments = take_text(in);
	call->stack_count = take_count(in, FINDING_STACK_MAX);
	call->stack = take_memory(in, call->stack_count, sizeof *call->stack);
	for (uint32_t i = 0; i < call->stack_count && !in->bad; i++)
		take_place(in, &call->stack[i]);
	if (!in->bad)
		return true;
	call_release(call);
	return false;
}

void call_release(struct check_call *call)
{
	for (uint32_t i = 0; call->stack && i < call->stack_count; i++) {
		free((char *)call->stack[i].module);
		free((char *)call->stack[i].build_id);
	}
	free(call->stack);
	free((char *)call->note);
	free((char *)call->arguments);
	*call = (struct check_call){0};
}

static char *copy_text(const char *text)
{
	return strdup(text ? text : "");
}

bool call_copy(struct check_call *to, const struct check_call *from)
{
	bool whole;

	*to = *from;
	to->note = copy_text(from->note);
	to->arguments = copy_text(from->arguments);
	to->stack = calloc(from->stack_count + 1u, sizeof *to->stack);
	whole = to->note && to->arguments && to->stack;
	for (uint32_t i = 0; whole && i < from->stack_count; i++) {
		to->stack[i] = from->stack[i];
		to->stack[i].module = copy_text(from->stack[i].module);
		to->stack[i].build_id = copy_text(from->stack[i].build_id);
		whole = to->stack[i].module && to->stack[i].build_id;
	}
	if (!whole)
		call_release(to);
	return whole;
}

/* Findings */

/* Those of the calls that are put, as many as there may be. */
static void put_waits(struct message_writer *out, const struct check_finding *finding, uint32_t calls)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < finding->wait_count; i++)
		count += finding->waits[i].from < calls && finding->waits[i].to < calls;
	count = count < FINDING_WAITS_MAX ? count : FINDING_WAITS_MAX;
	put_number(out, count);
	for (const struct check_wait *wait = finding->waits; count; wait++) {
		if (wait->from >= calls || wait->to >= calls)
			continue;
		put_number(out, wait->from);
		put_number(out, wait->to);
		put_number(out, wait->is_one_of);
		put_text(out, wait->why);
		count--;
	}
}

void finding_put(struct message_writer *out, const struct check_finding *finding)
{
	uint32_t calls = finding->call_count, values = finding->value_count;

	calls = calls < FINDING_CALLS_MAX ? calls : FINDING_CALLS_MAX;
	values = values < FINDING_VALUES_MAX ? values : FINDING_VALUES_MAX;
	put_number(out, finding->check);
	put_number(out, finding->times);
	put_number(out, calls);
	for (uint32_t i = 0; i < calls; i++)
		call_put(out, &finding->calls[i]);
	put_number(out, values);
	for (uint32_t i = 0; i < values; i++) {
		put_text(out, finding->values[i].name);
		put_text(out, finding->values[i].text);
	}
	put_waits(out, finding, calls);
}

static void take_wait(struct cursor *in, uint32_t call_count, struct check_wait *wait)
{
	wait->from = take_u32(in);
	wait->to = take_u32(in);
	wait->is_one_of = take_u32(in);
	wait->why = take_text(in);
	if (wait->from >= call_count || wait->to >= call_count)
		in->bad = true;
}

struct check_finding *finding_take(struct cursor *in)
{
	struct check_finding *finding = calloc(1, sizeof *finding);

	if (!finding)
		return NULL;
	finding->check = take_u32(in);
	finding->times = take_varint(in);
	finding->call_count = take_count(in, FINDING_CALLS_MAX);
	finding->calls = take_memory(in, finding->call_count, sizeof *finding->calls);
	for (uint32_t i = 0; i < finding->call_count && !in->bad; i++)
		call_take(in, &finding->calls[i]);
	finding->value_count = take_count(in, FINDING_VALUES_MAX);
	finding->values = take_memory(in, finding->value_count, sizeof *finding->values);
	for (uint32_t i = 0; i < finding->value_count && !in->bad; i++) {
		finding->values[i].name = take_text(in);
		finding->values[i].text = take_text(in);
	}
	finding->wait_count = take_count(in, FINDING_WAITS_MAX);
	finding->waits = take_memory(in, finding->wait_count, sizeof *finding->waits);
	for (uint32_t i = 0; i < finding->wait_count && !in->bad; i++)
		take_wait(in, finding->call_count, &finding->waits[i]);
	if (!in->bad)
		return finding;
	finding_free(finding);
	return NULL;
}

void finding_free(struct check_finding *finding)
{
	if (!finding)
		return;
	for (uint32_t i = 0; finding->calls && i < finding->call_count; i++)
		call_release(&finding->calls[i]);
	for (uint32_t i = 0; finding->values && i < finding->value_count; i++) {
		free((char *)finding->values[i].name);
		free((char *)finding->values[i].text);
	}
	for (uint32_t i = 0; finding->waits && i < finding->wait_count; i++)
		free((char *)finding->waits[i].why);
	free(finding->calls);
	free(finding->values);
	free(finding->waits);
	free(finding);
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
	return hash_word(hash, hash_bytes(text ? text : "", text ? strlen(text) : 0));
}

uint64_t finding_identity(const struct check_finding *finding)
{
	uint64_t hash = hash_word(finding->check, finding->call_count);

	for (uint32_t i = 0; i < finding->call_count; i++) {
		const struct check_call *call = &finding->calls[i];
		hash = hash_text(hash_word(hash, call->function), call->note);
		hash = hash_word(hash, call->stack_count);
		for (uint32_t j = 0; j < call->stack_count; j++) {
			const struct check_place *place = &call->stack[j];
			hash = hash_text(hash_text(hash, place->module), place->build_id);
			hash = hash_word(hash_word(hash, place->offset), place->line);
		}
	}
	return hash;
}
