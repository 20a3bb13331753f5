/* What happened before what: a vector clock for each process, and message races found with it. A listener of the course.
 *
 *	struct ordering *ordering = ordering_new(course, log);
 *	…
 *	ordering_end(ordering);
 *	ordering_free(ordering);
 *
 * A race is a receive with MPI_ANY_SOURCE that took one message although another one, from another process, could have come instead: its send does not
 * happen after this receive, and no other receive has to take it. */
#ifndef TARRY_CHECK_COURSE_ORDERING_H
#define TARRY_CHECK_COURSE_ORDERING_H

#include "check/course/course.h"
#include "check/known/findings_log.h"

struct ordering;

struct ordering *ordering_new(struct course *course, struct findings_log *log);
void ordering_end(struct ordering *ordering);
void ordering_free(struct ordering *ordering);

/* For other listeners, of what happened so far: does `earlier`, the `count`-th thing that its process did, come before all that
 * `later` does from now on? */
bool ordering_is_before(const struct ordering *ordering, const struct course_process *earlier, uint64_t count,
                        const struct course_process *later);
uint64_t ordering_count(const struct ordering *ordering, const struct course_process *process);

#endif
