#include "check/execution/execution_parts.h"

#include <string.h>

static void thread_free(struct execution *execution, struct executed_thread *thread)
{
	struct execution_step step;

	if (!thread)
		return;
	while (step_take(execution, thread, &step))
		if (step.call)
			call_drop(execution->known, step.call);
	steps_release(&thread->steps);
	for (size_t i = 0; i < thread->waits.count; i++) {
		operation_over(execution, thread->waits.items[i], OPERATION_DROPPED);
		operation_release(execution, thread->waits.items[i]);
	}
	array_release(&thread->waits);
	if (thread->blocked == BLOCKED_WINDOW)
		window_wait_free(execution, thread);
	if (thread->call)
		call_drop(execution->known, thread->call);
	if (thread->open_call)
		call_drop(execution->known, thread->open_call);
	free(thread);
}

static void process_free(struct execution *execution, struct executed_process *process)
{
	for (size_t i = 0; i < process->threads.count; i++)
		thread_free(execution, process->threads.items[i]);
	operations_release(execution, process);
	array_release(&process->threads);
	free(process->looks);
	process->known->execution = NULL;
	free(process);
}

/* All processes have freed it, and no operation on it is left. */
static void comm_ended(struct analysed_comm *known, void *owner)
{
	if (!known->execution)
		return;
	collectives_release(owner, known->execution);
	inboxes_release(owner, known->execution);
	executed_comm_free(known->execution);
}

struct execution *execution_new(struct known *known)
{
	struct execution *execution = memory_new(1, sizeof *execution);

	execution->known = known;
	known->release_comm = comm_ended;
	known->comm_owner = execution;
	return execution;
}

static struct executed_comm *comm_at(const struct execution *execution, size_t slot)
{
	const struct analysed_comm *comm = execution->known->comms.items[slot];

	return comm ? comm->execution : NULL;
}

void execution_free(struct execution *execution)
{
	channels_release(execution);
	for (size_t i = 0; i < execution->known->comms.count; i++)
		if (comm_at(execution, i)) {
			known_comm_keep(comm_at(execution, i)->known);
			collectives_release(execution, comm_at(execution, i));
			inboxes_release(execution, comm_at(execution, i));
		}
	for (size_t i = 0; i < execution->processes.count; i++)
		process_free(execution, execution->processes.items[i]);
	for (size_t i = 0; i < execution->known->comms.count; i++)
		if (comm_at(execution, i)) {
			struct analysed_comm *known = comm_at(execution, i)->known;
			executed_comm_free(known->execution);
			known_comm_drop(execution->known, known);
		}
	execution->known->release_comm = NULL;
	while (execution->free_operations) {
		struct executed_operation *next = execution->free_operations->links[LIST_WAITING].next;
		free(execution->free_operations);
		execution->free_operations = next;
	}
	array_release(&execution->processes);
	array_release(&execution->windows);
	array_release(&execution->arriving);
	array_release(&execution->executing);
	array_release(&execution->visited);
	free(execution);
}

void execution_listen(struct execution *execution, const struct execution_listener *listener)
{
	execution->listeners[execution->listener_count++] = *listener;
}

void execution_listen_first(struct execution *execution, const struct execution_listener *listener)
{
	memmove(execution->listeners + 1, execution->listeners,
	        execution->listener_count++ * sizeof *execution->listeners);
	execution->listeners[0] = *listener;
}

/* The process has left MPI, and so all calls in which it is blocked here. */
static void all_returned(struct execution *execution, const struct executed_process *process)
{
	for (size_t i = 0; i < process->threads.count; i++) {
		struct executed_thread *thread = process->threads.items[i];
		if (!thread || thread->blocked == BLOCKED_NOT)
			continue;
		thread->has_more = true;
		thread_returned(execution, thread);
		/* MPI_Finalize does not wait for processes that have ended. */
		if (process->is_final && thread->steps.head == thread->steps.tail)
			execution_let_pass(execution, thread);
	}
}

void executed_process_ended(struct execution *execution, struct analysed_process *known, enum process_end end)
{
	struct executed_process *process = known->execution;

	if (!process || process->has_ended)
		return;
	process->has_ended = true;
	process->end = end;
	if (end == END_FINALIZED)
		all_returned(execution, process);
	LISTENERS_CALL(execution, ended, process);
	execution_run(execution);
}

struct executed_process *executed_process_of(struct execution *execution,
                                             const struct analysed_process *process)
{
	(void)execution;
	return process->execution;
}

struct executed_process *execution_member(struct execution *execution, const struct analysed_comm *comm,
                                          uint32_t side, uint32_t rank)
{
	const uint64_t place = (side ? (uint64_t)comm->size[0] : 0) + rank;

	if (!comm->members || rank >= comm->size[side] || !comm->members[place])
		return NULL;
	return executed_process_get(execution, comm->members[place]);
}
