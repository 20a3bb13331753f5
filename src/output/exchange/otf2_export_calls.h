/* The events of a thread, and how they lie in one another.
 *
 * A trace has calls in the order of their ends: one made inside another comes before it. Written as enter and
 * leave, the outer one comes first. So a thread is held in memory as nodes in the trace's order, and each knows
 * behind how many others it is entered:
 *
 *	for (size_t i = 0; i < calls.count; i++) {
 *		for (size_t j = calls.entered[i]; j != NO_NODE; j = calls.items[j].next_entered)
 *			enter(&calls.items[j]);
 *		leave(&calls.items[i]);
 *	}
 *
 * gives every call its enter and leave, properly nested, whatever the times say.
 *
 * In a trace a request's number is the lowest that was free, and one thread may complete what another began. In an
 * archive every operation has a number of its own. So resolve_requests() goes through all threads of a process in the
 * order of time, and notes for each event which operations it begins, tests and completes. */
#ifndef TARRY_OUTPUT_EXCHANGE_OTF2_EXPORT_CALLS_H
#define TARRY_OUTPUT_EXCHANGE_OTF2_EXPORT_CALLS_H

#include "base/array.h"
#include "trace/reader.h"

#define NO_NODE SIZE_MAX

struct nested_call {
	struct event event;                  /* without a call: a record of the thread */
	const char *line;                    /* the record as text */
	uint8_t kind;                        /* of the record */
	struct event_operations *operations; /* NULL: has nothing to do with any */
	size_t next_entered;
	bool is_left_out; /* of what is written */
};

struct nested_calls {
	struct nested_call *items;
	size_t count, room;
	size_t *entered; /* the first, and outermost, that is entered before an item is left */
};

void nested_calls_load(struct nested_calls *nodes, struct reader *reader, struct stream *stream,
                       struct arena *arena);
void nested_calls_release(struct nested_calls *nodes);

/* Begun once; a persistent request has one operation after the other. */
struct request_operation {
	uint64_t id;
	uint64_t receive_id;     /* of its receive; another one if it sends as well */
	const struct call *call; /* that made the request; of a matched message, that found it */
	const struct call_info *info;
};

/* One-sided accesses whose end another call brings. */
struct rma_access {
	uint64_t id;
	uint64_t win;
	int64_t target;
};

/* What an event has to do with operations: one for each field `request` or `done`, in their order; NULL: the trace
 * does not know it. Accesses are those that the event completes. */
struct event_operations {
	struct request_operation **at;
	size_t count;
	const struct call
		*matched;   /* that found the message which the event receives; NULL: it is no such event */
	uint64_t access_id; /* of the access that it begins */
	uint64_t *ended;
	size_t ended_count;
};

void resolve_requests(struct nested_calls *streams, size_t count, struct arena *arena);

/* Whether a field `request` of such a call is an operation that begins, as of MPI_Isend and MPI_Start. */
bool begins_operations(const struct call_info *info);

#endif
