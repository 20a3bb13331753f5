#include "check/protocol/messages.h"

#include <stdlib.h>

void hello_put(struct message_writer *out, const struct check_hello *hello)
{
	put_number(out, hello->role);
	put_word(out, hello->world);
	put_number(out, hello->rank);
	put_number(out, hello->size);
	put_number(out, hello->pid);
	put_text(out, hello->host);
	put_text(out, hello->address);
}

bool hello_take(struct cursor *in, struct check_hello *hello)
{
	*hello = (struct check_hello){0};
	hello->role = take_u32(in);
	hello->world = take_u64(in);
	hello->rank = take_u32(in);
	hello->size = take_u32(in);
	hello->pid = take_u32(in);
	hello->host = take_text(in);
	hello->address = take_text(in);
	if (!in->bad && hello->role <= HELLO_ANALYSER)
		return true;
	in->bad = true;
	hello_release(hello);
	return false;
}

void hello_release(struct check_hello *hello)
{
	free((char *)hello->host);
	free((char *)hello->address);
	hello->host = hello->address = NULL;
}

static int32_t take_i32(struct cursor *in)
{
	int64_t value = take_signed(in);

	if (value < INT32_MIN || value > INT32_MAX)
		in->bad = true;
	return (int32_t)value;
}

static void put_ranks(struct message_writer *out, const int32_t *ranks, uint32_t count)
{
	put_number(out, count);
	for (uint32_t i = 0; i < count; i++)
		put_integer(out, ranks[i]);
}

static int32_t *take_ranks(struct cursor *in, uint32_t *count)
{
	int32_t *ranks;

	*count = take_count(in, FRAME_BYTES_MAX);
	ranks = take_memory(in, *count, sizeof *ranks);
	for (uint32_t i = 0; i < *count && !in->bad; i++)
		ranks[i] = take_i32(in);
	return ranks;
}

void comm_put(struct message_writer *out, const struct checked_comm *comm)
{
	put_word(out, comm->identity);
	put_number(out, comm->rank);
	put_number(out, comm->size);
	put_number(out, comm->remote_size);
	put_number(out, comm->side);
	put_text(out, comm->name);
	put_ranks(out, comm->sources, comm->source_count);
	put_ranks(out, comm->dests, comm->dest_count);
}

bool comm_take(struct cursor *in, struct checked_comm *comm)
{
	*comm = (struct checked_comm){.identity = take_u64(in),
	                              .rank = take_u32(in),
	                              .size = take_u32(in),
	                              .remote_size = take_u32(in),
	                              .side = take_u32(in)};
	comm->name = take_text(in);
	comm->sources = take_ranks(in, &comm->source_count);
	comm->dests = take_ranks(in, &comm->dest_count);
	if (!in->bad && comm->rank < comm->size && comm->side <= (comm->remote_size != 0))
		return true;
	in->bad = true;
	comm_release(comm);
	return false;
}

void comm_release(struct checked_comm *comm)
{
	free((char *)comm->name);
	free(comm->sources);
	free(comm->dests);
	comm->name = NULL;
	comm->sources = comm->dests = NULL;
}

void type_put(struct message_writer *out, const struct checked_type *type)
{
	put_number(out, type->number);
	put_number(out, type->basic);
	if (type->basic) {
		put_number(out, type->bytes);
		return;
	}
	put_number(out, type->part_count);
	for (uint32_t i = 0; i < type->part_count; i++) {
		put_number(out, type->parts[i].type);
		put_number(out, type->parts[i].times);
	}
}

bool type_take(struct cursor *in, struct checked_type *type)
{
	*type = (struct checked_type){.number = take_u32(in), .basic = take_u32(in)};
	if (type->basic) {
		type->bytes = take_u32(in);
		return !in->bad;
	}
	type->part_count = take_count(in, FRAME_BYTES_MAX);
	type->parts = take_memory(in, type->part_count, sizeof *type->parts);
	for (uint32_t i = 0; i < type->part_count && !in->bad; i++)
		type->parts[i] = (struct checked_type_part){.type = take_u32(in), .times = take_varint(in)};
	if (!in->bad)
		return true;
	type_release(type);
	return false;
}

void type_release(struct checked_type *type)
{
	free(type->parts);
	type->parts = NULL;
	type->part_count = 0;
}

static void put_data(struct message_writer *out, const struct check_data *data)
{
	put_number(out, data->type);
	put_number(out, data->count);
}

static struct check_data take_data(struct cursor *in)
{
	return (struct check_data){.type = take_u32(in), .count = take_varint(in)};
}

static void put_list(struct message_writer *out, const struct check_data *list, uint32_t count)
{
	put_number(out, count);
	for (uint32_t i = 0; i < count; i++)
		put_data(out, &list[i]);
}

static struct check_data *take_list(struct cursor *in, uint32_t *count)
{
	struct check_data *list;

	*count = take_count(in, FRAME_BYTES_MAX);
	list = take_memory(in, *count, sizeof *list);
	for (uint32_t i = 0; i < *count && !in->bad; i++)
		list[i] = take_data(in);
	return list;
}

void distinct_call_put(struct message_writer *out, const struct distinct_check_call *call)
{
	put_number(out, call->number);
	put_number(out, call->flags);
	put_number(out, call->operation);
	call_put(out, &call->call);
	put_word(out, call->comm);
	put_integer(out, call->peer);
	put_integer(out, call->peer_in_world);
	put_integer(out, call->tag);
	put_integer(out, call->root);
	put_word(out, call->operator);
	put_data(out, &call->send);
	put_data(out, &call->receive);
	put_list(out, call->send_list, call->send_list_count);
	put_list(out, call->receive_list, call->receive_list_count);
	put_number(out, call->window);
	put_number(out, call->rank_count);
	for (uint32_t i = 0; i < call->rank_count; i++)
		put_integer(out, call->ranks[i]);
	put_text(out, call->detail);
}

bool distinct_call_take(struct cursor *in, struct distinct_check_call *call)
{
	*call = (struct distinct_check_call){
		.number = take_u32(in), .flags = take_u32(in), .operation = take_u32(in)};
	if (!call_take(in, &call->call))
		return false;
	call->comm = take_u64(in);
	call->peer = take_i32(in);
	call->peer_in_world = take_i32(in);
	call->tag = take_i32(in);
	call->root = take_i32(in);
	call->operator= take_u64(in);
	call->send = take_data(in);
	call->receive = take_data(in);
	call->send_list = take_list(in, &call->send_list_count);
	call->receive_list = take_list(in, &call->receive_list_count);
	call->window = take_u32(in);
	call->rank_count = take_count(in, UINT32_MAX);
	call->ranks = take_memory(in, call->rank_count, sizeof *call->ranks);
	for (uint32_t i = 0; i < call->rank_count && !in->bad; i++)
		call->ranks[i] = take_signed(in);
	call->detail = take_text(in);
	if (!in->bad && call->operation <= OPERATION_WINDOW && call->window <= WINDOW_GET_COMPLETE &&
	    (call->operation == OPERATION_WINDOW) == (call->window != WINDOW_NONE))
		return true;
	in->bad = true;
	distinct_call_release(call);
	return false;
}

void distinct_call_release(struct distinct_check_call *call)
{
	call_release(&call->call);
	free(call->send_list);
	free(call->receive_list);
	free(call->ranks);
	free((char *)call->detail);
	call->ranks = NULL;
	call->rank_count = 0;
	call->send_list = call->receive_list = NULL;
	call->send_list_count = call->receive_list_count = 0;
	call->detail = NULL;
}

void answer_put(struct message_writer *out, const struct check_answer *answer)
{
	put_number(out, answer->question);
	put_number(out, answer->position);
	put_number(out, answer->thread_count);
	for (uint32_t i = 0; i < answer->thread_count; i++) {
		const struct thread_state *state = &answer->threads[i];

		put_number(out, state->thread);
		put_number(out, state->call);
		put_number(out, (uint64_t)state->is_in_call | (uint64_t)state->is_elsewhere << 1 |
		                        (uint64_t)state->is_asleep << 2);
		put_number(out, state->entered);
	}
}

bool answer_take(struct cursor *in, struct check_answer *answer)
{
	*answer = (struct check_answer){.question = take_varint(in), .position = take_varint(in)};
	answer->thread_count = take_count(in, UINT32_MAX);
	answer->threads = take_memory(in, answer->thread_count, sizeof *answer->threads);
	for (uint32_t i = 0; i < answer->thread_count && !in->bad; i++) {
		struct thread_state *state = &answer->threads[i];
		uint32_t flags;

		state->thread = take_u32(in);
		state->call = take_u32(in);
		flags = take_u32(in);
		state->is_in_call = flags & 1;
		state->is_elsewhere = flags & 2;
		state->is_asleep = flags & 4;
		state->entered = take_varint(in);
	}
	if (!in->bad)
		return true;
	answer_release(answer);
	return false;
}

void answer_release(struct check_answer *answer)
{
	free(answer->threads);
	*answer = (struct check_answer){0};
}

void member_put(struct message_writer *out, const struct check_member *member)
{
	put_word(out, member->world);
	put_number(out, member->rank);
	put_number(out, member->size);
	put_number(out, member->state);
	put_number(out, (uint64_t)member->is_stuck | (uint64_t)member->was_outside << 1);
}

bool member_take(struct cursor *in, struct check_member *member)
{
	uint32_t where;

	*member = (struct check_member){
		.world = take_u64(in), .rank = take_u32(in), .size = take_u32(in), .state = take_u32(in)};
	where = take_u32(in);
	member->is_stuck = where & 1;
	member->was_outside = where & 2;
	if (member->state > MEMBER_ENDED + END_FAILED || (member->size && member->rank >= member->size))
		in->bad = true;
	return !in->bad;
}

void frame_put(struct message_writer *out, enum message_kind kind, const struct message_writer *body)
{
	const size_t most = kind == MESSAGE_RELAY ? RELAY_BYTES_MAX : FRAME_BYTES_MAX;
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
