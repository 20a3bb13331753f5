#include "check/execution/execution_parts.h"

#include <string.h>

static void thread_free(struct course *course, struct course_thread *thread)
{
	struct course_step step;

	if (!thread)
		return;
	while (step_take(course, thread, &step))
		if (step.call)
			call_drop(course->known, step.call);
	steps_release(&thread->steps);
	for (size_t i = 0; i < thread->waits.count; i++) {
		operation_over(course, thread->waits.items[i], OPERATION_DROPPED);
		operation_release(course, thread->waits.items[i]);
	}
	array_release(&thread->waits);
	if (thread->blocked == BLOCKED_WINDOW)
		window_passes(course, thread);
	if (thread->call)
		call_drop(course->known, thread->call);
	free(thread);
}

static void process_free(struct course *course, struct course_process *process)
{
	for (size_t i = 0; i < process->threads.count; i++)
		thread_free(course, process->threads.items[i]);
	operations_release(course, process);
	array_release(&process->threads);
	process->known->course = NULL;
	free(process);
}

/* Its processes have freed it, and no operation on it is left. */
static void comm_ended(struct analysed_comm *known, void *owner)
{
	if (!known->course)
		return;
	collectives_release(owner, known->course);
	inboxes_release(owner, known->course);
	course_comm_free(known->course);
}

struct course *course_new(struct known *known)
{
	struct course *course = memory_new(1, sizeof *course);

	course->known = known;
	known->release_comm = comm_ended;
	known->comm_owner = course;
	return course;
}

static struct course_comm *comm_at(const struct course *course, size_t slot)
{
	const struct analysed_comm *comm = course->known->comms.items[slot];

	return comm ? comm->course : NULL;
}

void course_free(struct course *course)
{
	channels_release(course);
	for (size_t i = 0; i < course->known->comms.count; i++)
		if (comm_at(course, i)) {
			known_comm_keep(comm_at(course, i)->known);
			collectives_release(course, comm_at(course, i));
			inboxes_release(course, comm_at(course, i));
		}
	for (size_t i = 0; i < course->processes.count; i++)
		process_free(course, course->processes.items[i]);
	for (size_t i = 0; i < course->known->comms.count; i++)
		if (comm_at(course, i)) {
			struct analysed_comm *known = comm_at(course, i)->known;
			course_comm_free(known->course);
			known_comm_drop(course->known, known);
		}
	course->known->release_comm = NULL;
	while (course->free_operations) {
		struct course_operation *next = course->free_operations->links[LIST_WAITING].next;
		free(course->free_operations);
		course->free_operations = next;
	}
	array_release(&course->processes);
	array_release(&course->arriving);
	array_release(&course->executing);
	array_release(&course->visited);
	free(course);
}

void course_listen(struct course *course, const struct course_listener *listener)
{
	course->listeners[course->listener_count++] = *listener;
}

void course_listen_first(struct course *course, const struct course_listener *listener)
{
	memmove(course->listeners + 1, course->listeners,
	        course->listener_count++ * sizeof *course->listeners);
	course->listeners[0] = *listener;
}

/* It has left MPI: what it is blocked in here, it has left. */
static void all_returned(struct course *course, const struct course_process *process)
{
	for (size_t i = 0; i < process->threads.count; i++) {
		struct course_thread *thread = process->threads.items[i];
		if (!thread || thread->blocked == BLOCKED_NOT)
			continue;
		thread->has_more = true;
		thread_returned(course, thread);
		/* Nobody waits in MPI_Finalize for those that are gone. */
		if (process->is_final && thread->steps.head == thread->steps.tail)
			course_let_pass(course, thread);
	}
}

void course_process_ended(struct course *course, struct analysed_process *known, enum process_end end)
{
	struct course_process *process = known->course;

	if (!process || process->has_ended)
		return;
	process->has_ended = true;
	process->end = end;
	if (end == END_FINALIZED)
		all_returned(course, process);
	LISTENERS_CALL(course, ended, process);
	course_run(course);
}

struct course_process *course_process_of(struct course *course, const struct analysed_process *process)
{
	(void)course;
	return process->course;
}

struct course_process *course_member(struct course *course, const struct analysed_comm *comm, uint32_t side,
                                     uint32_t rank)
{
	const uint64_t place = (side ? (uint64_t)comm->size[0] : 0) + rank;

	if (!comm->members || rank >= comm->size[side] || !comm->members[place])
		return NULL;
	return course_process_get(course, comm->members[place]);
}
