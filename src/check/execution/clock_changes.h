/* Clocks on their way to another analyser: the components that differ from a clock that both analysers know. Components have names that both know. */
#ifndef TARRY_CHECK_EXECUTION_CLOCK_CHANGES_H
#define TARRY_CHECK_EXECUTION_CLOCK_CHANGES_H

#include "check/execution/clocks.h"
#include "check/protocol/finding.h"

struct clock_names {
	void *owner;
	uint32_t (*name)(void *owner, uint32_t component);
	uint32_t (*component)(void *owner, uint32_t name); /* UINT32_MAX: no such component */
};

/* `from` becomes `to`. */
void clock_put_changes(struct message_writer *out, const struct clock_names *names,
                       struct vector_clock **from, struct vector_clock *to);
/* The clock becomes the other one. Invalid names: `in->bad`. */
void clock_take_changes(struct cursor *in, const struct clock_names *names, struct vector_clock **clock);
/* Only moves the cursor. */
void clock_skip_changes(struct cursor *in);

#endif
