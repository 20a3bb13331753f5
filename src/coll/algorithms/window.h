/* A limited number of concurrent messages: posting one more first waits for all earlier ones.
 *
 *	struct coll_window w;
 *
 *	coll_window_init(&w, c);
 *	for (int step = 1; step < size; step++) {
 *		COLL_TRY(coll_window_receive(&w, in, count, type, from(step)));
 *		COLL_TRY(coll_window_send(&w, out, count, type, to(step)));
 *	}
 *	COLL_TRY(coll_window_wait(&w));
 *
* To avoid deadlocks, post the receive of a step before its send, and post messages in steps in which every process sends and
 * receives once, or in the order of the partners' numbers. */
#ifndef TARRY_COLL_ALGORITHMS_WINDOW_H
#define TARRY_COLL_ALGORITHMS_WINDOW_H

#include "coll/algorithms/frame.h"

enum { COLL_WINDOW_STEPS = 256 };

struct coll_window {
	MPI_Comm comm;
	int count;
	MPI_Request requests[2 * COLL_WINDOW_STEPS];
};

static inline void coll_window_init(struct coll_window *w, const struct coll_comm *c)
{
	w->comm = c->comm;
	w->count = 0;
}

static inline int coll_window_wait(struct coll_window *w)
{
	int count = w->count;

	w->count = 0;
	return PMPI_Waitall(count, w->requests, MPI_STATUSES_IGNORE);
}

static inline int coll_window_receive(struct coll_window *w, void *to, int count, MPI_Datatype type, int from)
{
	if (w->count + 2 > 2 * COLL_WINDOW_STEPS)
		COLL_TRY(coll_window_wait(w));
	return PMPI_Irecv(to, count, type, from, COLL_TAG, w->comm, &w->requests[w->count++]);
}

static inline int coll_window_send(struct coll_window *w, const void *from, int count, MPI_Datatype type,
                                   int to)
{
	if (w->count + 1 > 2 * COLL_WINDOW_STEPS)
		COLL_TRY(coll_window_wait(w));
	return PMPI_Isend(from, count, type, to, COLL_TAG, w->comm, &w->requests[w->count++]);
}

#endif
