/* The state of a process as frames, from which another execution goes on (CHANGE_RESUMES…). */
#include "check/execution/execution_parts.h"
#include "check/parts/part.h"

enum { EVENTS_BYTES = 1 << 20 /* of a frame */ };

struct handover {
	part_put *put;
	void *owner;
	struct check_part *part;
	struct analysed_process *process;
	struct map types, calls; /* by pointer: numbers */
	uint32_t type_count, call_count;
	struct message_writer events;
	ARRAY(struct message_writer) full; /* events of frames before that */
	ARRAY(uint64_t) ended;             /* identities of communicators that the process has freed */
	bool is_known;                     /* its definitions have been put: they only get their numbers */
};

static void put_frame(void *owner, enum message_kind kind, const struct message_writer *body)
{
	const struct handover *to = owner;

	to->put(to->owner, to->process, kind, body);
}

static struct announcer announcer_of(struct handover *to)
{
	return (struct announcer){&to->types, &to->type_count, put_frame, to};
}

static void put_change(struct handover *to, enum event_change change)
{
	put_number(&to->events, 0);
	put_number(&to->events, change);
}

/* Calls name communicators that their process has freed. */
static void put_call(struct handover *to, const struct analysed_call *call, uint32_t number)
{
	const struct announcer announcer = announcer_of(to);
	const struct comm_member *member = call->member;

	if (member && process_membership(to->process, member->comm->identity) != member) {
		if (!to->is_known)
			announce_comm(&announcer, member);
		array_add(&to->ended, member->comm->identity);
	}
	if (!to->is_known)
		announce_call(&announcer, call, number);
}

/* A frame has a limit. */
static void end_frame(struct handover *to, size_t most)
{
	if (to->events.size <= most)
		return;
	array_add(&to->full, to->events);
	to->events = (struct message_writer){0};
}

/* Of a process that is gone, numbers start again. */
static uint32_t call_number(struct handover *to, const struct analysed_call *call)
{
	uint32_t *number;

	if (!call)
		return 0;
	number = map_put(&to->calls, map_key((uintptr_t)call, 0));
	if (*number == MAP_NONE) {
		*number = ++to->call_count;
		put_call(to, call, *number);
	}
	return *number;
}

static void put_definitions(struct handover *to)
{
	const struct analysed_process *process = to->process;
	const struct announcer announcer = announcer_of(to);

	for (size_t i = 0; i < process->memberships.count && !to->is_known; i++)
		if (process->memberships.items[i])
			announce_comm(&announcer, process->memberships.items[i]);
	to->type_count = (uint32_t)process->types.count;
	for (uint32_t i = 1; i < process->types.count; i++) {
		uint32_t *number;

		if (!process->types.items[i])
			continue;
		number = map_put(&to->types, map_key((uintptr_t)process->types.items[i], 0));
		*number = *number == MAP_NONE ? i : *number;
		if (!to->is_known)
			announce_type_as(&announcer, process->types.items[i], i);
	}
	to->call_count = (uint32_t)process->calls.count;
	for (uint32_t i = 1; i < process->calls.count; i++)
		if (process->calls.items[i]) {
			*map_put(&to->calls, map_key((uintptr_t)process->calls.items[i], 0)) = i;
			put_call(to, process->calls.items[i], i);
		}
}

static void put_comms(struct handover *to)
{
	for (size_t i = 0; i < to->process->memberships.count; i++) {
		const struct comm_member *member = to->process->memberships.items[i];
		const struct executed_comm *comm = member ? member->comm->execution : NULL;

		if (!comm || !member->next_collective)
			continue;
		put_change(to, CHANGE_RESUMES_COMM);
		put_number(&to->events, member->comm->identity);
		put_number(&to->events, member->next_collective);
		put_number(&to->events, comm->collectives.first);
	}
}

static int compare_operations(const void *a, const void *b)
{
	const struct executed_operation *x = *(struct executed_operation *const *)a,
					*y = *(struct executed_operation *const *)b;

	return (x->number > y->number) - (x->number < y->number);
}

struct open_operations {
	struct executed_operation **items;
	size_t count, room;
};

static void list_operations(const struct executed_process *process, struct open_operations *list)
{
	for (uint32_t i = 0; i < process->table_room; i++)
		for (struct executed_operation *at = process->table[i]; at; at = at->chained)
			array_add(list, at);
	if (list->count)
		qsort(list->items, list->count, sizeof *list->items, compare_operations);
}

static void put_operation(struct handover *to, const struct executed_operation *operation)
{
	const struct analysed_call *call = operation->call;
	const bool is_wildcard = call->flags & CHECK_CALL_WILDCARD && operation->state & OPERATION_RESOLVED;
	const uint32_t number = call_number(to, call);
	uint32_t kept = OPERATION_MATCHED | OPERATION_OVER | OPERATION_DROPPED | OPERATION_BUFFERED |
	                OPERATION_RETURNED;

	kept |= is_wildcard ? OPERATION_RESOLVED : 0;
	put_change(to, CHANGE_RESUMES);
	put_number(&to->events, number);
	put_number(&to->events, operation->number);
	put_number(&to->events, operation->state & kept);
	put_number(&to->events, call->operation == OPERATION_COLLECTIVE ? operation->sequence
	                        : call->operation == OPERATION_SEND     ? operation->hash
	                        : is_wildcard                           ? (uint32_t)operation->tag
	                                                                : 0);
	put_number(&to->events, is_wildcard ? (uint32_t)operation->source : 0);
}

static void put_operations(struct handover *to, const struct open_operations *list)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->items[i]->state & OPERATION_BEGUN)
			put_operation(to, list->items[i]);
}

static void put_list(struct handover *to, uint64_t arrived, uint32_t count, const uint64_t *numbers)
{
	put_number(&to->events, count);
	for (uint32_t i = 0; i < count; i++)
		put_number(&to->events, arrived - numbers[i]);
}

/* The call that the thread waits in, unless it began the operation that it waits for. */
static void put_wait(struct handover *to, const struct executed_process *process)
{
	const struct executed_thread *thread = process->current;
	const uint32_t other = CHECK_CALL_NONBLOCKING | CHECK_CALL_PERSISTENT | CHECK_CALL_TOGETHER;
	ARRAY(uint64_t) numbers = {0};

	if (thread->blocked != BLOCKED_OPERATIONS ||
	    (!thread->is_tested && thread->waits.count == 1 && thread->waits.items[0]->call == thread->call &&
	     !(thread->call->flags & other)))
		return;
	for (size_t i = 0; i < thread->waits.count; i++)
		array_add(&numbers, thread->waits.items[i]->number);
	put_change(to, thread->is_tested ? CHANGE_COMPLETES : CHANGE_WAITS);
	if (!thread->is_tested)
		put_number(&to->events, call_number(to, thread->call));
	put_list(to, process->begun, (uint32_t)numbers.count, numbers.items);
	array_release(&numbers);
}

/* The message of a receive or probe with a wildcard. NULL: the operation is over. */
static void put_takes(struct handover *to, const struct executed_operation *operation, uint64_t arrived)
{
	if (!operation)
		return;
	put_change(to, CHANGE_TAKES);
	put_number(&to->events, arrived - operation->number);
	put_integer(&to->events, operation->source);
	put_integer(&to->events, operation->tag);
}

static void put_step(struct handover *to, const struct execution_step *step, uint64_t *arrived)
{
	const uint32_t number = call_number(to, step->call);

	switch (step->kind) {
	case STEP_BEGINS:
		put_number(&to->events, number);
		if (call_has_hash(step->call))
			put_number(&to->events, step->hash);
		++*arrived;
		break;
	case STEP_WAITS:
		put_change(to, CHANGE_WAITS);
		put_number(&to->events, number);
		put_list(to, *arrived, step->count, step->numbers);
		break;
	case STEP_COMPLETES:
		put_change(to, CHANGE_COMPLETES);
		put_list(to, *arrived, step->count, step->numbers);
		break;
	case STEP_TAKES:
		put_takes(to, operation_find(to->process->execution, step->number), *arrived);
		break;
	case STEP_ENDS:
		put_change(to, CHANGE_ENDS);
		put_number(&to->events, step->number);
		break;
	default: /* not in a part */
		break;
	}
}

static void put_steps(struct handover *to, struct executed_process *process,
                      const struct open_operations *list)
{
	struct execution *execution = to->part->run->execution;
	uint64_t arrived = process->begun;
	struct execution_step step;

	while (step_take(execution, process->current, &step)) {
		put_step(to, &step, &arrived);
		end_frame(to, EVENTS_BYTES);
		if (step.call)
			call_drop(&to->part->run->known, step.call);
	}
	for (size_t i = 0; i < list->count; i++)
		if (!(list->items[i]->state & OPERATION_BEGUN) && list->items[i]->state & OPERATION_DROPPED) {
			put_change(to, CHANGE_DROPS);
			put_number(&to->events, arrived - list->items[i]->number);
			put_number(&to->events, 0);
		}
}

/* Data that is compared. First the numbers of messages in channels, later everything else. */
static void put_contents(struct handover *to, const struct executed_process *process, bool is_of_channels)
{
	const struct part_process *own = to->process->part;

	for (size_t i = 0; i < own->contents.count; i++) {
		const struct handed_content *item = &own->contents.items[i];
		const uint32_t number = call_number(to, item->call);
		const int count = item->change == CHANGE_RECEIVES  ? 1
		                  : item->change == CHANGE_CONTENT ? 3
		                  : item->change == CHANGE_CHANNEL ? 5
		                                                   : 6;

		if ((item->change == CHANGE_CHANNEL) != is_of_channels)
			continue;
		put_change(to, item->change);
		if (!is_of_channels)
			put_number(&to->events, number);
		for (int j = 0; j < count; j++)
			put_number(&to->events, !j && item->has_operation ? process->arrived - item->operation
			                                                  : item->numbers[j]);
		if (!is_of_channels) {
			end_frame(to, EVENTS_BYTES);
		} else if (to->events.size > EVENTS_BYTES) { /* all other events come later */
			put_frame(to, MESSAGE_EVENTS, &to->events);
			to->events.size = 0;
		}
	}
}

/* Sends whose buffers the program has changed. */
static void put_uncompared(struct handover *to)
{
	for (uint32_t i = 1; i < to->process->calls.count; i++)
		if (to->process->calls.items[i] && to->process->calls.items[i]->is_uncompared) {
			put_change(to, CHANGE_CONTENT);
			put_number(&to->events, i);
			for (int j = 0; j < 3; j++)
				put_number(&to->events, 0);
		}
}

/* Sent first, but known last: the communicators that are named. */
static void put_beginning(struct handover *to)
{
	put_change(to, CHANGE_POSITION);
	put_number(&to->events, to->process->received_until);
	put_comms(to);
	put_contents(to, to->process->execution, true);
	for (size_t i = 0; i < to->process->memberships.count; i++)
		if (to->process->memberships.items[i] && to->process->memberships.items[i]->has_ended)
			array_add(&to->ended, to->process->memberships.items[i]->comm->identity);
	for (size_t i = 0; i < to->ended.count; i++) {
		put_change(to, CHANGE_ENDS);
		put_number(&to->events, to->ended.items[i]);
	}
}

static void put_execution(struct handover *to, struct executed_process *process)
{
	struct open_operations list = {0};
	uint32_t call, last;

	list_operations(process, &list);
	put_operations(to, &list);
	call = call_number(to, process->current->call);
	last = call_number(to, to->process->last);
	put_change(to, CHANGE_RESUMED);
	put_number(&to->events, process->begun);
	put_number(&to->events, call);
	put_number(&to->events, last);
	put_wait(to, process);
	put_steps(to, process, &list);
	put_uncompared(to);
	put_contents(to, process, false);
	end_frame(to, 0);
	put_beginning(to);
	put_frame(to, MESSAGE_EVENTS, &to->events);
	for (size_t i = 0; i < to->full.count; i++) {
		put_frame(to, MESSAGE_EVENTS, &to->full.items[i]);
		writer_release(&to->full.items[i]);
	}
	array_release(&to->full);
	array_release(&list);
}

static void put_crash(struct handover *to)
{
	const struct process_crash *crash = to->process->crash;
	struct message_writer body = {0};

	put_number(&body, call_number(to, to->process->last));
	put_text(&body, crash->cause);
	call_put(&body, &crash->call);
	put_frame(to, MESSAGE_STATE, &body);
	writer_release(&body);
}

/* Frames that were kept. */
static void put_held(struct handover *to, const struct message_writer *held)
{
	struct cursor in = writer_cursor(held), body;
	enum message_kind kind;

	while (frame_next(&in, FRAME_BYTES_MAX, &kind, &body)) {
		const struct message_writer rest = cursor_rest(&body);

		put_frame(to, kind, &rest);
	}
}

static void put_order(void *owner, const struct message_writer *items)
{
	put_frame(owner, MESSAGE_ORDER, items);
}

static void put_rest(struct handover *to, const struct part_process *own)
{
	struct message_writer end = {0};

	if (own->known->execution)
		put_execution(to, own->known->execution);
	if (own->known->crash)
		put_crash(to);
	put_held(to, &own->held);
	if (own->has_ended) {
		put_number(&end, own->end);
		put_frame(to, MESSAGE_BYE, &end);
		writer_release(&end);
	}
}

/* With calls of other parts: those are known by then. */
static void put_order_of(struct handover *to, bool with_reports)
{
	if (to->process->execution)
		ordering_hand_over(to->part->run->ordering, to->process->execution, with_reports, put_order,
		                   to);
}

static void hand_over(struct check_part *part, struct part_process *own, uint32_t round, bool is_first,
                      part_put *put, void *owner)
{
	struct handover to = {.put = put, .owner = owner, .part = part, .process = own->known};

	put(owner, own->known, MESSAGE_HELLO, NULL);
	own->handed = round;
	if (round > PART_HANDS_OVER && round < PART_ROUNDS) {
		put_order_of(&to, is_first);
		return;
	}
	to.is_known = round > PART_HANDS_OVER;
	put_definitions(&to);
	to.is_known = false;
	if (round == PART_ROUNDS)
		put_rest(&to, own);
	map_release(&to.types);
	map_release(&to.calls);
	array_release(&to.ended);
	writer_release(&to.events);
}

/* Also the rounds before, of one that has come since then. Reports of races go with the first process. */
static void hand_over_round(struct check_part *part, uint32_t round, part_put *put, void *owner)
{
	bool is_first = true;

	for (size_t i = 0; i < part->processes.count; i++) {
		struct part_process *own = part->processes.items[i];

		while (own->is_own && own->handed < round) {
			hand_over(part, own, own->handed ? own->handed + 1 : PART_HANDS_OVER, is_first, put,
			          owner);
			is_first &= !own->known->execution;
		}
	}
}

void part_hand_over(struct check_part *part, uint32_t round, part_put *put, void *owner)
{
	if (!part->handed)
		part_collect_contents(part);
	while (part->handed < round) {
		part->handed = part->handed ? part->handed + 1 : PART_HANDS_OVER;
		hand_over_round(part, part->handed, put, owner);
	}
	if (round < PART_ROUNDS)
		return;
	for (size_t i = 0; i < part->processes.count; i++) {
		writer_release(&part->processes.items[i]->held);
		part->processes.items[i]->held = (struct message_writer){0};
	}
	part->held_bytes = 0;
	part_contents_free(part);
	part_order_end(part);
	analysis_release(part->run);
}
