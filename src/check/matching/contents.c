/* Data that changed in transit. A receive is identified by its process and its number there. The match, the
 * call that receives the message of a matched probe, and the hash of the received data arrive in any order.
 * Differences are reported at the end: until then a message may turn out to be cancelled, its sender to have
 * changed the buffer, or the members of a communicator to have made different calls. */
#include "check/matching/collectives.h"

#include <inttypes.h>

enum {
	CHANGED_MAX = 256,        /* pairs of calls that are reported */
	UNORDERED_MAX = 1 << 16,  /* channels */
	BROADCASTS_MAX = 1 << 16, /* waiting for members: processes with several threads report no data */
};

static uint32_t slot_get(struct content_slots *slots, struct map_key key)
{
	uint32_t *slot = map_put(&slots->numbers, key);

	if (*slot == MAP_NONE)
		*slot = slots->unused.count ? slots->unused.items[--slots->unused.count] : slots->count++;
	return *slot;
}

static void slot_free(struct content_slots *slots, struct map_key key, uint32_t slot)
{
	map_remove(&slots->numbers, key);
	array_add(&slots->unused, slot);
}

static void slots_release(struct content_slots *slots)
{
	map_release(&slots->numbers);
	array_release(&slots->unused);
}

static void drop_call(struct checked_run *run, struct analysed_call *call)
{
	if (call)
		call_drop(&run->known, call);
}

static void count_changed(struct checked_run *run, const struct changed_data *found)
{
	struct data_contents *contents = &run->contents;

	for (size_t i = 0; i < contents->changed.count; i++) {
		struct changed_data *changed = &contents->changed.items[i];
		if (changed->send == found->send && changed->receive == found->receive) {
			changed->times++;
			return;
		}
	}
	if (contents->changed.count == CHANGED_MAX)
		return;
	array_add(&contents->changed, *found);
	call_keep(found->send);
	call_keep(found->receive);
}

/* Messages */

static struct map_key message_key(const struct analysed_process *process, uint64_t number)
{
	return map_key((uint64_t)(uintptr_t)process, number);
}

static struct awaited_message *message_get(struct data_contents *contents, struct map_key key)
{
	const uint32_t slot = slot_get(&contents->messages, key);

	return &array_extend(&contents->awaited, slot + 1)->items[slot];
}

static void message_drop(struct checked_run *run, struct map_key key, struct awaited_message *message)
{
	drop_call(run, message->send);
	drop_call(run, message->receive);
	slot_free(&run->contents.messages, key, (uint32_t)(message - run->contents.awaited.items));
	*message = (struct awaited_message){0};
}

bool calls_agree(const struct awaited_message *message)
{
	return message->agrees ||
	       (message->send->partner == message->receive->serial && message->send->finding == FINDING_NONE);
}

static bool has_changed(const struct awaited_message *message)
{
	const struct analysed_call *send = message->send;

	/* Mismatched types and messages that are too long are reported as such. */
	if (!message->sent || !message->received || !send->send.type || !calls_agree(message))
		return false;
	return message->sent != message->received || data_bytes(&send->send) != message->bytes;
}

static void settle(struct checked_run *run, struct map_key key, struct awaited_message *message)
{
	if (!message->send || !message->receive ||
	    (message->receive->flags & CHECK_CALL_CONTENT && !message->has_arrived))
		return;
	if (message->is_probed)
		check_message(run, message->send, message->receive, message->is_certain);
	if (has_changed(message))
		count_changed(run, &(struct changed_data){.check = CHECK_MESSAGE_DATA_CHANGED,
		                                          .send = message->send,
		                                          .receive = message->receive,
		                                          .bytes = data_bytes(&message->send->send),
		                                          .received = message->bytes,
		                                          .number = message->number,
		                                          .times = 1});
	message_drop(run, key, message);
}

void channel_unordered(struct checked_run *run, const struct analysed_call *call, int32_t peer, int32_t tag)
{
	if (run->contents.unordered.count < UNORDERED_MAX)
		*map_put(&run->contents.unordered, message_channel_key(call, peer, tag)) = 0;
	run->contents.has_many_unordered |= run->contents.unordered.count == UNORDERED_MAX;
}

void message_suspected(struct checked_run *run, struct analysed_call *send, struct analysed_call *receive)
{
	count_changed(run, &(struct changed_data){.check = CHECK_MESSAGE_TYPE_MISMATCH,
	                                          .send = send,
	                                          .receive = receive,
	                                          .times = 1});
}

void content_matched(struct checked_run *run, const struct executed_operation *send,
                     const struct executed_operation *receive)
{
	const bool is_probed = receive->call->operation == OPERATION_MATCHED_PROBE;
	const struct map_key key = message_key(receive->call->process, receive->number);
	struct awaited_message *message;

	if (!is_probed && !(receive->call->flags & CHECK_CALL_CONTENT))
		return;
	message = message_get(&run->contents, key);
	drop_call(run, message->send);
	message->send = call_keep(send->call);
	message->sent = (send->state | receive->state) & OPERATION_UNORDERED ? 0 : send->hash;
	message->number = send->sequence;
	message->is_probed = is_probed;
	message->is_certain = match_is_certain(send, receive);
	if (!is_probed && !message->receive)
		message->receive = call_keep(receive->call);
	settle(run, key, message);
}

void content_cancelled(struct checked_run *run, const struct executed_operation *operation)
{
	const bool sends = operation->call->operation == OPERATION_SEND;
	const struct executed_operation *receive = sends ? operation->partner : operation;
	const struct map_key key = receive ? message_key(receive->process->known, receive->number)
	                                   : map_key(0, 0);
	const uint32_t *slot = receive ? map_find(&run->contents.messages.numbers, key) : NULL;
	struct awaited_message *message = slot ? &run->contents.awaited.items[*slot] : NULL;

	if (operation->state & OPERATION_MATCHED)
		channel_unordered(run, operation->call, sends ? operation->call->peer : operation->source,
		                  sends ? operation->call->tag : operation->tag);
	if (message && sends) {
		drop_call(run, message->send);
		message->send = NULL;
	} else if (message) {
		message_drop(run, key, message);
	}
}

bool receives_event(struct checked_run *run, struct analysed_process *process, uint64_t operation,
                    struct analysed_call *call)
{
	const struct map_key key = message_key(process, operation);
	struct awaited_message *message;

	if (!call || call->operation != OPERATION_RECEIVE)
		return false;
	message = message_get(&run->contents, key);
	if (!message->receive)
		message->receive = call_keep(call);
	settle(run, key, message);
	return true;
}

/* Broadcasts */

static void broadcast_drop(struct checked_run *run, struct awaited_broadcast *awaited)
{
	drop_call(run, awaited->root.call);
	for (size_t i = 0; i < awaited->received.count; i++)
		call_drop(&run->known, awaited->received.items[i].call);
	array_release(&awaited->received);
	*awaited = (struct awaited_broadcast){0};
}

/* A different number of bytes is a mismatch of the calls. */
static void compare(struct checked_run *run, const struct awaited_broadcast *awaited,
                    const struct member_content *received, uint64_t number)
{
	if (!awaited->has_two_roots && awaited->root.hash && awaited->root.bytes == received->bytes &&
	    awaited->root.hash != received->hash)
		count_changed(run, &(struct changed_data){.check = CHECK_COLLECTIVE_DATA_CHANGED,
		                                          .send = awaited->root.call,
		                                          .receive = received->call,
		                                          .bytes = received->bytes,
		                                          .number = number,
		                                          .times = 1});
}

static void root_arrives(struct checked_run *run, struct awaited_broadcast *awaited,
                         const struct member_content *root, uint64_t number)
{
	if (awaited->root.call) {
		awaited->has_two_roots = true;
		return;
	}
	awaited->root = *root;
	call_keep(root->call);
	for (size_t i = 0; i < awaited->received.count; i++) {
		compare(run, awaited, &awaited->received.items[i], number);
		call_drop(&run->known, awaited->received.items[i].call);
	}
	array_release(&awaited->received);
}

static void broadcast_content(struct checked_run *run, uint64_t number, const struct member_content *content)
{
	struct data_contents *contents = &run->contents;
	const struct analysed_comm *comm = content->call->member->comm;
	const struct map_key key = map_key(comm->number, number);
	struct awaited_broadcast *awaited;
	uint32_t slot;

	if (contents->broadcasts.numbers.count >= BROADCASTS_MAX &&
	    !map_find(&contents->broadcasts.numbers, key))
		return;
	slot = slot_get(&contents->broadcasts, key);
	awaited = &array_extend(&contents->awaited_broadcasts, slot + 1)->items[slot];
	if (call_is_root(content->call)) {
		root_arrives(run, awaited, content, number);
	} else if (content->hash && awaited->root.call) {
		compare(run, awaited, content, number);
	} else if (content->hash) {
		array_add(&awaited->received, *content);
		call_keep(content->call);
	}
	if (++awaited->arrived < comm_places(comm))
		return;
	broadcast_drop(run, awaited);
	slot_free(&contents->broadcasts, key, slot);
}

/* Both */

bool content_event(struct checked_run *run, struct analysed_call *call, uint64_t number, uint64_t bytes,
                   uint64_t hash)
{
	const uint64_t begun = call ? executed_operations_of(call->process) : 0;
	struct awaited_message *message;
	struct map_key key;

	if (!call || !call->member)
		return false;
	run->compares_data |= run->is_part;
	if (call->operation == OPERATION_COLLECTIVE) {
		const struct member_content content = {.call = call, .bytes = bytes, .hash = hash};

		if (run->is_part)
			array_add(&run->contents.reported, (struct reported_content){content, number});
		else
			broadcast_content(run, number, &content);
		if (run->is_part)
			call_keep(call);
		return true;
	}
	if (!(call->flags & CHECK_CALL_CONTENT) || number > begun)
		return false;
	if (!number) {
		call->is_uncompared = true;
		return true;
	}
	key = message_key(call->process, begun - number);
	message = message_get(&run->contents, key);
	message->has_arrived = true;
	if (run->is_part && !message->receive)
		message->receive = call_keep(call);
	message->bytes = bytes;
	message->received = hash;
	settle(run, key, message);
	return true;
}

/* From other analysers */

bool content_handed(struct checked_run *run, struct analysed_process *process, enum event_change change,
                    struct cursor *in)
{
	const uint64_t call = take_varint(in);
	struct handed_message handed = {
		.change = change, .process = process, .receive = process_call(process, call)};
	const uint64_t begun = executed_operations_of(process);
	const uint64_t distance = change == CHANGE_AWAITS ? take_varint(in) : 1;
	bool is_probed;

	handed.operation = begun - distance;
	handed.source = take_varint(in);
	handed.send = take_varint(in);
	handed.number = take_varint(in);
	for (int i = 0; i < (change == CHANGE_AWAITS ? 2 : 3); i++)
		handed.values[i] = take_varint(in);
	is_probed = change == CHANGE_AWAITS && handed.values[1] & AWAITS_PROBED;
	if (in->bad || (change == CHANGE_AWAITS && (!distance || distance > begun)))
		return false;
	if (handed.receive ? handed.receive->operation != OPERATION_RECEIVE ||
	                             !(is_probed || handed.receive->flags & CHECK_CALL_CONTENT)
	                   : call || !is_probed)
		return false;
	if (handed.receive)
		call_keep(handed.receive);
	array_add(&run->contents.handed, handed);
	return true;
}

static void resume_message(struct checked_run *run, const struct handed_message *handed,
                           struct analysed_call *send)
{
	const struct map_key key = message_key(handed->process, handed->operation);
	struct awaited_message *message = message_get(&run->contents, key);

	drop_call(run, message->send);
	message->send = call_keep(send);
	if (!message->receive && handed->receive)
		message->receive = call_keep(handed->receive);
	message->number = handed->number;
	message->sent = handed->values[0];
	message->is_probed = handed->values[1] & AWAITS_PROBED;
	message->is_certain = handed->values[1] & AWAITS_CERTAIN;
	message->agrees = handed->values[1] & AWAITS_AGREES;
	settle(run, key, message);
}

/* It was found before all that was found here. */
static void resume_changed(struct checked_run *run, const struct handed_message *handed,
                           struct analysed_call *send)
{
	struct data_contents *contents = &run->contents;
	const struct changed_data first = {.check = CHECK_MESSAGE_DATA_CHANGED,
	                                   .send = send,
	                                   .receive = handed->receive,
	                                   .bytes = handed->values[0],
	                                   .received = handed->values[1],
	                                   .number = handed->number,
	                                   .times = handed->values[2]};

	for (size_t i = 0; i < contents->changed.count; i++) {
		struct changed_data *changed = &contents->changed.items[i];

		if (changed->send == first.send && changed->receive == first.receive) {
			const uint64_t times = changed->times + first.times;

			*changed = first;
			changed->times = times;
			return;
		}
	}
	count_changed(run, &first);
}

/* By the number that the analyser of the receiver knows. */
static struct analysed_call *find_send(const struct checked_run *run, const struct analysed_process *sender,
                                       uint64_t number)
{
	struct analysed_call *send = process_call(sender, number);

	for (size_t i = 0; i < run->forgotten.count; i++) {
		const struct forgotten_calls *forgotten = &run->forgotten.items[i];

		if (forgotten->process == sender)
			send = number < forgotten->calls.count ? forgotten->calls.items[number] : NULL;
	}
	return send && send->operation == OPERATION_SEND && send->member ? send : NULL;
}

void contents_gathered(struct checked_run *run)
{
	struct data_contents *contents = &run->contents;
	struct map places = {0}; /* of processes, by world and rank */

	for (uint32_t i = 0; contents->handed.count && i < run->known.processes.count; i++)
		*map_put(&places, map_key(run->known.processes.items[i]->world,
		                          run->known.processes.items[i]->rank)) = i;
	for (size_t i = 0; i < contents->handed.count; i++) {
		const struct handed_message *handed = &contents->handed.items[i];
		const uint32_t *place = map_find(&places, map_key(handed->process->world, handed->source));
		const struct analysed_process *sender = place ? run->known.processes.items[*place] : NULL;
		struct analysed_call *send = sender ? find_send(run, sender, handed->send) : NULL;

		if (send && handed->change == CHANGE_AWAITS)
			resume_message(run, handed, send);
		else if (send)
			resume_changed(run, handed, send);
		drop_call(run, handed->receive);
	}
	array_release(&contents->handed);
	map_release(&places);
}

/* The order of the channel is unknown. */
static bool is_unordered(const struct data_contents *contents, const struct analysed_call *send)
{
	return contents->has_many_unordered ||
	       map_find(&contents->unordered, message_channel_key(send, send->peer, send->tag));
}

void check_changed_data(struct checked_run *run)
{
	for (size_t i = 0; i < run->contents.changed.count; i++) {
		const struct changed_data *changed = &run->contents.changed.items[i];
		if (changed->check == CHECK_MESSAGE_TYPE_MISMATCH) {
			if (!is_unordered(&run->contents, changed->send))
				report_message(run, changed->send, changed->receive, changed->times);
			continue;
		}
		const struct analysed_comm *comm = changed->send->member->comm;
		const bool is_message = changed->check == CHECK_MESSAGE_DATA_CHANGED;

		/* The sender may have changed its buffer. */
		if (is_message ? changed->send->is_uncompared || is_unordered(&run->contents, changed->send)
		               : comm->is_broken)
			continue;
		if (is_message)
			report_finding(run->log, changed->check, changed->times,
			               CALLS({changed->send, NOTE_SENT}, {changed->receive, NOTE_RECEIVED}),
			               "bytes=%" PRIu64 AND "received=%" PRIu64 AND "number=%" PRIu64,
			               changed->bytes, changed->received, changed->number);
		else
			report_finding(run->log, changed->check, changed->times,
			               CALLS({changed->send, NOTE_SENT}, {changed->receive, NOTE_RECEIVED}),
			               "comm=%s" AND "bytes=%" PRIu64 AND "number=%" PRIu64, comm->name,
			               changed->bytes, changed->number);
	}
}

void contents_free(struct checked_run *run)
{
	struct data_contents *contents = &run->contents;

	for (size_t i = 0; i < contents->awaited.count; i++) {
		drop_call(run, contents->awaited.items[i].send);
		drop_call(run, contents->awaited.items[i].receive);
	}
	for (size_t i = 0; i < contents->awaited_broadcasts.count; i++)
		broadcast_drop(run, &contents->awaited_broadcasts.items[i]);
	for (size_t i = 0; i < contents->changed.count; i++) {
		call_drop(&run->known, contents->changed.items[i].send);
		call_drop(&run->known, contents->changed.items[i].receive);
	}
	for (size_t i = 0; i < contents->reported.count; i++)
		call_drop(&run->known, contents->reported.items[i].content.call);
	for (size_t i = 0; i < contents->handed.count; i++)
		drop_call(run, contents->handed.items[i].receive);
	array_release(&contents->reported);
	array_release(&contents->handed);
	array_release(&contents->awaited);
	array_release(&contents->awaited_broadcasts);
	array_release(&contents->changed);
	map_release(&contents->unordered);
	slots_release(&contents->messages);
	slots_release(&contents->broadcasts);
}
