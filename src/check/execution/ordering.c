#include "check/execution/ordering.h"

#include "calls/calls.h"
#include "check/execution/message_races.h"

/* Moments */

struct ordered_moment moment_now(struct ordered_process *process)
{
	return (struct ordered_moment){process, clock_keep(process->clock), process->count};
}

struct ordered_moment moment_keep(const struct ordered_moment *moment)
{
	return (struct ordered_moment){moment->process, clock_keep(moment->clock), moment->count};
}

void moment_release(struct ordered_moment *moment)
{
	clock_drop(moment->clock);
	*moment = (struct ordered_moment){0};
}

void process_learns(struct ordered_process *process, const struct ordered_moment *moment)
{
	if (!moment->process || moment->process == process)
		return;
	clock_join(&process->clock, moment->clock);
	if (moment->process->component != NO_COMPONENT)
		clock_raise(&process->clock, moment->process->component, moment->count);
}

struct ordered_process *ordered_process_of(struct ordering *ordering, struct executed_process *process)
{
	struct ordered_process *ordered = process->ordering;

	if (ordered)
		return ordered;
	ordered = memory_new(1, sizeof *ordered);
	ordered->process = process;
	ordered->component = NO_COMPONENT;
	process->ordering = ordered;
	array_add(&ordering->processes, ordered);
	return ordered;
}

void process_counts(struct ordering *ordering, struct ordered_process *process)
{
	if (process->component != NO_COMPONENT)
		return;
	process->component = ordering->component_count++;
	array_add(&ordering->components, process);
}

uint64_t process_tick(struct ordering *ordering, struct ordered_process *process)
{
	process_counts(ordering, process);
	return ++process->count;
}

/* Lists of operations */

void operations_add(struct ordered_operations *list, struct executed_operation *operation)
{
	order_of(operation)->previous = list->last;
	*(list->last ? &order_of(list->last)->next : &list->first) = operation;
	list->last = operation;
}

void operations_remove(struct ordered_operations *list, struct executed_operation *operation)
{
	struct operation_order *order = order_of(operation);

	*(order->previous ? &order_of(order->previous)->next : &list->first) = order->next;
	*(order->next ? &order_of(order->next)->previous : &list->last) = order->previous;
	order->next = order->previous = NULL;
}

/* Events of the execution */

static void began(void *owner, struct executed_operation *operation)
{
	struct operation_order *order = memory_new(1, sizeof *order);

	operation->ordering = order;
	order->begin = moment_now(ordered_process_of(owner, operation->process));
	if (operation->state & OPERATION_CONTINUED)
		order_resume(owner, operation);
	races_began(owner, operation);
}

static void matched(void *owner, struct executed_operation *send, struct executed_operation *receive)
{
	struct operation_order *from = order_of(send), *to = order_of(receive);

	/* The previous one may have been cancelled. */
	moment_release(&to->incoming);
	moment_release(&from->incoming);
	to->incoming = moment_keep(&from->begin);
	if (send->call->flags & CHECK_CALL_SYNCHRONOUS) {
		const struct executed_operation *first = races_first_taker(send, receive);
		from->receive_number = first->number;
		from->incoming = moment_keep(&order_of(first)->begin);
	}
	/* The send was complete before its receive was known. */
	if (from->over_count)
		process_learns(from->begin.process, &from->incoming);
	races_matched(owner, send, receive);
	ready_matched(owner, send, receive);
}

static void over(void *owner, struct executed_operation *operation)
{
	struct operation_order *order = order_of(operation);

	if (order->over_count) /* in another execution */
		return;
	if (operation->call->operation == OPERATION_COLLECTIVE)
		collective_learn(owner, operation);
	else if (operation->call->operation == OPERATION_PROBE && operation->partner)
		process_learns(order->begin.process, &order_of(operation->partner)->begin);
	else
		process_learns(order->begin.process, &order->incoming);
	/* An unresolved receive with a wildcard may have completed it. */
	if (operation->call->flags & CHECK_CALL_SYNCHRONOUS && !order->incoming.process &&
	    operation->candidate)
		process_learns(order->begin.process,
		               &order_of(races_first_taker(operation, operation->candidate))->begin);
	races_over(owner, operation);
}

void collective_freed(struct ordering *ordering, const struct executed_collective *collective)
{
	for (uint32_t i = 0; i < comm_places(collective->comm); i++) {
		const struct executed_operation *member = collective->members[i];

		if (!member)
			continue;
		if (member->call->function != CALL_Comm_free &&
		    member->call->function != CALL_Comm_disconnect)
			return;
		races_comm_freed(ordering, order_of(member)->begin.process, collective->comm->identity);
	}
}

static void all_there(void *owner, struct executed_collective *collective)
{
	ordering_all_here(owner, collective);
}

static void window(void *owner, struct executed_thread *thread, struct analysed_call *call, uint64_t first)
{
	struct ordering *ordering = owner;

	(void)first;
	ordering->has_windows = true;
	window_ordered(owner, thread, call);
}

static void window_gone(void *owner, struct executed_window *gone)
{
	(void)owner;
	window_order_gone(gone);
}

static void freed(void *owner, struct executed_operation *operation)
{
	struct operation_order *order = order_of(operation);

	if (!order)
		return;
	races_freed(owner, operation);
	moment_release(&order->begin);
	moment_release(&order->incoming);
	free(order);
	operation->ordering = NULL;
}

struct ordering *ordering_new(struct execution *execution, struct findings_log *log)
{
	struct ordering *ordering = memory_new(1, sizeof *ordering);

	ordering->execution = execution;
	ordering->known = execution->known;
	ordering->log = log;
	ordering->reports = race_reports_new();
	execution_listen(execution, &(struct execution_listener){.owner = ordering,
	                                                         .began = began,
	                                                         .matched = matched,
	                                                         .over = over,
	                                                         .all_there = all_there,
	                                                         .window = window,
	                                                         .window_gone = window_gone,
	                                                         .freed = freed});
	return ordering;
}

void ordering_end(struct ordering *ordering)
{
	races_end(ordering);
	race_reports_write(ordering);
}

void ordering_free(struct ordering *ordering)
{
	for (size_t i = 0; i < ordering->processes.count; i++) {
		struct ordered_process *process = ordering->processes.items[i];
		races_release(ordering, process);
		clock_drop(process->clock);
		free(process);
	}
	array_release(&ordering->processes);
	array_release(&ordering->components);
	order_parts_release(ordering);
	order_resumed_release(ordering);
	race_reports_free(ordering);
	map_release(&ordering->unready);
	free(ordering);
}

uint64_t ordering_count(struct ordering *ordering, struct executed_process *process)
{
	return process_tick(ordering, ordered_process_of(ordering, process));
}

bool ordering_is_before(const struct ordering *ordering, const struct executed_process *earlier,
                        uint64_t count, const struct executed_process *later)
{
	const struct ordered_process *from = earlier->ordering, *to = later->ordering;

	(void)ordering;
	if (from == to || earlier == later)
		return true;
	return from && to && from->component != NO_COMPONENT &&
	       clock_get(to->clock, from->component) >= count;
}

bool ordering_was_before(const struct executed_process *earlier, uint64_t count,
                         const struct executed_operation *later)
{
	const struct ordered_process *from = earlier->ordering;

	return later->process == earlier || (from && is_known_at(&order_of(later)->begin, from, count));
}

void ordering_set_elsewhere(struct ordering *ordering, const struct order_elsewhere *elsewhere)
{
	ordering->elsewhere = *elsewhere;
}

bool ordering_has_clocks(const struct ordering *ordering)
{
	return ordering->component_count;
}
