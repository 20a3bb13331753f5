/*
 * Where this process is in the order of an algorithm, and whom it exchanges with: all that it keeps of a mapping (topo/mapping).
 *
 *	const struct coll_order *order;
 *
 *	COLL_TRY(coll_order(c, GRAPH_BRUCK, &order));
 *	coll_exchange(c, ..., order->behind[k], ..., order->ahead[k]);
 *
 * That is 2 log2 n ranks for any number of processes on nodes of any sizes. If both directions of the mapping can be computed, `whole` does
 * it; otherwise no process knows all places, and moved blocks carry the rank of their origin.
 */
#ifndef TARRY_COLL_ALGORITHMS_ORDER_H
#define TARRY_COLL_ALGORITHMS_ORDER_H

#include "topo/mapping/mapping.h"

enum { ORDER_STEPS = 31 };

struct coll_comm;

struct coll_order {
	int place;                                   /* of this process */
	int holder;                                  /* the rank at the place of this process's number */
	int ahead[ORDER_STEPS], behind[ORDER_STEPS]; /* ranks 2^k places further on, and back, modulo size */
	bool has_whole;
	struct mapping whole;
};

/* The order for an algorithm; made at its first use, by all members. */
int coll_order(struct coll_comm *c, enum mapping_graph graph, const struct coll_order **order);
/* The order of ranks. */
void coll_order_plain(const struct coll_comm *c, struct coll_order *order);
void coll_order_release(struct coll_order *order);

/* The rank at place ^ 2^step; the number of processes is a power of two. */
static inline int order_partner(const struct coll_order *order, int step)
{
	return order->place >> step & 1 ? order->behind[step] : order->ahead[step];
}

#endif
