/* The calls of a live job: their sites with the time spent there, and the state from earlier calls that is
 * needed to find the partners of an open one. */
#ifndef TARRY_ANALYSIS_LIVE_LIVE_CALLS_H
#define TARRY_ANALYSIS_LIVE_LIVE_CALLS_H

#include "analysis/live/live_job.h"

/* A distinct call of the current chunk, by its id. */
struct known_live_call {
	const struct call_info *info; /* NULL: not a function of MPI or UPC */
	uint32_t site;
	uint64_t order; /* of collective calls; 0: not collective */
	bool is_known;
	bool ends;       /* ends the process's use of MPI */
	bool is_epoch;   /* of a window */
	bool notifies;   /* the first half of a UPC barrier */
	int32_t request; /* the request that it begins; -1: none */
	struct message_needs messages;
};

/* The data of a followed stream (a thread). */
struct live_stream {
	struct live_process *process;
	ARRAY(struct known_live_call) calls;
	struct map sites;   /* of this chunk, by place and path */
	uint32_t last_site; /* LIVE_NONE */
};

/* Adds an event. */
void live_calls_add(struct live_job *job, struct followed_stream *followed, const struct event *event);
/* The next chunk begins. */
void live_calls_forget(struct live_stream *stream);

/* The site of a call in the stream's chunk. */
uint32_t live_site_of(struct live_job *job, struct followed_stream *followed, const struct call *call);

double live_ns_per_tick(const struct process *process);

#endif
