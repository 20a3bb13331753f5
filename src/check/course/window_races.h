/* Accesses of windows that are not ordered, by one-sided operations of several processes. A listener of the course, which asks ordering.h what comes
 * before what. */
#ifndef TARRY_CHECK_COURSE_WINDOW_RACES_H
#define TARRY_CHECK_COURSE_WINDOW_RACES_H

#include "check/course/ordering.h"

struct window_races;

struct window_races *window_races_new(struct course *course, const struct ordering *ordering,
                                      struct findings_log *log);
void window_races_end(struct window_races *races);
void window_races_free(struct window_races *races);

#endif
