/* A priority queue of threads by time: the replay, the figures and the resolver always do
 * the earliest step next.
 *
 *	struct earliest order = {.items = room for all};
 *	earliest_add(&order, number, tick, 0);                     for each
 *	while (order.count) {
 *		… thread order.items[0].number makes a step …
 *		earliest_move(&order, tick, 0) or earliest_drop(&order)  if it has another step or not
 *	}
 *
 * At equal times, the lowest tie is first, then the lowest number. Only the first one moves, so a step takes
 * time logarithmic in the number of threads. */
#ifndef TARRY_ANALYSIS_MODEL_EARLIEST_H
#define TARRY_ANALYSIS_MODEL_EARLIEST_H

#include <stdbool.h>
#include <stdint.h>

struct earliest {
	struct next_step {
		uint64_t tick;
		uint32_t tie;
		uint32_t number;
	} * items; /* a heap */
	uint32_t count;
};

/* For times that may be negative. */
static inline uint64_t tick_of_ns(int64_t ns)
{
	return (uint64_t)ns ^ (uint64_t)1 << 63;
}

static inline bool is_earlier_step(struct next_step a, struct next_step b)
{
	return a.tick != b.tick ? a.tick < b.tick : a.tie != b.tie ? a.tie < b.tie : a.number < b.number;
}

static inline void earliest_add(struct earliest *order, uint32_t number, uint64_t tick, uint32_t tie)
{
	struct next_step step = {tick, tie, number};
	uint32_t at = order->count++;

	for (; at && is_earlier_step(step, order->items[(at - 1) / 2]); at = (at - 1) / 2)
		order->items[at] = order->items[(at - 1) / 2];
	order->items[at] = step;
}

/* Replaces the first one. */
static inline void earliest_put(struct earliest *order, struct next_step step)
{
	uint32_t at = 0, child;

	while ((child = 2 * at + 1) < order->count) {
		child += child + 1 < order->count &&
		         is_earlier_step(order->items[child + 1], order->items[child]);
		if (!is_earlier_step(order->items[child], step))
			break;
		order->items[at] = order->items[child];
		at = child;
	}
	order->items[at] = step;
}

static inline void earliest_move(struct earliest *order, uint64_t tick, uint32_t tie)
{
	if (order->items[0].tick != tick || order->items[0].tie != tie)
		earliest_put(order, (struct next_step){tick, tie, order->items[0].number});
}

static inline void earliest_drop(struct earliest *order)
{
	if (--order->count)
		earliest_put(order, order->items[order->count]);
}

#endif
