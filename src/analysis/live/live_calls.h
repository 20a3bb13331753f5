/* What the calls of a live job mean: their sites with the time spent there, and what has to be known of earlier calls to tell whom an
 * open one waits for. */
#ifndef TARRY_ANALYSIS_LIVE_LIVE_CALLS_H
#define TARRY_ANALYSIS_LIVE_LIVE_CALLS_H

#include "analysis/live/live_job.h"

/* What is known of a distinct call of the chunk that is read, by its id. */
struct known_live_call {
	const struct call_info *info; /* NULL: no function of MPI or UPC */
	uint32_t site;
	uint64_t order; /* of collective calls; 0: it is none */
	bool is_known;
	bool ends;       /* the process's use of MPI */
	bool is_epoch;   /* of a window */
	bool notifies;   /* the first half of a barrier of UPC */
	int32_t request; /* that it begins; -1: none */
	struct message_needs messages;
};

/* A thread: the data of a followed stream. */
struct live_stream {
	struct live_process *process;
	ARRAY(struct known_live_call) calls;
	struct map sites;   /* of this chunk, by place and path */
	uint32_t last_site; /* LIVE_NONE */
};

/* One more event. */
void live_calls_add(struct live_job *job, struct followed_stream *followed, const struct event *event);
/* The next chunk begins. */
void live_calls_forget(struct live_stream *stream);

/* The site of a call of the stream's chunk. */
uint32_t live_site_of(struct live_job *job, struct followed_stream *followed, const struct call *call);

double live_ns_per_tick(const struct process *process);

#endif
