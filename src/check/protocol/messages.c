#include "check/protocol/messages.h"

#include "calls/ids.h"

#include <stdlib.h>

static const struct wire_field hello_fields[] = {
	FIELD(U32, check_hello, role),     FIELD(WORD, check_hello, world),
	FIELD(U32, check_hello, rank),     FIELD(U32, check_hello, size),
	FIELD(U32, check_hello, pid),      FIELD(TEXT, check_hello, host),
	FIELD(TEXT, check_hello, address), FIELDS_END};
static const struct wire_field rank_fields[] = {{WIRE_I32, 0, 0, 1, 0, NULL}, FIELDS_END};
static const struct wire_field integer_fields[] = {{WIRE_INTEGER, 0, 0, 1, 0, NULL}, FIELDS_END};
static const struct wire_field comm_fields[] = {
	FIELD(WORD, checked_comm, identity),
	FIELD(U32, checked_comm, rank),
	FIELD(U32, checked_comm, size),
	FIELD(U32, checked_comm, remote_size),
	FIELD(U32, checked_comm, side),
	FIELD(TEXT, checked_comm, name),
	FIELD_LIST(checked_comm, sources, source_count, FRAME_BYTES_MAX, rank_fields),
	FIELD_LIST(checked_comm, dests, dest_count, FRAME_BYTES_MAX, rank_fields),
	FIELDS_END};
static const struct wire_field part_fields[] = {FIELD(U32, checked_type_part, type),
                                                FIELD(NUMBER, checked_type_part, times), FIELDS_END};
static const struct wire_field type_fields[] = {FIELD(U32, checked_type, number),
                                                FIELD(U32, checked_type, basic), FIELDS_END};
static const struct wire_field basic_type_fields[] = {FIELD(U32, checked_type, bytes), FIELDS_END};
static const struct wire_field made_type_fields[] = {
	FIELD_LIST(checked_type, parts, part_count, FRAME_BYTES_MAX, part_fields), FIELDS_END};
static const struct wire_field data_fields[] = {FIELD(U32, check_data, type),
                                                FIELD(NUMBER, check_data, count), FIELDS_END};
static const struct wire_field distinct_call_fields[] = {
	FIELD(U32, distinct_check_call, number),
	FIELD(U32, distinct_check_call, flags),
	FIELD(U32, distinct_check_call, operation),
	FIELD_STRUCT(distinct_check_call, call, call_fields),
	FIELD(WORD, distinct_check_call, comm),
	FIELD(I32, distinct_check_call, peer),
	FIELD(I32, distinct_check_call, peer_in_world),
	FIELD(I32, distinct_check_call, tag),
	FIELD(I32, distinct_check_call, root),
	FIELD(WORD, distinct_check_call, operator),
	FIELD_STRUCT(distinct_check_call, send, data_fields),
	FIELD_STRUCT(distinct_check_call, receive, data_fields),
	FIELD_LIST(distinct_check_call, send_list, send_list_count, FRAME_BYTES_MAX, data_fields),
	FIELD_LIST(distinct_check_call, receive_list, receive_list_count, FRAME_BYTES_MAX, data_fields),
	FIELD(U32, distinct_check_call, window),
	FIELD_LIST(distinct_check_call, ranks, rank_count, UINT32_MAX, integer_fields),
	FIELD(TEXT, distinct_check_call, detail),
	FIELDS_END};
static const struct wire_field thread_fields[] = {
	FIELD(U32, thread_state, thread), FIELD(U32, thread_state, call),
	FIELD_FLAGS(thread_state, is_in_call, 3), /* is_elsewhere, is_asleep */
	FIELD(NUMBER, thread_state, entered), FIELDS_END};
static const struct wire_field answer_fields[] = {
	FIELD(NUMBER, check_answer, question), FIELD(NUMBER, check_answer, position),
	FIELD_LIST(check_answer, threads, thread_count, UINT32_MAX, thread_fields), FIELDS_END};
static const struct wire_field member_fields[] = {
	FIELD(WORD, check_member, world), FIELD(U32, check_member, rank), FIELD(U32, check_member, size),
	FIELD(U32, check_member, state),
	/* was_outside, was_in_finalize */
	FIELD_FLAGS(check_member, is_stuck, 3), FIELDS_END};

/* put, take and release of a struct; `valid` checks the result of take. */
#define MESSAGE_FUNCTIONS(name, type, fields, valid) \
	void name##_put(struct message_writer *out, const struct type *object) \
	{ \
		fields_put(out, fields, object); \
	} \
	bool name##_take(struct cursor *in, struct type *object) \
	{ \
		*object = (struct type){0}; \
		if (fields_take(in, fields, object) && (valid)) \
			return true; \
		in->bad = true; \
		fields_release(fields, object); \
		return false; \
	}
#define MESSAGE_RELEASE(name, type, fields) \
	void name##_release(struct type *object) \
	{ \
		fields_release(fields, object); \
	}

MESSAGE_FUNCTIONS(hello, check_hello, hello_fields, object->role <= HELLO_ANALYSER)
MESSAGE_RELEASE(hello, check_hello, hello_fields)
MESSAGE_FUNCTIONS(comm, checked_comm, comm_fields,
                  object->rank < object->size && object->side <= (object->remote_size != 0))
MESSAGE_RELEASE(comm, checked_comm, comm_fields)
MESSAGE_FUNCTIONS(distinct_call, distinct_check_call, distinct_call_fields,
                  object->call.function < ALL_CALLS && object->operation <= OPERATION_WINDOW &&
                          object->window <= WINDOW_GET_COMPLETE &&
                          (object->operation == OPERATION_WINDOW) == (object->window != WINDOW_NONE))
MESSAGE_RELEASE(distinct_call, distinct_check_call, distinct_call_fields)
MESSAGE_FUNCTIONS(answer, check_answer, answer_fields, true)
MESSAGE_RELEASE(answer, check_answer, answer_fields)
MESSAGE_FUNCTIONS(member, check_member, member_fields,
                  object->state <= MEMBER_ENDED + END_FAILED &&
                          (!object->size || object->rank < object->size))
MESSAGE_RELEASE(type, checked_type, made_type_fields)

void type_put(struct message_writer *out, const struct checked_type *type)
{
	fields_put(out, type_fields, type);
	fields_put(out, type->basic ? basic_type_fields : made_type_fields, type);
}

bool type_take(struct cursor *in, struct checked_type *type)
{
	*type = (struct checked_type){0};
	if (fields_take(in, type_fields, type) &&
	    fields_take(in, type->basic ? basic_type_fields : made_type_fields, type))
		return true;
	type_release(type);
	return false;
}

void frame_put(struct message_writer *out, enum message_kind kind, const struct message_writer *body)
{
	const size_t most = kind == MESSAGE_VIA     ? VIA_BYTES_MAX
	                    : kind == MESSAGE_RELAY ? RELAY_BYTES_MAX
	                                            : FRAME_BYTES_MAX;
	uint32_t length = (uint32_t)(body ? body->size : 0) + 1;
	uint8_t byte = (uint8_t)kind;

	if (body && (body->failed || body->size >= most)) {
		out->failed = true;
		return;
	}
	put_raw(out, &length, sizeof length);
	put_raw(out, &byte, 1);
	if (body)
		put_raw(out, body->bytes, body->size);
}

bool frame_next(struct cursor *in, uint32_t length_max, enum message_kind *kind, struct cursor *body)
{
	const size_t left = cursor_left(in);
	uint32_t length;

	if (left < FRAME_HEADER_BYTES)
		return false;
	memcpy(&length, in->at, sizeof length);
	if (!length || length > length_max) {
		in->bad = true;
		return false;
	}
	if (left - sizeof length < length)
		return false;
	*kind = in->at[sizeof length];
	*body = (struct cursor){.at = in->at + FRAME_HEADER_BYTES, .end = in->at + sizeof length + length};
	in->at = body->end;
	return true;
}
