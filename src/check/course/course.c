#include "check/course/course.h"

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

bool course_event(struct course *course, struct analysed_process *process, uint64_t change,
                  struct analysed_call *call, struct cursor *in)
{
	(void)course;
	(void)process;
	(void)change;
	(void)call;
	(void)in;
	return false;
}

void course_run(struct course *course)
{
	(void)course;
}
