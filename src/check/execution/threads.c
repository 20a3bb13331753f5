/* The strict execution: threads execute their steps until one of them has to wait. */
#include "check/execution/execution_parts.h"

#include "calls/calls.h"

enum { RELIEF_STEPS = 1000 };

struct executed_comm *executed_comm_get(struct analysed_comm *known)
{
	struct executed_comm *comm = known->execution;

	if (comm)
		return comm;
	comm = memory_new(1, sizeof *comm);
	comm->known = known;
	comm->member_count = known->size[0] + known->size[1];
	known->execution = comm;
	return comm;
}

void executed_comm_free(struct executed_comm *comm)
{
	inboxes_free(comm);
	window_release(comm);
	sequence_ring_release(&comm->collectives);
	comm->known->execution = NULL;
	free(comm);
}

/* Blocking and going on */

void thread_wake(struct execution *execution, struct executed_thread *thread)
{
	if (thread->is_ready || thread->blocked == BLOCKED_NOT)
		return;
	thread->is_ready = true;
	thread->next_ready = NULL;
	if (execution->first_ready)
		execution->last_ready->next_ready = thread;
	else
		execution->first_ready = thread;
	execution->last_ready = thread;
}

void thread_block(struct execution *execution, struct executed_thread *thread, enum blocked_on on)
{
	thread->blocked = on;
	thread->blocked_since = execution->now;
	thread->has_returned = false;
	if (thread->process->has_ended && thread->process->end == END_FINALIZED)
		thread->has_more = true;
	if (thread->has_more)
		thread_returned(execution, thread);
}

/* The waits of a thread are satisfied. For a wait for any, another event says which
 * operations are complete. */
static void finish_waits(struct execution *execution, struct executed_thread *thread)
{
	for (size_t i = 0; i < thread->waits.count; i++) {
		struct executed_operation *operation = thread->waits.items[i];
		if (operation->waiter == thread)
			operation->waiter = NULL;
		if (!thread->is_any)
			operation_over(execution, operation, OPERATION_OVER);
		operation_release(execution, operation);
	}
	thread->waits.count = 0;
}

static void window_passed(struct execution *execution, struct executed_thread *thread,
                          struct analysed_call *call, uint64_t first)
{
	LISTENERS_CALL(execution, window, thread, call, first);
	window_follow(call);
}

static void go_on(struct execution *execution, struct executed_thread *thread)
{
	const bool was_window = thread->blocked == BLOCKED_WINDOW;

	if (was_window)
		window_passes(execution, thread);
	execution->tested_count -= thread->is_tested;
	thread->is_tested = false;
	thread->blocked = BLOCKED_NOT;
	thread->has_more = thread->steps.head != thread->steps.tail;
	finish_waits(execution, thread);
	if (was_window)
		window_passed(execution, thread, thread->call, 0);
}

static void add_wait(struct executed_thread *thread, struct executed_operation *operation)
{
	array_add(&thread->waits, operation_keep(operation));
	if (operation_is_done(operation))
		return;
	operation->waiter = thread;
	thread->missing++;
}

/* For the added operations; `satisfied`: one of them is complete, and that is enough. */
static void wait_for(struct execution *execution, struct executed_thread *thread, bool is_any, bool satisfied)
{
	thread->is_any = is_any;
	satisfied |= is_any && thread->missing < thread->waits.count;
	if (!thread->missing || satisfied)
		finish_waits(execution, thread);
	else
		thread_block(execution, thread, BLOCKED_OPERATIONS);
}

/* The program has left the call: the operation is really complete. */
static void operation_returned(struct execution *execution, struct executed_operation *operation)
{
	if (operation_is_done(operation) || !(operation->state & OPERATION_BEGUN))
		return;
	operation->state |= OPERATION_RETURNED;
	if (operation->call->is_passed || collective_is_wrong(operation->collective)) {
		operation->state |= OPERATION_BUFFERED;
		operation_done(execution, operation);
	} else if (operation->call->operation != OPERATION_COLLECTIVE) {
		message_returned(execution, operation);
	}
}

void thread_returned(struct execution *execution, struct executed_thread *thread)
{
	struct execution_step step;

	if (thread->has_returned)
		return;
	thread->has_returned = true;
	if (thread->blocked == BLOCKED_WINDOW) {
		window_returned(execution, thread);
		return;
	}
	for (size_t i = 0; i < thread->waits.count && !thread->is_any; i++)
		operation_returned(execution, thread->waits.items[i]);
	/* The step after a wait for any says which operations are complete. */
	if (!thread->is_any || !step_peek(execution, thread, &step) || step.kind != STEP_COMPLETES)
		return;
	for (uint32_t i = 0; i < step.count; i++) {
		struct executed_operation *operation = operation_find(thread->process, step.numbers[i]);
		if (operation)
			operation_returned(execution, operation);
	}
}

/* Steps */

void thread_set_call(struct execution *execution, struct executed_thread *thread, struct analysed_call *call)
{
	thread->call_step = thread->step_count;
	if (thread->call == call)
		return;
	if (thread->call)
		call_drop(execution->known, thread->call);
	thread->call = call_keep(call);
}

void thread_begins(struct execution *execution, struct executed_thread *thread,
                   struct executed_operation *operation)
{
	if (operation->call->flags & (CHECK_CALL_NONBLOCKING | CHECK_CALL_PERSISTENT | CHECK_CALL_TOGETHER))
		return;
	add_wait(thread, operation);
	wait_for(execution, thread, false, false);
}

static void execute_begins(struct execution *execution, struct executed_thread *thread,
                           const struct execution_step *step)
{
	struct executed_operation *operation = operation_begin(execution, thread, step->call, step->number);
	const bool is_collective = step->call->operation == OPERATION_COLLECTIVE;

	operation->hash = step->hash;
	if (step->call->function == CALL_Finalize)
		thread->process->is_final = true;
	LISTENERS_CALL(execution, began, operation);
	if (is_collective)
		collective_begins(execution, operation);
	else if (!(operation->state & OPERATION_VOID))
		message_begins(execution, operation);
	thread_begins(execution, thread, operation);
	operation_release(execution, operation);
}

static void execute_waits(struct execution *execution, struct executed_thread *thread,
                          const struct execution_step *step)
{
	const bool is_any = step->call->flags & CHECK_CALL_ANY;
	bool is_over = false;

	for (uint32_t i = 0; i < step->count; i++) {
		struct executed_operation *operation = operation_find(thread->process, step->numbers[i]);
		if (operation)
			add_wait(thread, operation);
		else
			is_over = true;
	}
	wait_for(execution, thread, is_any, is_any && is_over);
}

/* True if MPI may complete the operation without its partners. Other operations that the program has left
 * get their partners. */
static bool may_end_early(const struct executed_operation *operation)
{
	const struct analysed_call *call = operation->call;

	if (!(operation->state & OPERATION_BEGUN))
		return false;
	if (call->operation == OPERATION_SEND)
		return !(call->flags & CHECK_CALL_SYNCHRONOUS);
	return call->operation == OPERATION_COLLECTIVE &&
	       (all_calls[call->function].collective != COLLECTIVE_ALL ||
	        collective_is_wrong(operation->collective));
}

static void execute_completes(struct execution *execution, struct executed_thread *thread,
                              const uint64_t *numbers, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		struct executed_operation *operation = operation_find(thread->process, numbers[i]);
		if (!operation)
			continue;
		if (!operation_is_done(operation) && may_end_early(operation)) {
			operation->state |= OPERATION_BUFFERED;
			operation_done(execution, operation);
		}
		add_wait(thread, operation);
	}
	wait_for(execution, thread, false, false);
	thread->is_tested = thread->blocked != BLOCKED_NOT;
	execution->tested_count += thread->is_tested;
}

/* Frees a communicator, window or file that all members have freed, and without pending operations. */
static void comm_ends(const struct execution *execution, struct analysed_process *process, uint64_t identity)
{
	const struct comm_member *member = process_membership(process, identity);
	struct analysed_comm *known = member ? member->comm : NULL;
	struct executed_comm *comm;

	if (!known)
		return;
	known_comm_keep(known);
	known_comm_ended(execution->known, process, identity);
	comm = known->execution;
	if (comm && known->ended_count >= comm->member_count && !comm->collectives.count &&
	    inboxes_are_empty(comm) && !window_is_awaited(comm))
		executed_comm_free(comm);
	known_comm_drop(execution->known, known);
}

/* The number of finished steps of the thread. */
static uint64_t passed_steps(const struct executed_thread *thread)
{
	return thread->step_count - (thread->blocked != BLOCKED_NOT);
}

static void execute_after(struct execution *execution, struct executed_thread *thread,
                          const struct execution_step *step)
{
	struct executed_thread *earlier = thread->process->threads.items[step->number];

	if (passed_steps(earlier) >= step->hash)
		return;
	thread->earlier = earlier;
	thread->earlier_steps = step->hash;
	thread->is_any = false;
	thread_block(execution, thread, BLOCKED_THREAD);
}

/* The thread has continued, and other threads of its process may have waited for this. */
static void wake_later(struct execution *execution, const struct executed_thread *earlier)
{
	const struct executed_process *process = earlier->process;

	for (size_t i = 0; process->is_threaded && i < process->threads.count; i++) {
		struct executed_thread *thread = process->threads.items[i];
		if (thread && thread->blocked == BLOCKED_THREAD && thread->earlier == earlier &&
		    passed_steps(earlier) >= thread->earlier_steps)
			thread_wake(execution, thread);
	}
}

void thread_execute(struct execution *execution, struct executed_thread *thread,
                    const struct execution_step *step)
{
	execution->now++;
	thread->step_count++;
	thread->missing = 0;
	switch (step->kind) {
	case STEP_BEGINS:
		thread_set_call(execution, thread, step->call);
		execute_begins(execution, thread, step);
		break;
	case STEP_WAITS:
		thread_set_call(execution, thread, step->call);
		execute_waits(execution, thread, step);
		break;
	case STEP_COMPLETES:
		execute_completes(execution, thread, step->numbers, step->count);
		break;
	case STEP_TAKES:
		execute_completes(execution, thread, &step->number, 1);
		break;
	case STEP_WINDOW:
		thread_set_call(execution, thread, step->call);
		window_executes(execution, thread, step->call);
		if (thread->blocked == BLOCKED_NOT)
			window_passed(execution, thread, step->call, step->number);
		break;
	case STEP_ENDS:
		comm_ends(execution, thread->process->known, step->number);
		break;
	case STEP_AFTER:
		execute_after(execution, thread, step);
		break;
	}
}

/* Running */

static void execute_queue(struct execution *execution, struct executed_thread *thread)
{
	struct execution_step step;

	while (thread->blocked == BLOCKED_NOT && step_take(execution, thread, &step)) {
		thread_execute(execution, thread, &step);
		if (step.call)
			call_drop(execution->known, step.call);
	}
}

static void run_ready(struct execution *execution)
{
	while (execution->first_ready && !execution->is_stopped) {
		struct executed_thread *thread = execution->first_ready;
		execution->first_ready = thread->next_ready;
		thread->is_ready = false;
		go_on(execution, thread);
		execute_queue(execution, thread);
		wake_later(execution, thread);
	}
}

/* Sends and collective calls continue as if they were complete; other operations may pass only if the thread
 * waits for nothing else. */
static void pass_operations(struct execution *execution, struct executed_thread *thread, bool all,
                            bool for_ever)
{
	for (size_t i = 0; i < thread->waits.count; i++) {
		struct executed_operation *operation = thread->waits.items[i];
		if (operation_is_done(operation) || !(operation->state & OPERATION_BEGUN) ||
		    (!all && !may_end_early(operation)))
			continue;
		operation->state |= OPERATION_BUFFERED;
		operation->call->is_passed |= for_ever && may_end_early(operation);
		operation_done(execution, operation);
	}
}

static bool waits_for_early(const struct executed_thread *thread)
{
	for (size_t i = 0; i < thread->waits.count; i++)
		if (!operation_is_done(thread->waits.items[i]) && may_end_early(thread->waits.items[i]))
			return true;
	return false;
}

static void let_pass(struct execution *execution, struct executed_thread *thread)
{
	if (thread->blocked == BLOCKED_OPERATIONS)
		pass_operations(execution, thread, !waits_for_early(thread), true);
	if (thread->blocked == BLOCKED_WINDOW)
		thread->call->is_passed = true;
	if (thread->blocked != BLOCKED_OPERATIONS)
		thread_wake(execution, thread);
}

void execution_let_pass(struct execution *execution, struct executed_thread *thread)
{
	let_pass(execution, thread);
	execution_run(execution);
}

/* Threads whose program has left the call continue: by one call, or as far as they can. `all`: also through
 * calls that MPI cannot complete without partners. */
static void pass_returned(struct execution *execution, bool all, bool far)
{
	for (size_t i = 0; i < execution->processes.count; i++) {
		const struct executed_process *process = execution->processes.items[i];
		for (size_t j = 0; j < process->threads.count; j++) {
			struct executed_thread *thread = process->threads.items[j];
			uint64_t before;
			do {
				before = execution->now;
				if (thread && thread->blocked != BLOCKED_NOT && thread->has_more &&
				    (all || thread->blocked != BLOCKED_OPERATIONS || waits_for_early(thread)))
					let_pass(execution, thread);
				if (far)
					run_ready(execution);
			} while (execution->now != before);
		}
	}
	run_ready(execution);
}

void execution_finish(struct execution *execution, const void *owner)
{
	uint64_t before;

	for (uint32_t i = 0; i < execution->listener_count; i++)
		if (execution->listeners[i].owner != owner)
			execution->listeners[i] = (struct execution_listener){
				.owner = execution->listeners[i].owner,
				.window_gone = execution->listeners[i].window_gone,
				.freed = execution->listeners[i].freed};
	do {
		before = execution->now;
		pass_returned(execution, false, true);
		if (execution->now == before)
			pass_returned(execution, true, true);
	} while (execution->now != before);
}

/* Tests and probes */

static void visit_waits(void *owner, struct executed_thread *thread, uint32_t group, bool is_one_of,
                        struct executed_process *process, const struct analysed_comm *comm, const char *why,
                        struct executed_operation *operation)
{
	struct execution *execution = owner;
	const uint32_t count = process ? 1 : comm && comm->members ? comm_places(comm) : 0;

	(void)thread;
	(void)group;
	(void)is_one_of;
	(void)why;
	(void)operation;
	for (uint32_t i = 0; i < count; i++) {
		struct executed_process *other = process ? process : member_process(comm, i);
		if (!other || other->visit == execution->last_visit)
			continue;
		other->visit = execution->last_visit;
		array_add(&execution->visited, other);
	}
}

/* Threads that this one waits for, directly or indirectly, continue if the program has left their calls and
 * MPI may complete them. */
static bool help(struct execution *execution, struct executed_thread *tested)
{
	bool helps = false;

	execution->last_visit++;
	execution->visited.count = 0;
	execution_waits_of(execution, tested, visit_waits, execution);
	for (size_t i = 0; i < execution->visited.count; i++) {
		const struct executed_process *process = execution->visited.items[i];
		for (size_t j = 0; j < process->threads.count; j++) {
			struct executed_thread *thread = process->threads.items[j];
			if (!thread || thread->blocked == BLOCKED_NOT || thread->is_ready)
				continue;
			if (thread->has_more && waits_for_early(thread)) {
				pass_operations(execution, thread, false, false);
				helps = true;
			}
			execution_waits_of(execution, thread, visit_waits, execution);
		}
	}
	run_ready(execution);
	return helps;
}

void execution_help_tested(struct execution *execution)
{
	for (size_t i = 0; execution->tested_count && i < execution->processes.count; i++) {
		const struct executed_process *process = execution->processes.items[i];
		for (size_t j = 0; j < process->threads.count; j++) {
			struct executed_thread *thread = process->threads.items[j];
			uint64_t since = thread ? thread->blocked_since : 0;
			while (thread && thread->is_tested && thread->blocked_since == since &&
			       help(execution, thread))
				;
		}
	}
}

/* All */

void execution_run(struct execution *execution)
{
	run_ready(execution);
	/* A part hands over its operations instead. */
	if (execution->part || execution->queued_bytes <= EXECUTION_BYTES_QUEUED ||
	    execution->now < execution->next_relief)
		return;
	/* Many steps wait for calls that the program has left: let those pass without a finding. */
	pass_returned(execution, execution->queued_bytes > 4 * (uint64_t)EXECUTION_BYTES_QUEUED, false);
	/* Not at each event, if it does not help. */
	execution->next_relief = execution->now + RELIEF_STEPS + execution->processes.count;
}
