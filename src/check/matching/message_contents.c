/* Messages whose data arrived otherwise than it was sent. A receive is named by its process and a ticket; that it met a send, and what it
 * received, come in any order. What differs is reported at the end: until then a message may turn out to be cancelled, so that others took
 * the places of those that followed it, or its sender to have changed the buffer, which is reported there. */
#include "check/matching/analysis.h"

#include <inttypes.h>

static struct map_key ticket_key(const struct analysed_call *receive, uint64_t ticket)
{
	return map_key((uint64_t)(uintptr_t)receive->process, ticket);
}

static struct awaited_content *await(struct message_contents *contents, struct map_key key)
{
	uint32_t *slot = map_put(&contents->by_ticket, key);

	if (*slot != MAP_NONE)
		return &contents->awaited.items[*slot];
	if (contents->unused.count) {
		*slot = contents->unused.items[--contents->unused.count];
	} else {
		*slot = (uint32_t)contents->awaited.count;
		array_add(&contents->awaited, (struct awaited_content){0});
	}
	return &contents->awaited.items[*slot];
}

static struct message_queue *hold(struct message_queue *queue)
{
	queue->users++;
	return queue;
}

static void let_go(struct checked_run *run, struct message_queue *queue, struct analysed_call *send,
                   struct analysed_call *receive)
{
	call_drop(&run->known, send);
	call_drop(&run->known, receive);
	message_queue_release(queue, run);
}

static void drop(struct checked_run *run, struct awaited_content *awaited)
{
	if (awaited->has_met)
		let_go(run, awaited->queue, awaited->send, awaited->receive);
	*awaited = (struct awaited_content){0};
}

static void count_changed(struct checked_run *run, const struct awaited_content *awaited)
{
	struct message_contents *contents = &run->contents;

	for (size_t i = 0; i < contents->changed.count; i++) {
		struct changed_message *changed = &contents->changed.items[i];
		if (changed->send == awaited->send && changed->receive == awaited->receive) {
			changed->times++;
			return;
		}
	}
	if (contents->changed.count == CHANGED_MAX)
		return;
	array_add(&contents->changed, ((struct changed_message){.queue = hold(awaited->queue),
	                                                        .send = call_keep(awaited->send),
	                                                        .receive = call_keep(awaited->receive),
	                                                        .received = awaited->bytes,
	                                                        .number = awaited->number,
	                                                        .times = 1}));
}

/* Both sides are known, if nothing keeps them from being compared. */
static bool has_changed(const struct awaited_content *awaited)
{
	const struct analysed_call *send = awaited->send;

	if (!awaited->sent || !awaited->received || !send->send.type)
		return false;
	/* Types that do not fit, or a message that is too long, are reported as such. */
	if (send->partner != awaited->receive->serial || send->finding != FINDING_NONE)
		return false;
	return awaited->sent != awaited->received || data_bytes(&send->send) != awaited->bytes;
}

static void settle(struct checked_run *run, struct map_key key, struct awaited_content *awaited)
{
	if (!awaited->has_met || !awaited->has_arrived)
		return;
	if (has_changed(awaited))
		count_changed(run, awaited);
	array_add(&run->contents.unused, (uint32_t)(awaited - run->contents.awaited.items));
	map_remove(&run->contents.by_ticket, key);
	drop(run, awaited);
}

void content_met(struct checked_run *run, struct message_queue *queue, struct analysed_call *send,
                 struct analysed_call *receive, uint64_t hash, uint64_t ticket)
{
	const struct map_key key = ticket_key(receive, ticket);
	struct awaited_content *awaited;

	if (!ticket)
		return;
	awaited = await(&run->contents, key);
	if (awaited->has_met)
		return; /* a ticket that came twice */
	awaited->has_met = true;
	awaited->queue = hold(queue);
	awaited->send = call_keep(send);
	awaited->receive = call_keep(receive);
	awaited->sent = hash;
	awaited->number = queue->met_count;
	settle(run, key, awaited);
}

bool content_event(struct checked_run *run, struct analysed_call *call, bool is_old, struct cursor *in)
{
	const uint64_t ticket = take_varint(in), bytes = take_varint(in), hash = take_varint(in);
	const struct map_key key = call ? ticket_key(call, ticket) : map_key(0, 0);
	const bool is_collective = call && call->operation == OPERATION_COLLECTIVE;
	struct awaited_content *awaited;

	if (in->bad || !call || (!is_collective && !(call->flags & CHECK_CALL_CONTENT)))
		return false;
	if (is_old)
		return true;
	if (is_collective) {
		broadcast_content(run, call, ticket, bytes, hash);
		return true;
	}
	if (!ticket) {
		if (call->queue)
			call->queue->is_uncompared = true;
		return true;
	}
	awaited = await(&run->contents, key);
	awaited->has_arrived = true;
	awaited->bytes = bytes;
	awaited->received = hash;
	settle(run, key, awaited);
	return true;
}

void check_changed_messages(struct checked_run *run)
{
	for (size_t i = 0; i < run->contents.changed.count; i++) {
		const struct changed_message *changed = &run->contents.changed.items[i];
		struct report_draft report;
		if (changed->queue->is_uncompared)
			continue;
		report_begin(&report, CHECK_MESSAGE_DATA_CHANGED);
		report.finding.times = changed->times;
		report_call(&report, changed->send, NOTE_SENT);
		report_call(&report, changed->receive, NOTE_RECEIVED);
		report_value(&report, "bytes", "%" PRIu64, data_bytes(&changed->send->send));
		report_value(&report, "received", "%" PRIu64, changed->received);
		report_value(&report, "number", "%" PRIu64, changed->number);
		report_end(&report, run->log);
	}
}

void contents_free(struct checked_run *run)
{
	struct message_contents *contents = &run->contents;

	for (size_t i = 0; i < contents->awaited.count; i++)
		drop(run, &contents->awaited.items[i]);
	for (size_t i = 0; i < contents->changed.count; i++) {
		const struct changed_message *changed = &contents->changed.items[i];
		let_go(run, changed->queue, changed->send, changed->receive);
	}
	array_release(&contents->awaited);
	array_release(&contents->unused);
	array_release(&contents->changed);
	map_release(&contents->by_ticket);
}
