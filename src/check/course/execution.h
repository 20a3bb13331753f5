/* Between the files of the course. */
#ifndef TARRY_CHECK_COURSE_EXECUTION_H
#define TARRY_CHECK_COURSE_EXECUTION_H

#include "check/course/steps.h"

/* execution.c: a thread that is not blocked executes its next step. */
void thread_execute(struct course *course, struct course_thread *thread, const struct course_step *step);
/* The program has left the call that its thread is blocked in. */
void thread_returned(struct course *course, struct course_thread *thread);
/* What it waits for is there: it goes on with course_run. */
void thread_wake(struct course *course, struct course_thread *thread);

/* operations.c: facts, whatever their thread is doing */
void operation_takes(struct course *course, struct course_process *process, uint64_t number, int32_t source,
                     int32_t tag);
void operation_drops(struct course *course, struct course_process *process, uint64_t number,
                     bool never_happened);
/* It will begin: it can be found from now on. */
void operation_expect(struct course *course, struct course_process *process, uint64_t number);
void operations_expect(struct course *course, struct course_thread *thread);

#endif
