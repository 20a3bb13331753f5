/* Which operation a request stands for, in the whole of a process.
 *
 * In a trace a request's number is the lowest that was free, and one thread may complete what another began.
 * In an archive every operation that was begun has a number of its own. So the threads of a process are gone through
 * in the order of time, once, and each event is told which operations it begins, tests and completes. */
#ifndef TARRY_OUTPUT_EXCHANGE_OTF2_REQUESTS_H
#define TARRY_OUTPUT_EXCHANGE_OTF2_REQUESTS_H

#include "output/exchange/otf2_nodes.h"

/* Begun once; a persistent request stands for one operation after the other. */
struct operation {
	uint64_t id;
	uint64_t receive_id;     /* of its receive; another one if it sends as well */
	const struct call *call; /* that made the request; of a matched message, that found it */
	const struct call_info *info;
};

/* One-sided accesses whose end another call brings. */
struct access {
	uint64_t id;
	uint64_t win;
	int64_t target;
};

/* What an event has to do with operations: one for each field `request` or `done`, in their order; NULL: the trace
 * does not know it. Accesses are those that the event completes. */
struct event_operations {
	struct operation **at;
	size_t count;
	const struct call
		*matched;   /* that found the message which the event receives; NULL: it is no such event */
	uint64_t access_id; /* of the access that it begins */
	uint64_t *ended;
	size_t ended_count;
};

void resolve_requests(struct nodes *streams, size_t count, struct arena *arena);

#endif
