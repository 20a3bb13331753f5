/* The value of one argument of a call in a trace: a number, or the number of a text. */
#ifndef TARRY_JOB_RECORD_ARGUMENT_VALUES_H
#define TARRY_JOB_RECORD_ARGUMENT_VALUES_H

#include "calls/arguments.h"
#include "job/record/argument_hooks.h"

#pragma GCC visibility push(hidden)

/* Whether the argument is significant on this process. Only for calls that succeeded. */
bool argument_is_significant(const struct noted_call *noted, const struct call_argument *argument);

/* ABSENT: the array has no such element. */
int64_t argument_value(const struct noted_call *noted, const struct call_argument *argument);

#pragma GCC visibility pop

#endif
