#include "analysis/model/time_resolver.h"

#include "base/array.h"
#include "base/memory.h"

#include <stdlib.h>

/* At this multiple of the number to keep, items are resolved even if unknown ones may be earlier. */
enum { KEPT_MAX = 16 };

void time_resolver_add(struct time_resolver *resolver, uint32_t line, int64_t ns, uint32_t tie)
{
	array_fit(resolver->order.items, resolver->room, resolver->order.count + 1);
	earliest_add(&resolver->order, line, tick_of_ns(ns), tie);
}

void time_resolver_run(struct time_resolver *resolver, size_t left)
{
	struct earliest *order = &resolver->order;
	uint64_t known;

	order->count = 0;
	known = tick_of_ns(resolver->list(resolver->context, resolver));
	while (order->count && resolver->kept > left) {
		int64_t ns;
		uint32_t tie;
		if (left && order->items[0].tick > known && resolver->kept <= KEPT_MAX * left)
			break;
		if (resolver->step(resolver->context, order->items[0].number, &ns, &tie))
			earliest_move(order, tick_of_ns(ns), tie);
		else
			earliest_drop(order);
	}
}

void time_resolver_release(struct time_resolver *resolver)
{
	free(resolver->order.items);
}
