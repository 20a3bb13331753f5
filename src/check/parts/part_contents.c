/* Data that is compared (CHECK_CALL_CONTENT), and messages of matched probes. Data of messages is compared by the part of the receiver. Data of a broadcast is
 * compared like the arguments of a collective call: parts send a hash of their members' data to the hub, and keep the data until all members have the
 * same. If members differ, the leader compares their data. */
#include "base/hash.h"
#include "check/execution/message_channels.h"
#include "check/parts/part.h"

enum { BROADCASTS_KEPT = 4096, BROADCAST_FORM = 1 /* of the summary for the hub */ };

/* Broadcasts */

static struct part_broadcast *broadcast_get(struct check_part *part, const struct analysed_comm *comm,
                                            uint64_t number)
{
	/* At the hub it is a collective call of another communicator. */
	const uint64_t identity = hash_word(comm->identity, CHANGE_CONTENT);
	uint32_t *place = map_put(&part->broadcast_numbers, map_key(identity, number));

	if (*place == MAP_NONE) {
		*place = (uint32_t)part->broadcasts.count;
		if (part->free_broadcasts.count)
			*place = part->free_broadcasts.items[--part->free_broadcasts.count];
		else
			array_new_item(&part->broadcasts);
		part->broadcasts.items[*place] = (struct part_broadcast){.identity = identity,
		                                                         .number = number};
	}
	return &part->broadcasts.items[*place];
}

static void broadcast_drop(struct check_part *part, struct part_broadcast *broadcast)
{
	for (size_t i = 0; i < broadcast->members.count; i++)
		call_drop(&part->run->known, broadcast->members.items[i].call);
	array_release(&broadcast->members);
	map_remove(&part->broadcast_numbers, map_key(broadcast->identity, broadcast->number));
	array_add(&part->free_broadcasts, (uint32_t)(broadcast - part->broadcasts.items));
}

/* Hash of what all members have; 0: unknown. False: they differ. */
static bool common_data(const struct part_broadcast *broadcast, uint64_t *data)
{
	*data = 0;
	for (size_t i = 0; i < broadcast->members.count; i++) {
		const struct member_content *member = &broadcast->members.items[i];
		const uint64_t hash = member->hash ? hash_word(member->bytes, member->hash) | 1 : 0;

		if (hash && *data && hash != *data)
			return false;
		*data = hash ? hash : *data;
	}
	return true;
}

static void tell_data(struct check_part *part, struct part_broadcast *broadcast, uint32_t places,
                      uint64_t data)
{
	struct message_writer body = {0};

	part_frame_facts(part);
	put_word(&body, broadcast->identity);
	put_number(&body, broadcast->number);
	put_number(&body, places);
	put_number(&body, broadcast->unsent);
	put_word(&body, BROADCAST_FORM);
	put_word(&body, data);
	put_number(&body, 0);
	put_word(&body, 0);
	put_number(&body, 0); /* no clock */
	frame_put(&part->frames, MESSAGE_REACHED, &body);
	writer_release(&body);
	part->facts_sent++;
	broadcast->unsent = 0;
}

static void take_broadcast(struct check_part *part, const struct reported_content *reported)
{
	const struct analysed_comm *comm = reported->content.call->member->comm;
	struct part_broadcast *broadcast = broadcast_get(part, comm, reported->number);
	uint64_t data;

	array_add(&broadcast->members, reported->content);
	broadcast->unsent++;
	if (!common_data(broadcast, &data) || part->broadcast_numbers.count > BROADCASTS_KEPT)
		part_ask_to_gather(part);
	if (broadcast->members.count < comm->member_count || part->has_asked || part->is_frozen)
		return;
	if (broadcast->unsent < comm_places(comm))
		tell_data(part, broadcast, comm_places(comm), data);
	else
		broadcast_drop(part, broadcast);
}

void part_take_contents(struct check_part *part)
{
	for (size_t i = 0; i < part->run->contents.reported.count; i++)
		take_broadcast(part, &part->run->contents.reported.items[i]);
	part->run->contents.reported.count = 0;
}

bool part_contents_agree(struct check_part *part, uint64_t identity, uint64_t number)
{
	const uint32_t *place = map_find(&part->broadcast_numbers, map_key(identity, number));

	if (!place || part->broadcasts.items[*place].unsent)
		return false;
	broadcast_drop(part, &part->broadcasts.items[*place]);
	return true;
}

void part_contents_free(struct check_part *part)
{
	for (size_t i = 0; i < part->broadcasts.count; i++) {
		struct part_broadcast *broadcast = &part->broadcasts.items[i];

		for (size_t j = 0; j < broadcast->members.count; j++)
			call_drop(&part->run->known, broadcast->members.items[j].call);
		array_release(&broadcast->members);
	}
	array_release(&part->broadcasts);
	array_release(&part->free_broadcasts);
	map_release(&part->broadcast_numbers);
}

/* Handing over */

static struct handed_content *hand(struct analysed_process *process, enum event_change change,
                                   struct analysed_call *call)
{
	struct part_process *own = process->part;
	struct handed_content *item;

	if (!own || !own->is_own)
		return NULL;
	item = array_new_item(&own->contents);
	item->change = change;
	item->call = call;
	return item;
}

static void collect_broadcasts(const struct check_part *part)
{
	for (size_t i = 0; i < part->broadcasts.count; i++)
		for (size_t j = 0; j < part->broadcasts.items[i].members.count; j++) {
			const struct member_content *member = &part->broadcasts.items[i].members.items[j];
			struct handed_content *item = hand(member->call->process, CHANGE_CONTENT,
			                                   member->call);

			if (item) {
				item->numbers[0] = part->broadcasts.items[i].number;
				item->numbers[1] = member->bytes;
				item->numbers[2] = member->hash;
			}
		}
}

static struct handed_content *hand_operation(struct analysed_process *process, uint64_t operation,
                                             enum event_change change, struct analysed_call *call)
{
	struct handed_content *item = hand(process, change, call);

	if (item) {
		item->operation = operation;
		item->has_operation = true;
	}
	return item;
}

/* Its data has not arrived, or it was taken by a matched probe and no call has received it. */
static void collect_awaited(struct analysed_process *process, uint64_t operation,
                            const struct awaited_message *message)
{
	struct handed_content *item = hand_operation(process, operation, CHANGE_AWAITS, message->receive);

	if (!item)
		return;
	item->numbers[1] = message->send->process->rank;
	item->numbers[2] = message->send->number;
	item->numbers[3] = message->number;
	item->numbers[4] = message->sent;
	item->numbers[5] = message->is_certain ? AWAITS_CERTAIN : 0;
	item->numbers[5] |= message->is_probed ? AWAITS_PROBED : calls_agree(message) ? AWAITS_AGREES : 0;
}

/* The send is not known yet. */
static void collect_received(struct analysed_process *process, uint64_t operation,
                             const struct awaited_message *message)
{
	struct handed_content *item = hand_operation(process, operation, CHANGE_RECEIVES, message->receive);

	if (item && message->has_arrived)
		item = hand_operation(process, operation, CHANGE_CONTENT, message->receive);
	if (item) {
		item->numbers[1] = message->bytes;
		item->numbers[2] = message->received;
	}
}

static void collect_messages(const struct check_part *part)
{
	const struct data_contents *contents = &part->run->contents;

	for (size_t i = 0; i < contents->messages.numbers.slot_count; i++) {
		const struct map_slot *slot = &contents->messages.numbers.slots[i];
		const struct awaited_message *message = slot->mark ? &contents->awaited.items[slot->value]
		                                                   : NULL;
		struct analysed_process *process = slot->mark
		                                           ? (struct analysed_process *)(uintptr_t)slot->key.a
		                                           : NULL;

		if (message && message->send)
			collect_awaited(process, slot->key.b, message);
		else if (message && message->receive)
			collect_received(process, slot->key.b, message);
	}
}

static void collect_changed(const struct check_part *part)
{
	for (size_t i = 0; i < part->run->contents.changed.count; i++) {
		const struct changed_data *changed = &part->run->contents.changed.items[i];
		struct handed_content *item = changed->check == CHECK_MESSAGE_DATA_CHANGED
		                                      ? hand(changed->receive->process, CHANGE_CHANGED,
		                                             changed->receive)
		                                      : NULL;

		if (item) {
			item->numbers[0] = changed->send->process->rank;
			item->numbers[1] = changed->send->number;
			item->numbers[2] = changed->number;
			item->numbers[3] = changed->bytes;
			item->numbers[4] = changed->received;
			item->numbers[5] = changed->times;
		}
	}
}

/* How many messages each channel had before. */
static void collect_channels(const struct check_part *part)
{
	struct map comms = {0}; /* by number: slots */

	for (uint32_t i = 0; i < part->run->known.comms.count; i++)
		if (part->run->known.comms.items[i])
			*map_put(&comms, map_key(part->run->known.comms.items[i]->number, 0)) = i;
	for (size_t i = 0; i < part->run->execution->channels.count; i++) {
		const struct message_channel *channel = part->run->execution->channels.items[i];
		const uint32_t *slot = channel && channel->sent
		                               ? map_find(&comms, map_key(channel->key.a >> 33, 0))
		                               : NULL;
		const struct analysed_comm *comm = slot ? part->run->known.comms.items[*slot] : NULL;
		const uint32_t side = channel ? channel->key.a >> 32 & 1 : 0;
		const uint32_t to_side = comm && comm_is_inter(comm) ? !side : side;
		struct analysed_process *receiver =
			comm ? comm->members[(to_side ? comm->size[0] : 0) + (uint32_t)(channel->key.b >> 32)]
			     : NULL;
		struct handed_content *item = receiver ? hand(receiver, CHANGE_CHANNEL, NULL) : NULL;

		if (item) {
			item->numbers[0] = comm->identity;
			item->numbers[1] = (uint32_t)channel->key.a;
			item->numbers[2] = (uint32_t)channel->key.b;
			item->numbers[3] = channel->sent;
			for (const struct executed_operation *send = channel->sends.first; send;
			     send = next_waiting(send))
				item->numbers[3]--;
			item->numbers[4] = (channel->is_unordered ? CHANNEL_UNORDERED : 0u) |
			                   (map_find(&part->run->contents.unordered, channel->key)
			                            ? CHANNEL_UNCOMPARED
			                            : 0u);
		}
	}
	map_release(&comms);
}

void part_collect_contents(struct check_part *part)
{
	if (!part->run->execution)
		return;
	part_take_contents(part);
	if (part->run->compares_data)
		collect_channels(part);
	collect_broadcasts(part);
	collect_messages(part);
	collect_changed(part);
}
