#include "analysis/model/alone.h"

#include "analysis/model/spans.h"
#include "base/memory.h"

#include <stdlib.h>

/* Somebody comes or goes. */
struct edge {
	int64_t time;
	uint32_t who;
	bool is_end;
};

static int by_time(const void *a, const void *b)
{
	const struct edge *x = a, *y = b;

	return (x->time > y->time) - (x->time < y->time);
}

static struct edge *sorted_edges(const struct collective_call *participants, uint32_t count)
{
	struct edge *edges = memory_new(2 * (size_t)count + 1, sizeof *edges);

	for (uint32_t i = 0; i < count; i++) {
		edges[2 * (size_t)i] = (struct edge){participants[i].call.start, i, false};
		edges[2 * (size_t)i + 1] = (struct edge){participants[i].wait.end, i, true};
	}
	qsort(edges, 2 * (size_t)count, sizeof *edges, by_time);
	return edges;
}

/* The sum of all who are inside is the number of the only one, if it is one. */
void note_alone(struct collective_call *participants, uint32_t count)
{
	struct edge *edges = sorted_edges(participants, count);
	uint64_t inside = 0, sum = 0;

	for (uint32_t i = 0; i < count; i++)
		participants[i].alone = 0;
	for (size_t i = 0; i < 2 * (size_t)count; i++) {
		if (inside == 1 && sum < count)
			participants[sum].alone = plus(participants[sum].alone,
			                               from_to(edges[i - 1].time, edges[i].time));
		inside += edges[i].is_end ? UINT64_MAX : 1;
		sum += edges[i].is_end ? -(uint64_t)edges[i].who : edges[i].who;
	}
	free(edges);
}
