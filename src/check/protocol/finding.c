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

/* Room for `more` bytes; NULL: no memory. */
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

	/* Each item takes at least one byte, so damaged counts cannot cause large allocations. */
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
	/* One more, so that an empty list is not mistaken for lack of memory. */
	void *memory = in->bad ? NULL : calloc(count + 1, size);

	if (!memory)
		in->bad = true;
	return memory;
}

/* Fields */

static void put_flags(struct message_writer *out, const bool *flags, uint32_t count)
{
	uint64_t bits = 0;

	for (uint32_t i = 0; i < count; i++)
		bits |= (uint64_t)flags[i] << i;
	put_number(out, bits);
}

void fields_put(struct message_writer *out, const struct wire_field *field, /* NOLINT(misc-no-recursion) */
                const void *object)
{
	for (; field->kind; field++) {
		const uint8_t *at = (const uint8_t *)object + field->at;
		uint32_t count = field->most;
		const uint8_t *items = at;

		switch (field->kind) {
		case WIRE_U32:
			put_number(out, *(const uint32_t *)at);
			break;
		case WIRE_I32:
			put_integer(out, *(const int32_t *)at);
			break;
		case WIRE_NUMBER:
			put_number(out, *(const uint64_t *)at);
			break;
		case WIRE_INTEGER:
			put_integer(out, *(const int64_t *)at);
			break;
		case WIRE_WORD:
			put_word(out, *(const uint64_t *)at);
			break;
		case WIRE_TEXT:
			put_text(out, *(const char *const *)at);
			break;
		case WIRE_FLAGS:
			put_flags(out, (const bool *)at, count);
			break;
		default:
			if (field->kind == WIRE_LIST) {
				const uint32_t there = *(const uint32_t *)((const uint8_t *)object +
				                                           field->count_at);
				count = there < count ? there : count;
				items = *(const uint8_t *const *)at;
				put_number(out, count);
			}
			for (uint32_t i = 0; i < count; i++)
				fields_put(out, field->items, items + (size_t)i * field->size);
		}
	}
}

static void take_flags(struct cursor *in, bool *flags, uint32_t count)
{
	const uint32_t bits = take_u32(in);

	for (uint32_t i = 0; i < count; i++)
		flags[i] = bits >> i & 1;
}

int32_t take_i32(struct cursor *in)
{
	int64_t value = take_signed(in);

	if (value < INT32_MIN || value > INT32_MAX)
		in->bad = true;
	return (int32_t)value;
}

bool fields_take(struct cursor *in, const struct wire_field *field, /* NOLINT(misc-no-recursion) */
                 void *object)
{
	for (; field->kind && !in->bad; field++) {
		uint8_t *at = (uint8_t *)object + field->at, *items = at;
		uint32_t count = field->most;

		switch (field->kind) {
		case WIRE_U32:
			*(uint32_t *)at = take_u32(in);
			break;
		case WIRE_I32:
			*(int32_t *)at = take_i32(in);
			break;
		case WIRE_NUMBER:
			*(uint64_t *)at = take_varint(in);
			break;
		case WIRE_INTEGER:
			*(int64_t *)at = take_signed(in);
			break;
		case WIRE_WORD:
			*(uint64_t *)at = take_u64(in);
			break;
		case WIRE_TEXT:
			*(char **)at = take_text(in);
			break;
		case WIRE_FLAGS:
			take_flags(in, (bool *)at, count);
			break;
		default:
			if (field->kind == WIRE_LIST) {
				count = take_count(in, count);
				items = *(uint8_t **)at = take_memory(in, count, field->size);
				count = items ? count : 0;
				*(uint32_t *)((uint8_t *)object + field->count_at) = count;
			}
			for (uint32_t i = 0; i < count && !in->bad; i++)
				fields_take(in, field->items, items + (size_t)i * field->size);
		}
	}
	return !in->bad;
}

void fields_release(const struct wire_field *field, void *object) /* NOLINT(misc-no-recursion) */
{
	for (; field->kind; field++) {
		uint8_t *at = (uint8_t *)object + field->at, *items = at;
		uint32_t count = field->most, *counted = (uint32_t *)((uint8_t *)object + field->count_at);

		if (field->kind == WIRE_TEXT) {
			free(*(char **)at);
			*(char **)at = NULL;
		}
		if (field->kind < WIRE_STRUCT)
			continue;
		if (field->kind == WIRE_LIST) {
			items = *(uint8_t **)at;
			count = *counted;
		}
		for (uint32_t i = 0; items && i < count; i++)
			fields_release(field->items, items + (size_t)i * field->size);
		if (field->kind == WIRE_LIST) {
			free(items);
			*(uint8_t **)at = NULL;
			*counted = 0;
		}
	}
}

/* Calls */

static const struct wire_field place_fields[] = {
	FIELD(TEXT, check_place, module), FIELD(TEXT, check_place, build_id),
	FIELD(NUMBER, check_place, offset), FIELD(U32, check_place, line), FIELDS_END};
const struct wire_field call_fields[] = {
	FIELD(WORD, check_call, world),
	FIELD(U32, check_call, rank),
	FIELD(U32, check_call, function),
	FIELD(TEXT, check_call, note),
	FIELD(TEXT, check_call, arguments),
	FIELD_LIST(check_call, stack, stack_count, FINDING_STACK_MAX, place_fields),
	FIELDS_END};

void call_put(struct message_writer *out, const struct check_call *call)
{
	fields_put(out, call_fields, call);
}

bool call_take(struct cursor *in, struct check_call *call)
{
	*call = (struct check_call){0};
	if (fields_take(in, call_fields, call) && call->function < ALL_CALLS)
		return true;
	in->bad = true;
	call_release(call);
	return false;
}

void call_release(struct check_call *call)
{
	fields_release(call_fields, call);
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

static const struct wire_field value_fields[] = {FIELD(TEXT, check_value, name),
                                                 FIELD(TEXT, check_value, text), FIELDS_END};
static const struct wire_field wait_fields[] = {FIELD(U32, check_wait, from), FIELD(U32, check_wait, to),
                                                FIELD_FLAGS(check_wait, is_one_of, 1),
                                                FIELD(TEXT, check_wait, why), FIELDS_END};
static const struct wire_field finding_fields[] = {
	FIELD(U32, check_finding, check), FIELD(NUMBER, check_finding, times),
	FIELD_LIST(check_finding, calls, call_count, FINDING_CALLS_MAX, call_fields),
	FIELD_LIST(check_finding, values, value_count, FINDING_VALUES_MAX, value_fields), FIELDS_END};
static const struct wire_field finding_waits_fields[] = {
	FIELD_LIST(check_finding, waits, wait_count, FINDING_WAITS_MAX, wait_fields), FIELDS_END};

void finding_put(struct message_writer *out, const struct check_finding *finding)
{
	const uint32_t calls = finding->call_count < FINDING_CALLS_MAX ? finding->call_count
	                                                               : FINDING_CALLS_MAX;
	uint32_t count = 0;

	fields_put(out, finding_fields, finding);
	/* Only waits between calls that were put. */
	for (uint32_t i = 0; i < finding->wait_count; i++)
		count += finding->waits[i].from < calls && finding->waits[i].to < calls;
	count = count < FINDING_WAITS_MAX ? count : FINDING_WAITS_MAX;
	put_number(out, count);
	for (const struct check_wait *wait = finding->waits; count; wait++)
		if (wait->from < calls && wait->to < calls) {
			fields_put(out, wait_fields, wait);
			count--;
		}
}

struct check_finding *finding_take(struct cursor *in)
{
	struct check_finding *finding = calloc(1, sizeof *finding);
	bool right = finding && fields_take(in, finding_fields, finding) &&
	             fields_take(in, finding_waits_fields, finding);

	for (uint32_t i = 0; right && i < finding->call_count; i++)
		right = finding->calls[i].function < ALL_CALLS;
	for (uint32_t i = 0; right && i < finding->wait_count; i++)
		right = finding->waits[i].from < finding->call_count &&
		        finding->waits[i].to < finding->call_count;
	if (right)
		return finding;
	in->bad |= finding != NULL;
	finding_free(finding);
	return NULL;
}

void finding_free(struct check_finding *finding)
{
	if (!finding)
		return;
	fields_release(finding_fields, finding);
	fields_release(finding_waits_fields, finding);
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
