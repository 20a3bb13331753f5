/* A sink in a thread of its own. The replay goes on while the sink works: it hands over calls and rows in batches, in the same order.
 *
 *	struct sink_thread *apart = sink_thread_new(&sink);
 *	if (apart)
 *		… use sink_thread_sink(apart) in place of the sink, until its `end` has returned …
 *	sink_thread_free(apart);
 *
 * Memory is that of a few batches. */
#ifndef TARRY_ANALYSIS_MODEL_SINK_THREAD_H
#define TARRY_ANALYSIS_MODEL_SINK_THREAD_H

#include "analysis/relations/row_sink.h"

struct sink_thread;

/* NULL: the sink follows more than calls and rows, or there is no thread. */
struct sink_thread *sink_thread_new(const struct row_sink *sink);
const struct row_sink *sink_thread_sink(const struct sink_thread *apart);
void sink_thread_free(struct sink_thread *apart);

#endif
