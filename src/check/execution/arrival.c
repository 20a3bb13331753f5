/* Events of processes as they arrive. */
#include "check/execution/execution_parts.h"

enum { EXECUTION_THREADS_MAX = 4096 };

static struct executed_thread *thread_new(struct executed_process *process, uint32_t number)
{
	struct executed_thread *thread = memory_new(1, sizeof *thread);

	thread->process = process;
	thread->number = number;
	array_extend(&process->threads, (size_t)number + 1)->items[number] = thread;
	return thread;
}

struct executed_process *executed_process_get(struct execution *execution, struct analysed_process *known)
{
	struct executed_process *process = known->execution;

	if (process)
		return process;
	process = memory_new(1, sizeof *process);
	process->known = known;
	process->current = thread_new(process, 0);
	known->execution = process;
	array_add(&execution->processes, process);
	return process;
}

static bool thread_event(struct execution *execution, struct executed_process *process, uint64_t number)
{
	if (number >= EXECUTION_THREADS_MAX)
		return false;
	/* A thread may wait for an operation that another one has begun: from now on, all operations that are
	 * not executed yet can be found. */
	for (size_t i = 0; number && !process->is_threaded && i < process->threads.count; i++)
		if (process->threads.items[i])
			steps_visit_begins(execution, process->threads.items[i], operation_expect);
	process->is_threaded |= number != 0;
	process->current = number < process->threads.count ? process->threads.items[number] : NULL;
	if (!process->current)
		process->current = thread_new(process, (uint32_t)number);
	return true;
}

/* The program has left all calls of the thread that arrived so far. */
static void thread_left(struct execution *execution, struct executed_thread *thread)
{
	thread->left_steps = thread->arrived_steps;
	if (thread->open_call)
		call_drop(execution->known, thread->open_call);
	thread->open_call = NULL;
}

static bool left_event(struct execution *execution, const struct executed_process *process, uint64_t number)
{
	if (number < process->threads.count && process->threads.items[number])
		thread_left(execution, process->threads.items[number]);
	return true;
}

/* A step is executed at once if no earlier step waits. */
static void arrive(struct execution *execution, struct executed_thread *thread,
                   const struct execution_step *step)
{
	/* A call with several operations is left when the event after them arrives. */
	if (!thread->open_call || !step->call || step->call->function != thread->open_call->function ||
	    !(thread->open_call->flags & CHECK_CALL_TOGETHER))
		thread_left(execution, thread);
	thread->arrived_steps++;
	if (thread->blocked == BLOCKED_NOT && !thread->is_ready && !thread->has_more) {
		thread_execute(execution, thread, step);
		return;
	}
	if (step->kind == STEP_BEGINS && thread->process->is_threaded)
		operation_expect(execution, thread->process, step->number, step->call);
	step_put(execution, thread, step);
	if (thread->blocked != BLOCKED_NOT)
		thread_returned(execution, thread);
}

/* The number of an operation; false: it has not begun. */
static bool take_distance(const struct executed_process *process, struct cursor *in, uint64_t *number)
{
	const uint64_t distance = take_varint(in);

	*number = process->arrived - distance;
	return !in->bad && distance && distance <= process->arrived;
}

/* Threads that are in calls on one channel at the same time. Their events may arrive in another order than
 * their messages. */
static void note_concurrent(struct execution *execution, struct executed_process *process,
                            struct analysed_call *call)
{
	for (size_t i = 0; i < process->threads.count; i++) {
		const struct executed_thread *thread = process->threads.items[i];
		if (!thread || thread == process->current || !thread->open_call ||
		    !calls_may_share_channel(call, thread->open_call))
			continue;
		operation_unordered(execution, process, thread->open_number, thread->open_call);
		operation_expect(execution, process, process->arrived, call);
		operation_unordered(execution, process, process->arrived, call);
	}
}

static bool begins_event(struct execution *execution, struct executed_process *process,
                         struct analysed_call *call, struct cursor *in)
{
	struct execution_step step = {.kind = STEP_BEGINS, .call = call, .number = process->arrived};

	if (!call || call->operation < OPERATION_SEND || call->operation > OPERATION_MATCHED_PROBE ||
	    call->process != process->known)
		return false;
	step.hash = call_has_hash(call) ? take_varint(in) : 0;
	if (in->bad)
		return false;
	if (process->is_threaded && call->operation != OPERATION_COLLECTIVE)
		note_concurrent(execution, process, call);
	process->arrived++;
	arrive(execution, process->current, &step);
	if (call->operation != OPERATION_COLLECTIVE && !process->current->open_call) {
		process->current->open_call = call_keep(call);
		process->current->open_number = step.number;
	}
	return true;
}

static bool takes_event(struct execution *execution, struct executed_process *process, struct cursor *in)
{
	struct execution_step step = {.kind = STEP_TAKES};
	int64_t source, tag;
	bool is_known = take_distance(process, in, &step.number);

	source = take_signed(in);
	tag = take_signed(in);
	if (!is_known || in->bad || source < 0 || source > INT32_MAX || tag < INT32_MIN || tag > INT32_MAX)
		return false;
	operation_takes(execution, process, step.number, (int32_t)source, (int32_t)tag);
	arrive(execution, process->current, &step);
	return true;
}

static bool list_event(struct execution *execution, struct executed_process *process,
                       struct execution_step *step, struct cursor *in)
{
	step->count = take_count(in, UINT32_MAX);
	if (in->bad)
		return false;
	array_reserve(&execution->arriving, step->count);
	for (uint32_t i = 0; i < step->count; i++)
		if (!take_distance(process, in, &execution->arriving.items[i]))
			return false;
	step->numbers = execution->arriving.items;
	arrive(execution, process->current, step);
	return true;
}

static bool drops_event(struct execution *execution, struct executed_process *process, struct cursor *in)
{
	uint64_t number;
	const bool is_known = take_distance(process, in, &number);
	const uint64_t never_happened = take_varint(in);

	if (!is_known || in->bad || never_happened > 1)
		return false;
	operation_drops(execution, process, number, never_happened != 0);
	return true;
}

/* A process may call such functions in a loop until another process writes. */
static bool only_looks(const struct analysed_call *call)
{
	switch (call->window) {
	case WINDOW_LOCK:
	case WINDOW_UNLOCK:
	case WINDOW_LOCK_ALL:
	case WINDOW_UNLOCK_ALL:
	case WINDOW_FLUSH:
	case WINDOW_FLUSH_LOCAL:
	case WINDOW_SYNC:
	case WINDOW_GET:
	case WINDOW_GET_COMPLETE:
	case WINDOW_LOCKED:
	case WINDOW_LOADED:
		return true;
	case WINDOW_FETCH:
		return call->operator== WINDOW_OPERATOR_NONE || call->operator== WINDOW_OPERATOR_SWAP;
	default:
		return false;
	}
}

/* The memory of a window is not changed before calls that other threads have really left: the thread that
 * created or woke this one may have been in a barrier before. */
static void arrive_after_others(struct execution *execution, struct executed_process *process)
{
	for (size_t i = 0; i < process->threads.count; i++) {
		const struct executed_thread *other = process->threads.items[i];
		if (other && other != process->current && other->blocked != BLOCKED_NOT &&
		    other->step_count <= other->left_steps)
			arrive(execution, process->current,
			       &(struct execution_step){
				       .kind = STEP_AFTER, .number = i, .hash = other->left_steps});
	}
}

static bool window_event(struct execution *execution, struct executed_process *process, struct cursor *in)
{
	struct execution_step step = {.kind = STEP_WINDOW,
	                              .call = process_call(process->known, take_varint(in))};
	struct window_look look;
	bool is_repeated = false;

	step.number = take_varint(in);
	if (in->bad || !step.call || step.call->operation != OPERATION_WINDOW)
		return false;
	if (only_looks(step.call)) {
		if (!process->looks)
			process->looks = memory_new(WINDOW_LOOKS, sizeof *process->looks);
		look = (struct window_look){step.call->serial,
		                            step.call->window == WINDOW_GET_COMPLETE ? 0 : step.number};
		for (uint32_t i = 0; i < WINDOW_LOOKS && !is_repeated; i++)
			is_repeated = process->looks[i].call == look.call &&
			              process->looks[i].first == look.first;
		if (!is_repeated)
			process->looks[process->look_count++ % WINDOW_LOOKS] = look;
	}
	execution->repeated_looks += is_repeated;
	if (process->is_threaded)
		arrive_after_others(execution, process);
	arrive(execution, process->current, &step);
	return true;
}

static bool take_change(struct execution *execution, struct executed_process *process, uint64_t change,
                        struct analysed_call *call, struct cursor *in)
{
	struct execution_step step = {.kind = STEP_COMPLETES};
	uint64_t number;

	switch (change) {
	case 0:
		return begins_event(execution, process, call, in);
	case CHANGE_TAKES:
		return takes_event(execution, process, in);
	case CHANGE_WAITS:
		step = (struct execution_step){.kind = STEP_WAITS,
		                               .call = process_call(process->known, take_varint(in))};
		return step.call && step.call->operation == OPERATION_WAIT &&
		       list_event(execution, process, &step, in);
	case CHANGE_COMPLETES:
		return list_event(execution, process, &step, in);
	case CHANGE_DROPS:
		return drops_event(execution, process, in);
	case CHANGE_THREAD:
		number = take_varint(in);
		return !in->bad && thread_event(execution, process, number);
	case CHANGE_LEFT:
		number = take_varint(in);
		return !in->bad && left_event(execution, process, number);
	case CHANGE_WINDOW:
		return window_event(execution, process, in);
	case CHANGE_RESUMES_COMM:
		return resume_comm(process, in);
	case CHANGE_RESUMES:
		return resume_operation(execution, process, in);
	case CHANGE_RESUMED:
		return resume_process(execution, process, in);
	case CHANGE_ENDS:
		step = (struct execution_step){.kind = STEP_ENDS, .number = take_varint(in)};
		if (!in->bad)
			arrive(execution, process->current, &step);
		return !in->bad;
	default:
		return false;
	}
}

bool execution_event(struct execution *execution, struct analysed_process *known, uint64_t change,
                     struct analysed_call *call, struct cursor *in)
{
	struct executed_process *process = executed_process_get(execution, known);
	const bool is_right = take_change(execution, process, change, call, in);

	if (execution->first_ready)
		execution_run(execution);
	return is_right;
}
