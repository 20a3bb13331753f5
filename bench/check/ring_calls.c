#include "ring_calls.h"

#include "calls/ids.h"
#include "check/signature/signature.h"

enum { TYPE_INT = 1, TYPE_DOUBLE = 2, WORLD_COMM = 4711, STEP_MESSAGES = 4, COUNT = 100, HASH = 7 };

static const struct ring_call_row {
	uint32_t function;
	enum check_operation operation;
	int32_t tag;
	bool is_up;
} ring_rows[RING_CALLS] = {
	[RING_SEND_UP] = {CALL_Isend, OPERATION_SEND, 1, true},
	[RING_RECEIVE_UP] = {CALL_Irecv, OPERATION_RECEIVE, 2, true},
	[RING_SEND_DOWN] = {CALL_Isend, OPERATION_SEND, 2, false},
	[RING_RECEIVE_DOWN] = {CALL_Irecv, OPERATION_RECEIVE, 1, false},
	[RING_REDUCE] = {CALL_Allreduce, OPERATION_COLLECTIVE, 0, false},
	[RING_WAIT] = {CALL_Waitall, OPERATION_WAIT, 0, false},
	[RING_SEND_WRONG] = {CALL_Isend, OPERATION_SEND, 9, true},
	[RING_RECEIVE_WRONG] = {CALL_Irecv, OPERATION_RECEIVE, 9, false},
};

static void put_call(struct message_writer *body, uint32_t rank, uint32_t size, struct check_place *stack,
                     enum ring_call number, bool has_data)
{
	const struct ring_call_row *row = &ring_rows[number];
	const bool is_message = row->operation == OPERATION_SEND || row->operation == OPERATION_RECEIVE;
	const int32_t peer = is_message ? (int32_t)((rank + (row->is_up ? 1 : size - 1)) % size) : -1;
	struct distinct_check_call call = {
		.number = number,
		.flags = !is_message ? 0
	                 : has_data  ? CHECK_CALL_NONBLOCKING | CHECK_CALL_CONTENT
	                             : CHECK_CALL_NONBLOCKING,
		.operation = row->operation,
		.call = {.world = 1,
	                 .rank = rank,
	                 .function = row->function,
	                 .note = "",
	                 .arguments = "count = 100, datatype = MPI_INT, comm = MPI_COMM_WORLD",
	                 .stack_count = stack ? 1 : 0,
	                 .stack = stack},
		.comm = WORLD_COMM,
		.peer = peer,
		.peer_in_world = peer,
		.tag = row->tag,
		.root = -1,
		.operator= row->operation == OPERATION_COLLECTIVE,
		.detail = ""};

	if (row->operation != OPERATION_WAIT)
		*(row->operation == OPERATION_RECEIVE ? &call.receive : &call.send) = (struct check_data){
			number == RING_SEND_WRONG ? TYPE_DOUBLE : TYPE_INT, COUNT};
	distinct_call_put(body, &call);
}

void ring_define(uint32_t rank, uint32_t size, struct check_place *stack, enum ring_call end, bool has_data,
                 ring_tell *tell, void *owner)
{
	const struct checked_comm comm = {
		.identity = WORLD_COMM, .rank = rank, .size = size, .name = "MPI_COMM_WORLD"};
	const struct checked_type types[] = {{.number = TYPE_INT, .basic = BASIC_INT, .bytes = 4},
	                                     {.number = TYPE_DOUBLE, .basic = BASIC_DOUBLE, .bytes = 8}};
	struct message_writer body = {0};

	comm_put(&body, &comm);
	tell(owner, MESSAGE_COMM, &body);
	for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
		body.size = 0;
		type_put(&body, &types[i]);
		tell(owner, MESSAGE_TYPE, &body);
	}
	for (enum ring_call number = RING_SEND_UP; number < end; number++) {
		body.size = 0;
		put_call(&body, rank, size, stack, number, has_data);
		tell(owner, MESSAGE_CALL, &body);
	}
	writer_release(&body);
}

static void put_received(struct message_writer *events, enum ring_call number)
{
	put_number(events, 0);
	put_number(events, CHANGE_CONTENT);
	put_number(events, number);
	put_number(events, RING_RECEIVE_DOWN + 1u - number);
	put_number(events, COUNT * sizeof(int));
	put_number(events, HASH);
}

void ring_step_put(struct message_writer *events, bool has_data)
{
	for (enum ring_call number = RING_SEND_UP; number <= RING_RECEIVE_DOWN; number++) {
		put_number(events, number);
		if (has_data && ring_rows[number].operation == OPERATION_SEND)
			put_number(events, HASH);
	}
	put_number(events, 0);
	put_number(events, CHANGE_WAITS);
	put_number(events, RING_WAIT);
	put_number(events, STEP_MESSAGES);
	for (uint32_t distance = STEP_MESSAGES; distance; distance--)
		put_number(events, distance);
	if (!has_data)
		return;
	put_received(events, RING_RECEIVE_UP);
	put_received(events, RING_RECEIVE_DOWN);
}
