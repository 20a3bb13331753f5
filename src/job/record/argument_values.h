/* The value of one argument of a call, as traces have it: a number, or the number of a text. */
#ifndef TARRY_JOB_RECORD_ARGUMENT_VALUES_H
#define TARRY_JOB_RECORD_ARGUMENT_VALUES_H

#include "calls/arguments.h"
#include "job/record/argument_hooks.h"

#pragma GCC visibility push(hidden)

/* Whether the argument means something on this process. To be asked of a call that succeeded. */
bool argument_is_meant(const struct noted_call *noted, const struct call_argument *argument);

/* ABSENT: there is none, as the array is not so long. */
int64_t argument_value(const struct noted_call *noted, const struct call_argument *argument);

/* The number of the name of an object; `handle` as C has it. */
int64_t object_name(enum argument_base base, uint64_t handle);

#pragma GCC visibility pop

#endif
