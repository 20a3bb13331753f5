/* Operations: lookup by number, and lifetime. */
#include "check/execution/execution_parts.h"

enum {
	TABLE_MIN = 8,
	OVERTAKEN_LOOKED_AT = 256, /* of other threads; with more, the order is unknown */
};

static struct executed_operation *operation_new(struct execution *execution, struct executed_process *process,
                                                uint64_t number)
{
	struct executed_operation *operation = execution->free_operations;

	if (operation)
		execution->free_operations = operation->links[LIST_WAITING].next;
	else
		operation = memory_new(1, sizeof *operation);
	*operation = (struct executed_operation){
		.process = process, .number = number, .source = -1, .tag = -1, .references = 1};
	execution->operation_count++;
	return operation;
}

void operation_release(struct execution *execution, struct executed_operation *operation)
{
	if (--operation->references)
		return;
	if (operation->call) {
		LISTENERS_CALL(execution, freed, operation);
		call_drop(execution->known, operation->call);
	}
	if (operation->partner)
		operation_release(execution, operation->partner);
	operation->links[LIST_WAITING].next = execution->free_operations;
	execution->free_operations = operation;
	execution->operation_count--;
}

/* The table */

static void table_grow(struct executed_process *process)
{
	const uint32_t room = process->table_room ? process->table_room * 2 : TABLE_MIN;
	struct executed_operation **larger = memory_new(room, sizeof(struct executed_operation *));

	for (uint32_t i = 0; i < process->table_room; i++)
		for (struct executed_operation *at = process->table[i], *next; at; at = next) {
			next = at->chained;
			at->chained = larger[at->number & (room - 1)];
			larger[at->number & (room - 1)] = at;
		}
	free(process->table);
	process->table = larger;
	process->table_room = room;
}

static void table_add(struct executed_process *process, struct executed_operation *operation)
{
	struct executed_operation **chain;

	if (operation->state & OPERATION_TABLED)
		return;
	if (process->table_count == process->table_room)
		table_grow(process);
	chain = &process->table[operation->number & (process->table_room - 1)];
	operation->chained = *chain;
	*chain = operation_keep(operation);
	operation->state |= OPERATION_TABLED;
	process->table_count++;
}

static void table_remove(struct execution *execution, struct executed_operation *operation)
{
	struct executed_process *process = operation->process;
	struct executed_operation **at;

	if (!(operation->state & OPERATION_TABLED))
		return;
	at = &process->table[operation->number & (process->table_room - 1)];
	while (*at != operation)
		at = &(*at)->chained;
	*at = operation->chained;
	operation->state &= ~(uint32_t)OPERATION_TABLED;
	process->table_count--;
	operation_release(execution, operation);
}

struct executed_operation *operation_find(const struct executed_process *process, uint64_t number)
{
	struct executed_operation *at;

	if (!process->table_count)
		return NULL;
	at = process->table[number & (process->table_room - 1)];
	while (at && at->number != number)
		at = at->chained;
	return at;
}

/* Beginning and end */

void operation_expect(struct execution *execution, struct executed_process *process, uint64_t number,
                      struct analysed_call *call)
{
	struct executed_operation *operation = operation_find(process, number);

	if (!operation) {
		operation = operation_new(execution, process, number);
		table_add(process, operation);
		process->early++;
		operation_release(execution, operation);
	}
	operation->expected = call;
	if (call && call->operation == OPERATION_COLLECTIVE)
		collective_count(operation, call);
}

/* True if the process can still refer to the operation. A blocking operation is over when another event
 * follows. */
static bool may_be_named(const struct executed_operation *operation)
{
	const uint32_t flags = operation->call->flags;

	return flags & (CHECK_CALL_NONBLOCKING | CHECK_CALL_PERSISTENT | CHECK_CALL_TOGETHER) ||
	       !(operation->state & OPERATION_RESOLVED) ||
	       operation->call->operation == OPERATION_MATCHED_PROBE || operation->process->is_threaded;
}

static bool values_meet(int32_t a, int32_t b)
{
	return a < 0 || b < 0 || a == b;
}

static bool share_channel(const struct analysed_call *a, const struct analysed_call *b, int32_t peer,
                          int32_t tag)
{
	return a->operation != OPERATION_COLLECTIVE && b->operation != OPERATION_COLLECTIVE &&
	       (a->operation == OPERATION_SEND) == (b->operation == OPERATION_SEND) &&
	       a->member == b->member && values_meet(a->peer, peer) && values_meet(a->tag, tag);
}

bool calls_may_share_channel(const struct analysed_call *a, const struct analysed_call *b)
{
	return share_channel(a, b, b->peer, b->tag);
}

void operation_unordered(struct execution *execution, struct executed_process *process, uint64_t number,
                         const struct analysed_call *call)
{
	struct executed_operation *operation = operation_find(process, number);

	if (operation)
		operation->state |= OPERATION_UNORDERED;
	/* The operation may already be matched. */
	if (call->peer >= 0 && call->tag >= 0)
		LISTENERS_CALL(execution, unordered, call, call->peer, call->tag);
}

/* True if messages of both could belong to one channel. `other` has not begun. */
static bool may_share_channel(const struct analysed_call *call, const struct executed_operation *other)
{
	const struct analysed_call *expected = other->expected;
	const bool is_resolved = other->state & OPERATION_RESOLVED;

	return !expected || share_channel(call, expected, is_resolved ? other->source : expected->peer,
	                                  is_resolved ? other->tag : expected->tag);
}

/* Threads may begin their operations here in another order than in the program. Those of one channel
 * then match by a guess. */
static void note_overtaken(struct executed_process *process, struct executed_operation *operation)
{
	uint32_t looked = 0;

	if (!process->early)
		process->begun_below = operation->number;
	for (uint64_t number = process->begun_below; number < operation->number; number++) {
		struct executed_operation *other = operation_find(process, number);
		const bool has_begun = !other || other->state & OPERATION_BEGUN;

		process->begun_below += has_begun && number == process->begun_below;
		if (++looked > OVERTAKEN_LOOKED_AT) {
			operation->state |= OPERATION_UNORDERED;
			return;
		}
		if (!has_begun && may_share_channel(operation->call, other)) {
			operation->state |= OPERATION_UNORDERED;
			other->state |= OPERATION_UNORDERED;
		}
	}
}

struct executed_operation *operation_begin(struct execution *execution, struct executed_thread *thread,
                                           struct analysed_call *call, uint64_t number)
{
	struct executed_process *process = thread->process;
	struct executed_operation *operation = process->early ? operation_find(process, number) : NULL;

	process->early -= operation != NULL;
	operation = operation ? operation_keep(operation) : operation_new(execution, process, number);
	process->begun++;
	operation->call = call_keep(call);
	operation->thread = thread;
	operation->began = execution->now;
	operation->state |= OPERATION_BEGUN;
	if (process->is_threaded)
		note_overtaken(process, operation);
	if (!(operation->state & OPERATION_RESOLVED)) {
		operation->source = call->peer;
		operation->tag = call->tag;
		if (!(call->flags & CHECK_CALL_WILDCARD) || (call->peer >= 0 && call->tag >= 0))
			operation->state |= OPERATION_RESOLVED;
	}
	if (call->flags & CHECK_CALL_BUFFERED)
		operation->state |= OPERATION_BUFFERED;
	if (operation->state & (execution->part ? OPERATION_VOID : OPERATION_VOID | OPERATION_DROPPED))
		table_remove(execution, operation);
	else if (execution->carry || may_be_named(operation))
		table_add(process, operation);
	return operation;
}

void operation_done(struct execution *execution, struct executed_operation *operation)
{
	struct executed_thread *thread = operation->waiter;

	operation->waiter = NULL;
	if (!thread || thread->blocked != BLOCKED_OPERATIONS)
		return;
	thread->missing--;
	if (!thread->missing || thread->is_any)
		thread_wake(execution, thread);
}

void operation_over(struct execution *execution, struct executed_operation *operation, uint32_t how)
{
	struct executed_operation *partner = operation->partner;

	if (operation->state & (OPERATION_OVER | OPERATION_DROPPED | OPERATION_VOID))
		return;
	operation_keep(operation);
	operation->state |= how;
	if (how == OPERATION_OVER)
		LISTENERS_CALL(execution, over, operation);
	if (how != OPERATION_VOID) {
		operation->partner = NULL;
		if (partner)
			operation_release(execution, partner);
	}
	if (operation->collective)
		collective_over(execution, operation->collective);
	if (execution->carry && !execution->part && how != OPERATION_VOID &&
	    operation->call->operation == OPERATION_SEND && message_receiver(execution, operation)->is_image)
		fact_tell(execution, message_receiver(execution, operation),
		          &(struct process_fact){.kind = FACT_SEND_OVER, .operation = operation});
	/* A part may have to hand over operations without a partner. */
	if (!execution->part || how == OPERATION_VOID || operation->state & OPERATION_MATCHED)
		table_remove(execution, operation);
	operation_release(execution, operation);
}

void operation_settled(struct execution *execution, struct executed_operation *operation)
{
	if (execution->part && operation->state & (OPERATION_OVER | OPERATION_DROPPED))
		table_remove(execution, operation);
}

/* Facts */

/* Creates an operation before it begins, if something is already known about it. NULL: it is over. */
static struct executed_operation *find_or_expect(struct execution *execution,
                                                 struct executed_process *process, uint64_t number)
{
	if (!process->is_threaded && number >= process->begun)
		operation_expect(execution, process, number, NULL);
	return operation_find(process, number);
}

void operation_takes(struct execution *execution, struct executed_process *process, uint64_t number,
                     int32_t source, int32_t tag)
{
	struct executed_operation *operation = find_or_expect(execution, process, number);

	if (!operation || operation->state & OPERATION_RESOLVED)
		return;
	if (operation->call && operation->call->operation != OPERATION_PROBE && !is_receive(operation))
		return;
	operation_keep(operation);
	operation->source = source;
	operation->tag = tag;
	operation->state |= OPERATION_RESOLVED;
	if (operation->state & OPERATION_BEGUN)
		message_takes(execution, operation);
	operation_release(execution, operation);
}

/* A blocking call is not in the table: its thread waits for it. */
static struct executed_operation *find_waiting(const struct executed_process *process, uint64_t number)
{
	const struct executed_thread *thread = process->current;

	return thread->blocked == BLOCKED_OPERATIONS && thread->waits.count == 1 &&
	                       thread->waits.items[0]->number == number
	               ? thread->waits.items[0]
	               : NULL;
}

bool receive_lacks_message(const struct analysed_process *known, uint64_t distance)
{
	const struct executed_process *process = known->execution;
	const struct executed_operation *operation;

	if (!process || !distance || distance > process->arrived)
		return false;
	operation = operation_find(process, process->arrived - distance);
	if (!operation)
		operation = find_waiting(process, process->arrived - distance);
	return operation && operation->state & OPERATION_BEGUN && operation->state & OPERATION_LISTED &&
	       operation->call->operation == OPERATION_RECEIVE;
}

void operation_drops(struct execution *execution, struct executed_process *process, uint64_t number,
                     bool never_happened)
{
	struct executed_operation *operation = find_or_expect(execution, process, number);

	if (!operation && never_happened)
		operation = find_waiting(process, number);
	if (!operation)
		return;
	operation_keep(operation);
	if (!(operation->state & OPERATION_BEGUN)) {
		operation->state |= never_happened ? OPERATION_VOID : OPERATION_DROPPED;
	} else {
		operation_over(execution, operation, never_happened ? OPERATION_VOID : OPERATION_DROPPED);
		if (never_happened && operation->call->operation != OPERATION_COLLECTIVE)
			message_void(execution, operation);
		if (never_happened)
			operation_done(execution, operation);
	}
	operation_release(execution, operation);
}

struct executed_operation *operation_of_fact(struct execution *execution, struct executed_process *process,
                                             const struct carried_fact *fact)
{
	struct executed_operation *operation = operation_find(process, fact->number);
	const bool arrives = fact->kind == FACT_ARRIVED;

	if (operation || !process->is_image || (fact->kind != FACT_SENT && !arrives))
		return operation ? operation_keep(operation) : NULL;
	operation = operation_new(execution, process, fact->number);
	operation->call = call_keep(fact->call);
	operation->began = execution->now;
	operation->sequence = fact->sequence;
	operation->hash = fact->hash;
	operation->state = OPERATION_BEGUN | OPERATION_RESOLVED;
	/* No more facts about a collective call follow. */
	if (arrives)
		operation->state |= OPERATION_COUNTED | OPERATION_DROPPED;
	else
		table_add(process, operation);
	LISTENERS_CALL(execution, began, operation);
	return operation;
}

void operations_release(struct execution *execution, struct executed_process *process)
{
	for (uint32_t i = 0; i < process->table_room; i++)
		while (process->table[i]) {
			struct executed_operation *operation = operation_keep(process->table[i]);
			operation_over(execution, operation, OPERATION_DROPPED);
			table_remove(execution, operation);
			operation_release(execution, operation);
		}
	free(process->table);
	process->table = NULL;
	process->table_room = process->table_count = process->early = 0;
}
