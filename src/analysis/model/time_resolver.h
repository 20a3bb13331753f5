/* Processes items in time order that become known out of order, so that a cause precedes its effect: the
 * delays of calls, and the causes of waits.
 *
 *	struct time_resolver resolver = {.context = mine, .list = list, .step = step};
 *	resolver.kept++;                     for each item that becomes known
 *	time_resolver_run(&resolver, 1000);       the earliest first, until 1000 items are left
 *	time_resolver_run(&resolver, 0);          at the end
 *	time_resolver_release(&resolver);
 *
 * Unknown items may be earlier than the later known ones: so some are kept until the end. */
#ifndef TARRY_ANALYSIS_MODEL_TIME_RESOLVER_H
#define TARRY_ANALYSIS_MODEL_TIME_RESOLVER_H

#include "analysis/model/earliest.h"

#include <stddef.h>

struct time_resolver {
	void *context;
	/* Adds the first step of each line of items, and returns the time up to which all items are known. */
	int64_t (*list)(void *context, struct time_resolver *resolver);
	/* Makes the first step of a line, decrements `kept` if that was the item's last step, and sets the
	 * time and tie of the line's next step. False: it has none. */
	bool (*step)(void *context, uint32_t line, int64_t *ns, uint32_t *tie);
	size_t kept; /* items */
	/* Internal. */
	struct earliest order;
	uint32_t room;
};

/* For `list`. At equal times, the lowest tie is first, then the lowest line. */
void time_resolver_add(struct time_resolver *resolver, uint32_t line, int64_t ns, uint32_t tie);
void time_resolver_run(struct time_resolver *resolver, size_t left);
void time_resolver_release(struct time_resolver *resolver);

#endif
