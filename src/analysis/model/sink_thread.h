/* A sink in a thread of its own. The replay goes on while the sink works: it hands over calls, messages and rows in batches, in the same order.
 *
 *	struct sink_thread *apart = sink_thread_new(&sink);
 *	if (apart)
 *		… use sink_thread_sink(apart) instead of the sink, until its `end` has returned …
 *	sink_thread_free(apart);
 *
 * Memory is needed for a few batches. */
#ifndef TARRY_ANALYSIS_MODEL_SINK_THREAD_H
#define TARRY_ANALYSIS_MODEL_SINK_THREAD_H

#include "analysis/relations/row_sink.h"

struct sink_thread;

/* NULL: the replay needs an answer of the sink when a call begins, the sink does not follow calls, or there is no thread. */
struct sink_thread *sink_thread_new(const struct row_sink *sink);
const struct row_sink *sink_thread_sink(const struct sink_thread *apart);
void sink_thread_free(struct sink_thread *apart);

#endif
