/* Requests whose number another thread has got. The number of a request is free before the call that completes it has ended; and a
 * thread that is interrupted after it has read the clock for the end of its call, and before it takes a number, seems to have the
 * number even earlier. So a call means the request of its own thread, if there is one, and else the one that had the number when
 * the call began.
 *
 * Whoever keeps requests by number keeps the earlier one here, of any type that says whether it is under way:
 *
 *	if (life->is_under_way && life->start.thread != call->thread)
 *		MOVED_REQUESTS_ADD(&moved, life, number, life->start.thread, call->end);
 *	life = moved_requests_find(&moved, number, call->thread, call->start);     NULL: the one that has the number now
 *	moved_requests_release(&moved); */
#ifndef TARRY_ANALYSIS_MODEL_MOVED_REQUESTS_H
#define TARRY_ANALYSIS_MODEL_MOVED_REQUESTS_H

#include "base/array.h"

struct moved_request {
	int64_t number;
	uint32_t thread; /* that made it */
	int64_t until;   /* another thread has its number from then on */
	void *state;
	const bool *is_under_way; /* inside of it */
};

struct moved_requests {
	struct moved_request *items; /* as they were moved, but places are used again */
	size_t count, room;
};

/* Room for what is moved; NULL: there are too many, and it is lost. */
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
/* That this thread made; NULL: none. */
void *moved_requests_own(const struct moved_requests *moved, int64_t number, uint32_t thread);
void moved_requests_release(struct moved_requests *moved);

#endif
