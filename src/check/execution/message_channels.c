#include "check/execution/message_channels.h"

enum { CHANNELS_KEPT = 1 << 16 };

static struct message_inbox *inbox_get(struct analysed_comm *known, uint32_t place)
{
	struct executed_comm *comm = executed_comm_get(known);

	if (!comm->inboxes)
		comm->inboxes = memory_new(comm->member_count, sizeof(struct message_inbox *));
	if (!comm->inboxes[place])
		comm->inboxes[place] = memory_new(1, sizeof(struct message_inbox));
	return comm->inboxes[place];
}

/* Removes empty channels when there are many. */
static void sweep_channels(struct execution *execution)
{
	if (execution->channel_numbers.count < execution->channels_kept)
		return;
	for (uint32_t i = 0; i < execution->channels.count; i++) {
		struct message_channel *channel = execution->channels.items[i];
		if (!channel || channel->sends.first || channel->receives.first || channel->probes.first ||
		    channel->surplus)
			continue;
		map_remove(&execution->channel_numbers, channel->key);
		execution->channels.items[i] = NULL;
		array_add(&execution->free_channels, i);
		free(channel);
	}
	execution->channels_kept = 2 * execution->channel_numbers.count + CHANNELS_KEPT;
}

static struct message_channel *channel_get(struct execution *execution, struct map_key key,
                                           struct message_inbox *inbox)
{
	uint32_t *number = map_find(&execution->channel_numbers, key);
	struct message_channel *channel;

	if (number) {
		channel = execution->channels.items[*number];
		/* The previous inbox may be gone, if its communicator has ended. */
		channel->inbox = inbox;
		return channel;
	}
	sweep_channels(execution);
	channel = memory_new(1, sizeof *channel);
	channel->key = key;
	channel->inbox = inbox;
	number = map_put(&execution->channel_numbers, key);
	if (execution->free_channels.count) {
		*number = execution->free_channels.items[--execution->free_channels.count];
		execution->channels.items[*number] = channel;
	} else {
		*number = (uint32_t)execution->channels.count;
		array_add(&execution->channels, channel);
	}
	return channel;
}

static uint32_t other_side(const struct comm_member *member)
{
	return comm_is_inter(member->comm) ? !member->side : member->side;
}

uint32_t receiver_place(const struct executed_operation *send)
{
	const struct comm_member *member = send->call->member;
	const uint32_t side = other_side(member);

	return send->call->peer < 0 || (uint32_t)send->call->peer >= member->comm->size[side]
	               ? UINT32_MAX
	               : (side ? member->comm->size[0] : 0) + (uint32_t)send->call->peer;
}

struct executed_process *message_receiver(const struct execution *execution,
                                          const struct executed_operation *send)
{
	const uint32_t place = execution->carry ? receiver_place(send) : UINT32_MAX;
	struct executed_process *receiver = place == UINT32_MAX ? NULL
	                                    : execution->part
	                                            ? execution->part->receiver(execution->part->owner,
	                                                                        send->call)
	                                            : member_process(send->call->member->comm, place);

	return receiver ? receiver : send->process;
}

struct message_inbox *inbox_of(const struct executed_operation *operation)
{
	const struct comm_member *member = operation->call->member;
	const uint32_t place = operation->call->operation == OPERATION_SEND ? receiver_place(operation)
	                                                                    : place_of(member);

	return place == UINT32_MAX ? NULL : inbox_get(member->comm, place);
}

struct map_key message_channel_key(const struct analysed_call *call, int32_t peer, int32_t tag)
{
	const struct comm_member *member = call->member;
	const bool sends = call->operation == OPERATION_SEND;
	const uint32_t side = sends ? member->side : other_side(member);
	const uint32_t source = sends ? member->rank : (uint32_t)peer,
		       dest = sends ? (uint32_t)peer : member->rank;

	return map_key((uint64_t)member->comm->number << 33 | (uint64_t)side << 32 | source,
	               (uint64_t)dest << 32 | (uint32_t)tag);
}

struct message_channel *channel_of(struct execution *execution, const struct executed_operation *operation)
{
	const struct comm_member *member = operation->call->member;
	const bool sends = operation->call->operation == OPERATION_SEND;
	const int32_t peer = sends ? operation->call->peer : operation->source;
	const int32_t tag = sends ? operation->call->tag : operation->tag;

	if (peer < 0 || (uint32_t)peer >= member->comm->size[other_side(member)])
		return NULL;
	return channel_get(execution, message_channel_key(operation->call, peer, tag), inbox_of(operation));
}

struct map_key message_channel_to(const struct comm_member *receiver, uint32_t source, uint32_t tag)
{
	return map_key((uint64_t)receiver->comm->number << 33 | (uint64_t)other_side(receiver) << 32 | source,
	               (uint64_t)receiver->rank << 32 | tag);
}

void message_channel_resume(struct execution *execution, const struct comm_member *receiver, uint32_t source,
                            uint32_t tag, uint64_t sent, bool is_unordered)
{
	struct message_channel *channel = channel_get(execution, message_channel_to(receiver, source, tag),
	                                              inbox_get(receiver->comm, place_of(receiver)));

	channel->sent += sent;
	channel->is_unordered |= is_unordered;
	for (struct executed_operation *at = channel->sends.first; at; at = next_waiting(at))
		at->sequence += sent;
}

bool message_is_new(const struct execution *execution, const struct analysed_call *send, uint64_t number)
{
	const uint32_t *found = map_find(&execution->channel_numbers,
	                                 message_channel_key(send, send->peer, send->tag));
	const struct message_channel *channel = found ? execution->channels.items[*found] : NULL;

	return !channel || !channel->sent || (int32_t)((uint32_t)number - channel->sent_until) >= 0;
}

/* The end */

static void visit_list(const struct operation_list *list,
                       void (*visit)(void *owner, struct executed_operation *), void *owner)
{
	for (struct executed_operation *at = list->first; at; at = next_waiting(at))
		visit(owner, at);
}

void execution_visit_unmatched(struct execution *execution,
                               void (*visit)(void *owner, struct executed_operation *), void *owner)
{
	for (size_t i = 0; i < execution->channels.count; i++)
		if (execution->channels.items[i]) {
			visit_list(&execution->channels.items[i]->sends, visit, owner);
			visit_list(&execution->channels.items[i]->receives, visit, owner);
		}
	for (size_t i = 0; i < execution->known->comms.count; i++) {
		const struct analysed_comm *known = execution->known->comms.items[i];
		const struct executed_comm *comm = known ? known->execution : NULL;
		for (uint32_t j = 0; comm && comm->inboxes && j < comm->member_count; j++)
			if (comm->inboxes[j])
				visit_list(&comm->inboxes[j]->open, visit, owner);
	}
}

static void release_list(struct execution *execution, struct operation_list *list)
{
	while (list->first) {
		struct executed_operation *operation = list->first;
		remove_from(LIST_WAITING, list, operation);
		operation->channel = NULL;
		operation->candidate = NULL;
		if (operation->partner)
			operation_release(execution, operation->partner);
		operation->partner = NULL;
		operation_release(execution, operation);
	}
}

void channels_release(struct execution *execution)
{
	for (size_t i = 0; i < execution->channels.count; i++) {
		struct message_channel *channel = execution->channels.items[i];
		if (!channel)
			continue;
		release_list(execution, &channel->sends);
		release_list(execution, &channel->receives);
		release_list(execution, &channel->probes);
		free(channel);
	}
	map_release(&execution->channel_numbers);
	array_release(&execution->channels);
	array_release(&execution->free_channels);
}

bool inboxes_are_empty(const struct executed_comm *comm)
{
	for (uint32_t i = 0; comm->inboxes && i < comm->member_count; i++) {
		const struct message_inbox *inbox = comm->inboxes[i];
		if (inbox &&
		    (inbox->sends.first || inbox->open.first || inbox->provided.first || inbox->waiting))
			return false;
	}
	return true;
}

void inboxes_free(struct executed_comm *comm)
{
	for (uint32_t i = 0; comm->inboxes && i < comm->member_count; i++)
		free(comm->inboxes[i]);
	free(comm->inboxes);
	comm->inboxes = NULL;
}

void inboxes_release(struct execution *execution, struct executed_comm *comm)
{
	for (uint32_t i = 0; comm->inboxes && i < comm->member_count; i++)
		if (comm->inboxes[i]) {
			release_list(execution, &comm->inboxes[i]->open);
			release_list(execution, &comm->inboxes[i]->provided);
		}
}
