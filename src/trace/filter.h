/* Selects processes and events of a trace. NULL selects all. */
#ifndef TARRY_TRACE_FILTER_H
#define TARRY_TRACE_FILTER_H

#include "trace/reader.h"

struct event_filter {
	bool (*wants_process)(void *context, const struct process *process);
	/* Called only for selected processes. */
	bool (*wants_event)(void *context, const struct process *process, const struct event *event);
	void *context;
};

static inline bool filter_wants_process(const struct event_filter *filter, const struct process *process)
{
	return !filter || filter->wants_process(filter->context, process);
}

static inline bool filter_wants_event(const struct event_filter *filter, const struct process *process,
                                      const struct event *event)
{
	return !filter || filter->wants_event(filter->context, process, event);
}

#endif
