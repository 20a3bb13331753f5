#include "check/matching/analysis.h"

/* Of both sides: the sender's tells the directions of an intercommunicator apart. */
static struct map_key queue_key(const struct analysed_comm *comm, uint32_t side, uint32_t source,
                                uint32_t dest, int32_t tag)
{
	return map_key((uint64_t)comm->number << 33 | (uint64_t)side << 32 | source,
	               (uint64_t)dest << 32 | (uint32_t)tag);
}

static struct message_queue *new_queue(struct checked_run *analysis, struct map_key key, uint32_t *slot)
{
	struct message_queue *queue = memory_new(1, sizeof *queue);

	if (analysis->free_queues.count) {
		*slot = analysis->free_queues.items[--analysis->free_queues.count];
		analysis->queues.items[*slot] = queue;
	} else {
		*slot = (uint32_t)analysis->queues.count;
		array_add(&analysis->queues, queue);
	}
	queue->key = key;
	queue->slot = *slot;
	return queue;
}

static struct message_queue *find_queue(struct checked_run *analysis, const struct analysed_call *call,
                                        uint32_t peer, int32_t tag)
{
	const struct comm_member *member = call->member;
	bool sends = call->operation == OPERATION_SEND,
	     is_inter = member->comm->size[1] && member->comm->size[0];
	uint32_t source = sends ? member->rank : peer, dest = sends ? peer : member->rank;
	uint32_t side = is_inter && !sends ? !member->side : member->side;
	struct map_key key = queue_key(member->comm, side, source, dest, tag);
	uint32_t *slot = map_put(&analysis->queue_numbers, key);
	struct message_queue *queue;

	if (*slot != MAP_NONE)
		return analysis->queues.items[*slot];
	queue = new_queue(analysis, key, slot);
	queue->comm = member->comm;
	queue->source = source;
	queue->dest = dest;
	queue->tag = tag;
	return queue;
}

static void free_queue(struct checked_run *analysis, struct message_queue *queue)
{
	for (int i = 0; i < 2; i++)
		if (queue->matched[i])
			call_drop(&analysis->known, queue->matched[i]);
	map_remove(&analysis->queue_numbers, queue->key);
	analysis->queues.items[queue->slot] = NULL;
	array_add(&analysis->free_queues, queue->slot);
	free(queue);
}

static void free_unused(struct checked_run *analysis, struct message_queue *queue)
{
	if (!queue->users && !queue->first)
		free_queue(analysis, queue);
}

void message_queue_release(struct message_queue *queue, void *analysis)
{
	queue->users--;
	free_unused(analysis, queue);
}

/* The queue of an event: mostly that of the one before. */
static struct message_queue *queue_of(struct checked_run *analysis, struct analysed_call *call, int32_t peer,
                                      int32_t tag)
{
	if (call->queue && call->queue_peer == peer && call->queue_tag == tag)
		return call->queue;
	if (call->queue)
		message_queue_release(call->queue, analysis);
	call->queue = find_queue(analysis, call, (uint32_t)peer, tag);
	call->queue->users++;
	call->queue_peer = peer;
	call->queue_tag = tag;
	return call->queue;
}

static struct pending_operation *new_operation(struct checked_run *analysis, struct analysed_call *call)
{
	struct pending_operation *operation = analysis->free_operations;

	if (operation)
		analysis->free_operations = operation->next;
	else
		operation = memory_new(1, sizeof *operation);
	*operation = (struct pending_operation){.call = call_keep(call), .count = 1};
	return operation;
}

static void append_operation(struct checked_run *analysis, struct message_queue *queue,
                             struct analysed_call *call, uint64_t number)
{
	struct pending_operation *operation;

	analysis->waiting++;
	if (queue->first && queue->last->call == call && queue->last->number == number) {
		queue->last->count++;
		return;
	}
	operation = new_operation(analysis, call);
	operation->number = number;
	if (queue->first)
		queue->last->next = operation;
	else
		queue->first = operation;
	queue->last = operation;
}

/* One of an entry is over; `before` is the entry in front of it. */
static void take_one(struct checked_run *analysis, struct message_queue *queue,
                     struct pending_operation *operation, struct pending_operation *before)
{
	analysis->waiting--;
	if (--operation->count)
		return;
	if (before)
		before->next = operation->next;
	else
		queue->first = operation->next;
	if (queue->last == operation)
		queue->last = before;
	call_drop(&analysis->known, operation->call);
	operation->next = analysis->free_operations;
	analysis->free_operations = operation;
}

static void remember(struct checked_run *analysis, struct message_queue *queue, int side,
                     struct analysed_call *call)
{
	if (queue->matched[side] == call)
		return;
	call_keep(call);
	if (queue->matched[side])
		call_drop(&analysis->known, queue->matched[side]);
	queue->matched[side] = call;
}

static void meet(struct checked_run *analysis, struct message_queue *queue, struct analysed_call *call,
                 uint64_t number)
{
	struct analysed_call *other = queue->first->call;
	bool sends = call->operation == OPERATION_SEND;
	struct analysed_call *send = sends ? call : other, *receive = sends ? other : call;

	remember(analysis, queue, 0, send);
	remember(analysis, queue, 1, receive);
	if (send->partner != receive->serial)
		check_message(analysis, send, receive);
	else if (send->finding != FINDING_NONE)
		findings_log_repeat(analysis->log, send->finding);
	queue->met_count++;
	if (receive->flags & CHECK_CALL_CONTENT)
		content_met(analysis, queue, send, receive, sends ? number : queue->first->number,
		            sends ? queue->first->number : number);
	take_one(analysis, queue, queue->first, NULL);
}

static void operate(struct checked_run *analysis, struct message_queue *queue, struct analysed_call *call,
                    uint64_t number)
{
	if (queue->first && queue->first->call->operation != call->operation)
		meet(analysis, queue, call, number);
	else
		append_operation(analysis, queue, call, number);
}

bool message_event(struct checked_run *analysis, struct analysed_call *call, struct cursor *in)
{
	int64_t peer = call->peer, tag = call->tag;
	uint64_t number;

	if (call->flags & CHECK_CALL_WILDCARD) {
		peer = take_signed(in);
		take_signed(in); /* in the world: for routing */
		tag = take_signed(in);
	}
	number = call->flags & CHECK_CALL_CONTENT ? take_varint(in) : 0;
	if (!in->bad && peer == -1 && call->flags & CHECK_CALL_WILDCARD) {
		array_add(&analysis->unresolved, call_keep(call));
		return true;
	}
	if (in->bad || peer < 0 || peer > INT32_MAX || tag < INT32_MIN || tag > INT32_MAX)
		return false;
	operate(analysis, queue_of(analysis, call, (int32_t)peer, (int32_t)tag), call, number);
	return true;
}

static bool take_last(struct checked_run *analysis, struct message_queue *queue,
                      const struct analysed_call *call)
{
	struct pending_operation *found = NULL, *before_found = NULL, *before = NULL;

	for (struct pending_operation *at = queue->first; at; before = at, at = at->next)
		if (at->call == call) {
			found = at;
			before_found = before;
		}
	if (found)
		take_one(analysis, queue, found, before_found);
	return found;
}

/* It may have met another operation before anybody knew that it was cancelled: then that one is without a partner again, and goes to
 * the front. */
static void part(struct checked_run *analysis, struct message_queue *queue, const struct analysed_call *call)
{
	struct analysed_call *other = queue->matched[call->operation == OPERATION_SEND];
	struct pending_operation *operation;

	if (!other)
		return;
	if (queue->first && queue->first->call->operation == call->operation) {
		meet(analysis, queue, other, 0);
		return;
	}
	operation = new_operation(analysis, other);
	analysis->waiting++;
	operation->next = queue->first;
	if (!queue->first)
		queue->last = operation;
	queue->first = operation;
}

bool message_cancelled(struct checked_run *analysis, struct analysed_call *call)
{
	struct message_queue *queue = call->queue;

	/* A receive with a wildcard that was cancelled has had no event. */
	if (call->operation != OPERATION_SEND && call->operation != OPERATION_RECEIVE)
		return false;
	/* Which of several equal ones it was is not known. */
	if (queue)
		queue->is_uncompared = true;
	if (queue && !take_last(analysis, queue, call))
		part(analysis, queue, call);
	return true;
}

void message_queues_free(struct checked_run *analysis)
{
	for (size_t i = 0; i < analysis->queues.count; i++) {
		struct message_queue *queue = analysis->queues.items[i];
		while (queue && queue->first) {
			queue->first->count = 1;
			take_one(analysis, queue, queue->first, NULL);
		}
		if (queue)
			free_queue(analysis, queue);
	}
	while (analysis->free_operations) {
		struct pending_operation *next = analysis->free_operations->next;
		free(analysis->free_operations);
		analysis->free_operations = next;
	}
	for (size_t i = 0; i < analysis->unresolved.count; i++)
		call_drop(&analysis->known, analysis->unresolved.items[i]);
	array_release(&analysis->unresolved);
	map_release(&analysis->queue_numbers);
	array_release(&analysis->queues);
	array_release(&analysis->free_queues);
}
