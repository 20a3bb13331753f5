/* What a trace cannot tell of messages, because the user wanted only a part of the functions recorded (--only, --not).
 *
 *	struct left_out left_out = left_out_of(process);
 *	if (left_out.some_traffic) … which receive got which message cannot be told … */
#ifndef TARRY_MODEL_SELECTED_H
#define TARRY_MODEL_SELECTED_H

#include "trace/reader.h"

struct left_out {
	bool some_traffic;     /* some functions that send or receive, but not all of them */
	bool some_completions; /* some functions that complete requests */
};

struct left_out left_out_of(const struct process *process);

#endif
