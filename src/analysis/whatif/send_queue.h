/* Messages that a rank sends over one link, which takes one after the other (the gaps of LogGP, engine/estimates.h).
 *
 *	struct send_queue queue = {0};
 *	late_ns = send_queue_wait(&queue, &model, start, bytes);    how long this message waits for those before it
 *
 * Only the replay of moved messages needs it: recorded messages did wait as long as they did. */
#ifndef TARRY_ANALYSIS_WHATIF_SEND_QUEUE_H
#define TARRY_ANALYSIS_WHATIF_SEND_QUEUE_H

#include "analysis/engine/estimates.h"
#include "analysis/model/spans.h"

struct send_queue {
	int64_t last_start, free_from;
};

static inline int64_t send_queue_wait(struct send_queue *queue, const struct network_model *link,
                                      int64_t start, int64_t bytes)
{
	/* Unknown gaps are negative. */
	int64_t gap = max_ns(max_ns((int64_t)link->gap, (int64_t)((double)bytes * link->gap_per_byte)), 0),
		wait;

	/* Messages become known when they are received. Of one that was overtaken, the place in the queue is unknown. */
	if (start < queue->last_start)
		return 0;
	wait = max_ns(queue->free_from - start, 0);
	*queue = (struct send_queue){start, start + wait + gap};
	return wait;
}

#endif
