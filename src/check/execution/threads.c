/* The strict execution: threads execute their steps until one of them has to wait. */
#include "check/execution/execution_parts.h"

#include "calls/calls.h"

enum { RELIEF_STEPS = 1000 };

struct course_comm *course_comm_get(struct analysed_comm *known)
{
	struct course_comm *comm = known->course;

	if (comm)
		return comm;
	comm = memory_new(1, sizeof *comm);
	comm->known = known;
	comm->member_count = known->size[0] + known->size[1];
	known->course = comm;
	return comm;
}

void course_comm_free(struct course_comm *comm)
{
	inboxes_free(comm);
	window_release(comm);
	sequence_ring_release(&comm->collectives);
	free(comm->next);
	comm->known->course = NULL;
	free(comm);
}

/* Blocking and going on */

void thread_wake(struct course *course, struct course_thread *thread)
{
	if (thread->is_ready || thread->blocked == BLOCKED_NOT)
		return;
	thread->is_ready = true;
	thread->next_ready = NULL;
	if (course->first_ready)
		course->last_ready->next_ready = thread;
	else
		course->first_ready = thread;
	course->last_ready = thread;
}

void thread_block(struct course *course, struct course_thread *thread, enum blocked_on on)
{
	thread->blocked = on;
	thread->blocked_since = course->now;
	thread->has_returned = false;
	if (thread->process->has_ended && thread->process->end == END_FINALIZED)
		thread->has_more = true;
	if (thread->has_more)
		thread_returned(course, thread);
}

/* The waits of a thread are satisfied. Of a wait for any, something else says what is over. */
static void finish_waits(struct course *course, struct course_thread *thread)
{
	for (size_t i = 0; i < thread->waits.count; i++) {
		struct course_operation *operation = thread->waits.items[i];
		if (operation->waiter == thread)
			operation->waiter = NULL;
		if (!thread->is_any)
			operation_over(course, operation, OPERATION_OVER);
		operation_release(course, operation);
	}
	thread->waits.count = 0;
}

static void window_passed(struct course *course, struct course_thread *thread, struct analysed_call *call,
                          uint64_t first)
{
	LISTENERS_CALL(course, window, thread, call, first);
	window_follow(call);
}

static void go_on(struct course *course, struct course_thread *thread)
{
	const bool was_window = thread->blocked == BLOCKED_WINDOW;

	if (was_window)
		window_passes(course, thread);
	course->tested_count -= thread->is_tested;
	thread->is_tested = false;
	thread->blocked = BLOCKED_NOT;
	thread->has_more = thread->steps.head != thread->steps.tail;
	finish_waits(course, thread);
	if (was_window)
		window_passed(course, thread, thread->call, 0);
}

static void add_wait(struct course_thread *thread, struct course_operation *operation)
{
	array_add(&thread->waits, operation_keep(operation));
	if (operation_is_done(operation))
		return;
	operation->waiter = thread;
	thread->missing++;
}

/* For what was added; `satisfied`: one of them is over already, and that is enough. */
static void wait_for(struct course *course, struct course_thread *thread, bool is_any, bool satisfied)
{
	thread->is_any = is_any;
	satisfied |= is_any && thread->missing < thread->waits.count;
	if (!thread->missing || satisfied)
		finish_waits(course, thread);
	else
		thread_block(course, thread, BLOCKED_OPERATIONS);
}

/* It really is complete. */
static void operation_returned(struct course *course, struct course_operation *operation)
{
	if (operation_is_done(operation) || !(operation->state & OPERATION_BEGUN))
		return;
	operation->state |= OPERATION_RETURNED;
	if (operation->call->is_passed || (operation->collective && operation->collective->differs)) {
		operation->state |= OPERATION_BUFFERED;
		operation_done(course, operation);
	} else if (operation->call->operation != OPERATION_COLLECTIVE) {
		message_returned(course, operation);
	}
}

/* What comes behind a wait for any says which ones. */
static void any_returned(struct course *course, struct course_thread *thread)
{
	struct course_step step;

	if (!step_peek(course, thread, &step) || step.kind != STEP_COMPLETES)
		return;
	for (uint32_t i = 0; i < step.count; i++) {
		struct course_operation *operation = operation_find(thread->process, step.numbers[i]);
		if (operation)
			operation_returned(course, operation);
	}
}

void thread_returned(struct course *course, struct course_thread *thread)
{
	if (thread->has_returned)
		return;
	thread->has_returned = true;
	if (thread->blocked == BLOCKED_WINDOW) {
		window_returned(course, thread);
		return;
	}
	if (thread->is_any)
		any_returned(course, thread);
	for (size_t i = 0; i < thread->waits.count && !thread->is_any; i++)
		operation_returned(course, thread->waits.items[i]);
}

/* Steps */

static void set_call(struct course *course, struct course_thread *thread, struct analysed_call *call)
{
	thread->call_step = thread->step_count;
	if (thread->call == call)
		return;
	if (thread->call)
		call_drop(course->known, thread->call);
	thread->call = call_keep(call);
}

static void execute_begins(struct course *course, struct course_thread *thread,
                           const struct course_step *step)
{
	const uint32_t flags = step->call->flags;
	struct course_operation *operation = operation_begin(course, thread, step->call, step->number);
	const bool is_collective = step->call->operation == OPERATION_COLLECTIVE;

	operation->hash = step->hash;
	if (step->call->function == CALL_Finalize)
		thread->process->is_final = true;
	LISTENERS_CALL(course, began, operation);
	if (is_collective)
		collective_begins(course, operation);
	else if (!(operation->state & OPERATION_VOID))
		message_begins(course, operation);
	if (!(flags & (CHECK_CALL_NONBLOCKING | CHECK_CALL_PERSISTENT | CHECK_CALL_TOGETHER))) {
		add_wait(thread, operation);
		wait_for(course, thread, false, false);
	}
	operation_release(course, operation);
}

static void execute_waits(struct course *course, struct course_thread *thread, const struct course_step *step)
{
	const bool is_any = step->call->flags & CHECK_CALL_ANY;
	bool is_over = false;

	for (uint32_t i = 0; i < step->count; i++) {
		struct course_operation *operation = operation_find(thread->process, step->numbers[i]);
		if (operation)
			add_wait(thread, operation);
		else
			is_over = true;
	}
	wait_for(course, thread, is_any, is_any && is_over);
}

/* MPI may let it end before its partners are there. What cannot, and yet the program has left, gets its partners. */
static bool may_end_early(const struct course_operation *operation)
{
	const struct analysed_call *call = operation->call;

	if (!(operation->state & OPERATION_BEGUN))
		return false;
	if (call->operation == OPERATION_SEND)
		return !(call->flags & CHECK_CALL_SYNCHRONOUS);
	return call->operation == OPERATION_COLLECTIVE && all_calls[call->function].meets != MEETS_ALL;
}

static void execute_completes(struct course *course, struct course_thread *thread, const uint64_t *numbers,
                              uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		struct course_operation *operation = operation_find(thread->process, numbers[i]);
		if (!operation)
			continue;
		if (!operation_is_done(operation) && may_end_early(operation)) {
			operation->state |= OPERATION_BUFFERED;
			operation_done(course, operation);
		}
		add_wait(thread, operation);
	}
	wait_for(course, thread, false, false);
	thread->is_tested = thread->blocked != BLOCKED_NOT;
	course->tested_count += thread->is_tested;
}

/* Nothing is kept of a communicator, window or file that all members have freed, and on which nothing is under way. */
static void comm_ends(const struct course_process *process, uint64_t identity)
{
	const uint32_t *number = map_find(&process->known->by_comm, map_key(identity, 0));
	struct course_comm *comm = number ? process->known->memberships.items[*number]->comm->course : NULL;

	if (comm && ++comm->ended >= comm->member_count && !comm->collectives.count &&
	    inboxes_are_empty(comm))
		course_comm_free(comm);
}

void thread_execute(struct course *course, struct course_thread *thread, const struct course_step *step)
{
	course->now++;
	thread->step_count++;
	thread->missing = 0;
	switch (step->kind) {
	case STEP_BEGINS:
		set_call(course, thread, step->call);
		execute_begins(course, thread, step);
		break;
	case STEP_WAITS:
		set_call(course, thread, step->call);
		execute_waits(course, thread, step);
		break;
	case STEP_COMPLETES:
		execute_completes(course, thread, step->numbers, step->count);
		break;
	case STEP_TAKES:
		execute_completes(course, thread, &step->number, 1);
		break;
	case STEP_WINDOW:
		set_call(course, thread, step->call);
		window_executes(course, thread, step->call);
		if (thread->blocked == BLOCKED_NOT)
			window_passed(course, thread, step->call, step->number);
		break;
	case STEP_ENDS:
		comm_ends(thread->process, step->number);
		break;
	}
}

/* Running */

static void execute_queue(struct course *course, struct course_thread *thread)
{
	struct course_step step;

	while (thread->blocked == BLOCKED_NOT && step_take(course, thread, &step)) {
		thread_execute(course, thread, &step);
		if (step.call)
			call_drop(course->known, step.call);
	}
}

static void run_ready(struct course *course)
{
	while (course->first_ready) {
		struct course_thread *thread = course->first_ready;
		course->first_ready = thread->next_ready;
		thread->is_ready = false;
		go_on(course, thread);
		execute_queue(course, thread);
	}
}

/* Sends and collective calls go on as if they were complete; what a thread cannot do without is let pass only if it waits for nothing else. */
static void pass_operations(struct course *course, struct course_thread *thread, bool all, bool for_ever)
{
	for (size_t i = 0; i < thread->waits.count; i++) {
		struct course_operation *operation = thread->waits.items[i];
		if (operation_is_done(operation) || !(operation->state & OPERATION_BEGUN) ||
		    (!all && !may_end_early(operation)))
			continue;
		operation->state |= OPERATION_BUFFERED;
		operation->call->is_passed |= for_ever && may_end_early(operation);
		operation_done(course, operation);
	}
}

static bool waits_for_early(const struct course_thread *thread)
{
	for (size_t i = 0; i < thread->waits.count; i++)
		if (!operation_is_done(thread->waits.items[i]) && may_end_early(thread->waits.items[i]))
			return true;
	return false;
}

static void let_pass(struct course *course, struct course_thread *thread)
{
	if (thread->blocked == BLOCKED_OPERATIONS)
		pass_operations(course, thread, !waits_for_early(thread), true);
	if (thread->blocked == BLOCKED_WINDOW) {
		thread->call->is_passed = true;
		thread_wake(course, thread);
	}
}

void course_let_pass(struct course *course, struct course_thread *thread)
{
	let_pass(course, thread);
	course_run(course);
}

/* Threads whose program has left the call go on: with sends, collective calls and synchronisations of windows, or with everything. */
static void pass_returned(struct course *course, bool all)
{
	for (size_t i = 0; i < course->processes.count; i++) {
		const struct course_process *process = course->processes.items[i];
		for (size_t j = 0; j < process->threads.count; j++) {
			struct course_thread *thread = process->threads.items[j];
			if (thread && thread->blocked != BLOCKED_NOT && thread->has_more &&
			    (all || thread->blocked == BLOCKED_WINDOW || waits_for_early(thread)))
				let_pass(course, thread);
		}
	}
	run_ready(course);
}

/* Much is queued behind waits that the program has left: that goes on without a finding. */
static void relieve(struct course *course)
{
	pass_returned(course, course->queued_bytes > 4 * (uint64_t)COURSE_BYTES_QUEUED);
	/* Not at each event, if it does not help. */
	course->next_relief = course->now + RELIEF_STEPS + course->processes.count;
}

static void mute(struct course_listener *listener)
{
	*listener = (struct course_listener){.owner = listener->owner, .freed = listener->freed};
}

void course_finish(struct course *course, const void *owner)
{
	uint64_t before;

	for (uint32_t i = 0; i < course->listener_count; i++)
		if (course->listeners[i].owner != owner)
			mute(&course->listeners[i]);
	do {
		before = course->now;
		pass_returned(course, false);
		if (course->now == before)
			pass_returned(course, true);
	} while (course->now != before);
}

/* Tests and probes */

static void visit_process(struct course *course, struct course_process *process)
{
	if (process->visit == course->last_visit)
		return;
	process->visit = course->last_visit;
	array_add(&course->visited, process);
}

static void visit_waits(void *owner, struct course_thread *thread, uint32_t group, bool is_one_of,
                        struct course_process *process, const struct analysed_comm *comm, const char *why,
                        struct course_operation *operation)
{
	struct course *course = owner;
	const uint32_t count = comm && comm->members ? comm->size[0] + comm->size[1] : 0;

	(void)thread;
	(void)group;
	(void)is_one_of;
	(void)why;
	(void)operation;
	if (process)
		visit_process(course, process);
	for (uint32_t i = 0; !process && i < count; i++)
		if (comm->members[i] && comm->members[i]->course)
			visit_process(course, comm->members[i]->course);
}

/* Whoever the thread waits for, over any number of others, goes on if the program has left its call and MPI may let it. */
static bool help(struct course *course, struct course_thread *tested)
{
	bool helps = false;

	course->last_visit++;
	course->visited.count = 0;
	course_waits_of(course, tested, visit_waits, course);
	for (size_t i = 0; i < course->visited.count; i++) {
		const struct course_process *process = course->visited.items[i];
		for (size_t j = 0; j < process->threads.count; j++) {
			struct course_thread *thread = process->threads.items[j];
			if (!thread || thread->blocked == BLOCKED_NOT || thread->is_ready)
				continue;
			if (thread->has_more && waits_for_early(thread)) {
				pass_operations(course, thread, false, false);
				helps = true;
			}
			course_waits_of(course, thread, visit_waits, course);
		}
	}
	run_ready(course);
	return helps;
}

void course_help_tested(struct course *course)
{
	for (size_t i = 0; course->tested_count && i < course->processes.count; i++) {
		const struct course_process *process = course->processes.items[i];
		for (size_t j = 0; j < process->threads.count; j++) {
			struct course_thread *thread = process->threads.items[j];
			uint64_t since = thread ? thread->blocked_since : 0;
			while (thread && thread->is_tested && thread->blocked_since == since &&
			       help(course, thread))
				;
		}
	}
}

/* All */

void course_run(struct course *course)
{
	run_ready(course);
	if (course->queued_bytes > COURSE_BYTES_QUEUED && course->now >= course->next_relief)
		relieve(course);
}
