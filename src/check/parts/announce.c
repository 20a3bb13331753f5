#include "check/parts/part.h"

void announce_comm(const struct announcer *announcer, const struct comm_member *member)
{
	const struct analysed_comm *comm = member->comm;
	const struct checked_comm announced = {.identity = comm->identity,
	                                       .rank = member->rank,
	                                       .size = comm->size[member->side],
	                                       .remote_size = comm->size[!member->side],
	                                       .side = member->side,
	                                       .name = comm->name,
	                                       .source_count = member->source_count,
	                                       .dest_count = member->dest_count,
	                                       .sources = member->sources,
	                                       .dests = member->dests};
	struct message_writer body = {0};

	comm_put(&body, &announced);
	announcer->put(announcer->owner, MESSAGE_COMM, &body);
	writer_release(&body);
}

void announce_type_as(const struct announcer *announcer, const struct known_type *type, uint32_t number)
{
	struct checked_type announced = type->announced;
	struct message_writer body = {0};

	announced.number = number;
	announced.parts = memory_new(announced.part_count + 1u, sizeof *announced.parts);
	for (uint32_t i = 0; i < announced.part_count; i++)
		announced.parts[i] = (struct checked_type_part){announce_type(announcer, type->parts[i]),
		                                                type->announced.parts[i].times};
	type_put(&body, &announced);
	announcer->put(announcer->owner, MESSAGE_TYPE, &body);
	writer_release(&body);
	free(announced.parts);
}

uint32_t announce_type(const struct announcer *announcer, const struct known_type *type)
{
	const struct map_key key = map_key((uintptr_t)type, 0);
	const uint32_t *known = map_find(announcer->types, key);
	uint32_t number;

	if (known)
		return *known;
	for (uint32_t i = 0; i < type->announced.part_count; i++)
		announce_type(announcer, type->parts[i]);
	number = ++*announcer->type_count;
	*map_put(announcer->types, key) = number;
	announce_type_as(announcer, type, number);
	return number;
}

static struct check_data announce_data(const struct announcer *announcer, const struct known_data *data)
{
	return (struct check_data){data->type ? announce_type(announcer, data->type) : 0, data->count};
}

static struct check_data *announce_list(const struct announcer *announcer, const struct known_data *list,
                                        uint32_t count)
{
	struct check_data *announced = memory_new(count + 1u, sizeof *announced);

	for (uint32_t i = 0; i < count; i++)
		announced[i] = announce_data(announcer, &list[i]);
	return announced;
}

void announce_call(const struct announcer *announcer, const struct analysed_call *call, uint32_t number)
{
	struct distinct_check_call announced = {
		.number = number,
		.flags = call->flags,
		.operation = call->operation,
		.call = call_to_show(call, ""),
		.comm = call->member ? call->member->comm->identity : 0,
		.peer = call->peer,
		.peer_in_world = call->peer_in_world,
		.tag = call->tag,
		.root = call->root,
		.operator= call->operator,
		.send = announce_data(announcer, &call->send),
		.receive = announce_data(announcer, &call->receive),
		.send_list_count = call->send_list_count,
		.receive_list_count = call->receive_list_count,
		.send_list = announce_list(announcer, call->send_list, call->send_list_count),
		.receive_list = announce_list(announcer, call->receive_list, call->receive_list_count),
		.window = call->window,
		.rank_count = call->rank_count,
		.ranks = call->ranks,
		.detail = call->detail};
	struct message_writer body = {0};

	distinct_call_put(&body, &announced);
	announcer->put(announcer->owner, MESSAGE_CALL, &body);
	writer_release(&body);
	call_release(&announced.call);
	free(announced.send_list);
	free(announced.receive_list);
}
