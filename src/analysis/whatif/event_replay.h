/* The times of calls in an event graph (event_graph.h), in all scenarios.
 *
 *	resolve_simple(graph, thread, until);    calls that need nobody
 *	resolve_call(graph, thread);             the next call; all that it needs is resolved, or needs nobody
 *
 * Times are kept as shifts: how much later than recorded an event is in each scenario. They change only where scenarios differ, so most
 * events share the vector of the event before them. */
#ifndef TARRY_ANALYSIS_WHATIF_EVENT_REPLAY_H
#define TARRY_ANALYSIS_WHATIF_EVENT_REPLAY_H

#include "analysis/model/time_resolver.h"
#include "analysis/whatif/event_graph.h"
#include "base/array.h"

struct graph_call {
	struct event_call call;
	int64_t last_end; /* of the call before */
	int64_t since;    /* of the wait: start, or that of the first test */
	uint32_t needs;   /* one above the number of the first; 0: none */
	/* Numbers of the shifts of its start and end, once it is resolved. */
	size_t start_shifts, end_shifts;
};

struct graph_thread {
	/* From `first` on they are not resolved, and before `oldest` they are forgotten. */
	ARRAY(struct graph_call) calls;
	size_t oldest, first;
	/* Vectors of shifts. Most starts and ends are as late as the event before them, and share its vector. */
	int64_t *shifts;
	size_t shifts_room, shifts_count; /* the latter in vectors, as `shifts_gone`: those forgotten */
	size_t shifts_gone;
	size_t last_waiting, last_sought; /* calls that were found last: of a wait, and of a moment */
	int64_t *since;                   /* shifts: start of the tests at hand */
	/* The last message that a receive from anybody took: when it came, and since when the receive could have taken another one. */
	int64_t *any_moment, *any_since;
	int64_t any_recorded;
	uint64_t any_queue; /* 0: none */
	/* Vectors of doubts. */
	int64_t *rematched, *progress;
	int64_t tests;
	bool has_end;
	int64_t *end; /* vector: of its run */
	/* As far as calls were added. */
	int64_t last_end, tests_since;
	bool is_testing, has_calls, is_over;
};

struct shared_events {
	uint32_t users, evaluated, scenarios, count;
	struct event_need *needs;
	int64_t *moments; /* the latest of the first so many: recorded … */
	int64_t *times;   /* … and vectors, as far as they are evaluated */
	int64_t *means;   /* a vector: of all of them; NULL: not evaluated */
};

/* An edge to a call that waits. */
struct graph_edge {
	uint32_t next; /* one above its number; 0: none */
	uint32_t needed;
	struct shared_events *shared; /* the first `needed` of them; NULL: `need` */
	struct event_need need;
};

struct event_graph {
	uint32_t thread_count, count;       /* of scenarios */
	double *transfer, *library, *delay; /* factors: vectors */
	/* Scenarios whose factor is not 1. */
	uint64_t transfer_changed, library_changed, delay_changed;
	uint64_t all;    /* scenarios */
	uint64_t placed; /* scenarios with other places of ranks */
	struct graph_thread *threads;
	ARRAY(double) work; /* vectors by kind */
	ARRAY(uint64_t) work_changed;
	ARRAY(uint64_t) work_even; /* kinds after the last have none */
	ARRAY(struct call_changes) changes;
	ARRAY(int64_t) gains;       /* vectors by number - 1 … */
	ARRAY(uint32_t) free_gains; /* … and numbers of those that are not used any more */
	void (*heard)(void *context, uint32_t thread, const int64_t *shifts);
	void *listener;
	ARRAY(struct graph_edge) edges;
	uint32_t free_edge; /* one above its number */
	struct time_resolver resolver;
	size_t kept_min, kept_max, past;
	/* Vectors. Shifts: of an event of another thread, of the start of a wait, of its end. */
	int64_t *scratch, *since, *end;
	/* Times: of all that a call needed, and of partners that have to be inside a call. */
	int64_t *latest, *latest_inside;
	int64_t *serial_end; /* of a call with an edge of EVENT_SERIAL */
	int64_t error;
	uint64_t late_needs;
};

/* Factors of a kind of computing. */
static inline const double *work_of(const struct event_graph *graph, uint32_t kind)
{
	return &graph->work.items[(size_t)kind * graph->count];
}

/* The shifts of the last resolved call. */
const int64_t *last_shifts(const struct event_graph *graph, const struct graph_thread *thread);
void resolve_simple_calls(struct event_graph *graph, struct graph_thread *thread, int64_t until);

static inline bool next_is_simple(const struct graph_thread *thread, int64_t until)
{
	const struct graph_call *next = &thread->calls.items[thread->first];

	return thread->first < thread->calls.count && next->call.is_simple && next->call.start <= until;
}

/* Calls that need nobody can be resolved at any time. */
static inline void resolve_simple(struct event_graph *graph, struct graph_thread *thread, int64_t until)
{
	if (next_is_simple(thread, until))
		resolve_simple_calls(graph, thread, until);
}

void resolve_call(struct event_graph *graph, struct graph_thread *thread);

#endif
