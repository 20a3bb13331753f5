/* The place of this process in the order of an algorithm, and its partners. A process keeps nothing else of a mapping
 * (topo/mapping).
 *
 *	const struct coll_order *order;
 *
 *	COLL_TRY(coll_order(c, GRAPH_BRUCK, &order));
 *	coll_exchange(c, ..., order->behind[k], ..., order->ahead[k]);
 *
* These are 2 log2 n ranks, whatever the sizes of nodes. If the mapping has a closed form, `whole` computes it. Otherwise no process
 * knows all places, and blocks carry the rank of their origin. */
#ifndef TARRY_COLL_ALGORITHMS_ORDER_H
#define TARRY_COLL_ALGORITHMS_ORDER_H

#include "topo/mapping/mapping.h"

enum { ORDER_STEPS = 31 };

struct coll_comm;

struct coll_order {
	int place;  /* of this process */
	int holder; /* the rank at the place that equals this process's rank */
	int ahead[ORDER_STEPS], behind[ORDER_STEPS]; /* ranks 2^k places ahead and behind, modulo size */
	bool has_whole;
	struct mapping whole;
};

/* The order for an algorithm; created collectively at the first use. */
int coll_order(struct coll_comm *c, enum mapping_graph graph, const struct coll_order **order);
/* The order of ranks. */
void coll_order_plain(const struct coll_comm *c, struct coll_order *order);
void coll_order_release(struct coll_order *order);

/* The rank at place ^ 2^step, if the number of processes is a power of two. */
static inline int order_partner(const struct coll_order *order, int step)
{
	return order->place >> step & 1 ? order->behind[step] : order->ahead[step];
}

#endif
