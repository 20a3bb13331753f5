#include "check/course/execution.h"

struct course *course_new(struct known *known)
{
	struct course *course = memory_new(1, sizeof *course);

	course->known = known;
	return course;
}

void course_free(struct course *course)
{
	free(course);
}

void course_listen(struct course *course, const struct course_listener *listener)
{
	course->listeners[course->listener_count++] = *listener;
}

void course_run(struct course *course)
{
	(void)course;
}

void course_process_ended(struct course *course, struct analysed_process *known, enum process_end end)
{
	(void)course;
	if (!known->course)
		return;
	known->course->has_ended = true;
	known->course->end = end;
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

	(void)course;
	if (!comm->members || rank >= comm->size[side] || !comm->members[place])
		return NULL;
	return comm->members[place]->course;
}

void thread_execute(struct course *course, struct course_thread *thread, const struct course_step *step)
{
	(void)course;
	(void)thread;
	(void)step;
}
void thread_returned(struct course *course, struct course_thread *thread)
{
	(void)course;
	(void)thread;
}
void operation_takes(struct course *course, struct course_process *process, uint64_t number, int32_t source,
                     int32_t tag)
{
	(void)course;
	(void)process;
	(void)number;
	(void)source;
	(void)tag;
}
void operation_drops(struct course *course, struct course_process *process, uint64_t number,
                     bool never_happened)
{
	(void)course;
	(void)process;
	(void)number;
	(void)never_happened;
}
void operation_expect(struct course *course, struct course_process *process, uint64_t number)
{
	(void)course;
	(void)process;
	(void)number;
}
void operations_expect(struct course *course, struct course_thread *thread)
{
	(void)course;
	(void)thread;
}
void course_let_pass(struct course *course, struct course_thread *thread)
{
	(void)course;
	(void)thread;
}
void course_waits(struct course *course, struct course_thread *thread, wait_add *add, void *owner)
{
	(void)course;
	(void)thread;
	(void)add;
	(void)owner;
}
