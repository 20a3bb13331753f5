/* Requests whose number was reused by another thread. The number of a request is free before the completing
 * call has ended. A thread that is interrupted between reading the clock at the end of its call and taking a
 * number seems to have the number even earlier. So a call refers to the request of its own thread, if there
 * is one, otherwise to the one that had the number when the call began.
 *
 * Modules that store requests by number keep the earlier one here, with any type that has a flag
 * for pending requests:
 *
 *	if (life->is_under_way && life->start.thread != call->thread)
 *		MOVED_REQUESTS_ADD(&moved, life, number, life->start.thread, call->end);
 *	life = moved_requests_find(&moved, number, call->thread, call->start);     NULL: the current one
 *	moved_requests_release(&moved); */
#ifndef TARRY_ANALYSIS_MODEL_MOVED_REQUESTS_H
#define TARRY_ANALYSIS_MODEL_MOVED_REQUESTS_H

#include "base/array.h"

struct moved_request {
	int64_t number;
	uint32_t thread; /* that created it */
	int64_t until;   /* another thread has its number from then on */
	void *state;
	const bool *is_under_way; /* a member of it */
};

struct moved_requests {
	struct moved_request *items; /* in the order of moving, but slots are reused */
	size_t count, room;
};

/* Memory for the moved request; NULL: too many, and it is lost. */
void *moved_requests_add(struct moved_requests *moved, struct moved_request request, size_t size,
                         size_t flag_offset);

#define MOVED_REQUESTS_ADD(moved, from, number_, thread_, until_) \
	({ \
		__typeof__(from) moved_from = (from); \
		__typeof__(from) moved_to = moved_requests_add( \
			(moved), \
			(struct moved_request){.number = (number_), .thread = (thread_), .until = (until_)}, \
			sizeof *moved_from, offsetof(__typeof__(*moved_from), is_under_way)); \
		if (moved_to) \
			*moved_to = *moved_from; \
		moved_to; \
	})

void *moved_requests_find(const struct moved_requests *moved, int64_t number, uint32_t thread, int64_t start);
/* The one that this thread created; NULL: none. */
void *moved_requests_own(const struct moved_requests *moved, int64_t number, uint32_t thread);
void moved_requests_release(struct moved_requests *moved);

#endif
