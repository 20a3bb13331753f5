/* Numbers of the threads of all processes, as an event graph counts them. Internal to this layer.
 *
 *	graph_threads_init(&threads, reader);
 *	event_graph_call(graph, graph_thread_of(&threads, call), …);
 *	graph_threads_release(&threads); */
#ifndef TARRY_ANALYSIS_WHATIF_GRAPH_THREADS_H
#define TARRY_ANALYSIS_WHATIF_GRAPH_THREADS_H

#include "analysis/model/call_semantics.h"
#include "analysis/relations/occurrence.h"
#include "trace/reader.h"

struct graph_threads {
	const struct reader *reader;
	uint32_t *first; /* by process, and after the last one */
	uint32_t count;
};

void graph_threads_init(struct graph_threads *threads, const struct reader *reader);
void graph_threads_release(struct graph_threads *threads);
/* If the process has several. */
uint32_t graph_thread_find(const struct graph_threads *threads, const struct occurrence *call);

static inline uint32_t graph_thread_of(const struct graph_threads *threads, const struct occurrence *call)
{
	const uint32_t *first = &threads->first[call->semantics->process];

	return first[1] - first[0] == 1 ? *first : graph_thread_find(threads, call);
}

#endif
