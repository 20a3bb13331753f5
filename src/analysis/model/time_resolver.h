/* Work that becomes known out of order and is done in the order of time, so that a cause comes before its effect: the delays of calls, and the
 * causes of waits.
 *
 *	struct time_resolver resolver = {.context = mine, .list = list, .step = step};
 *	resolver.kept++;                     for each item that becomes known
 *	time_resolver_run(&resolver, 1000);       the earliest first, until 1000 items are left; the caller forgets the others
 *	time_resolver_run(&resolver, 0);          at the end
 *	time_resolver_release(&resolver);
 *
 * Items that are not known yet may be earlier than the later ones of those that are: so some are left until the end. */
#ifndef TARRY_ANALYSIS_MODEL_TIME_RESOLVER_H
#define TARRY_ANALYSIS_MODEL_TIME_RESOLVER_H

#include "analysis/model/earliest.h"

#include <stddef.h>

struct time_resolver {
	void *context;
	/* Adds the first step of each line of items, and returns up to when all items are known. */
	int64_t (*list)(void *context, struct time_resolver *resolver);
	/* Makes the first step of a line, subtracts an item from `kept` if that was its last one, and sets the time and tie of the line's next
	 * step. False: it has none. */
	bool (*step)(void *context, uint32_t line, int64_t *ns, uint32_t *tie);
	size_t kept; /* items */
	/* Internal. */
	struct earliest order;
	uint32_t room;
};

/* For `list`. At the same time, the lowest tie comes first, then the lowest line. */
void time_resolver_add(struct time_resolver *resolver, uint32_t line, int64_t ns, uint32_t tie);
void time_resolver_run(struct time_resolver *resolver, size_t left);
void time_resolver_release(struct time_resolver *resolver);

#endif
