#include "analysis/model/participants.h"

#include "analysis/model/call_semantics.h"
#include "analysis/model/spans.h"
#include "base/array.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Being alone */

/* A participant enters or leaves. */
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

/* The sum of the numbers of all who are inside is the number of the only one. */
void note_alone(struct collective_call *participants, uint32_t count)
{
	struct edge *edges = sorted_edges(participants, count);
	uint64_t inside = 0, sum = 0;

	for (uint32_t i = 0; i < count; i++)
		participants[i].alone = 0;
	for (size_t i = 0; i < 2 * (size_t)count; i++) {
		if (inside == 1 && sum < count)
			participants[sum].alone = saturating_add(
				participants[sum].alone, interval_ns(edges[i - 1].time, edges[i].time));
		inside += edges[i].is_end ? UINT64_MAX : 1;
		sum += edges[i].is_end ? -(uint64_t)edges[i].who : edges[i].who;
	}
	free(edges);
}

/* Sorting */

static uint64_t place_in_order(const struct collective_call *one)
{
	return (uint64_t)one->side << 32 | one->rank;
}

static int by_place_in_order(const void *a, const void *b)
{
	const struct collective_call *const *x = a, *const *y = b;
	uint64_t left = place_in_order(*x), right = place_in_order(*y);

	/* A rank that occurs twice, in a damaged trace, keeps its order. */
	return left != right ? (left > right) - (left < right) : (*x > *y) - (*x < *y);
}

void sort_participants(struct collective_call *participants, uint32_t count)
{
	const struct collective_call **order;
	struct collective_call *sorted;
	uint32_t first = 1;

	while (first < count &&
	       place_in_order(&participants[first - 1]) <= place_in_order(&participants[first]))
		first++;
	if (first >= count)
		return;
	order = memory_new(count, sizeof(struct collective_call *));
	sorted = memory_new(count, sizeof *sorted);
	for (uint32_t i = 0; i < count; i++)
		order[i] = &participants[i];
	qsort(order, count, sizeof(struct collective_call *), by_place_in_order);
	for (uint32_t i = 0; i < count; i++)
		sorted[i] = *order[i];
	memcpy(participants, sorted, count * sizeof *sorted);
	free(sorted);
	free(order);
}

/* Late leaving */

void note_completion(struct collective_call *participants, uint32_t count)
{
	int64_t latest = INT64_MIN, earliest_end = INT64_MAX;

	for (uint32_t i = 0; i < count; i++) {
		const struct collective_call *one = &participants[i];
		latest = one->call.start > latest ? one->call.start : latest;
		earliest_end = one->wait.end < earliest_end ? one->wait.end : earliest_end;
	}
	latest = earliest_end > latest ? earliest_end : latest;
	for (uint32_t i = 0; i < count; i++) {
		struct collective_call *one = &participants[i];
		/* Then the rest of it may belong to other operations. */
		one->completion = one->wait.semantics->kind->completed_count > 1
		                          ? 0
		                          : interval_ns(max_ns(one->since, latest), one->wait.end);
	}
}

/* Exchange partners */

enum { BLOCKS_MAX = 64 };

bool exchange_is_partial(const struct collective_call *participants, uint32_t count)
{
	for (uint32_t i = 0; i < count && count <= BLOCKS_MAX; i++)
		if (participants[i].call.semantics->does & CALL_GIVES_SOME)
			return true;
	return false;
}

/* A bit for each rank to which it sends data; if unknown, all. */
static uint64_t receivers_of(const struct collective_call *participant)
{
	const struct call *call = participant->call.semantics->call;
	uint64_t receivers = 0;
	uint32_t peer = 0;

	if (participant->call.semantics->does & CALL_GIVES_NOTHING)
		return 0;
	for (uint32_t i = 0; i < field_count(call) && peer < BLOCKS_MAX; i++)
		if (field_key_at(call, i) == FIELD_BLOCK)
			receivers |= (uint64_t)(field_value_at(call, i) != 0) << peer++;
	return peer ? receivers : UINT64_MAX;
}

/* The groups of an intercommunicator send only to each other. */
static bool gives_to(const struct collective_call *giver, uint64_t receivers,
                     const struct collective_call *other, bool is_inter)
{
	return giver != other && other->rank < BLOCKS_MAX && receivers >> other->rank & 1 &&
	       (!is_inter || giver->side != other->side);
}

static void swap_participants(struct collective_call *a, struct collective_call *b, uint64_t *of_a,
                              uint64_t *of_b)
{
	struct collective_call call = *a;
	uint64_t receivers = *of_a;

	*a = *b;
	*of_a = *of_b;
	*b = call;
	*of_b = receivers;
}

uint32_t exchange_next(struct collective_call *participants, uint32_t count)
{
	uint64_t receivers[BLOCKS_MAX];
	bool is_inter = false;
	uint32_t found = 1;

	for (uint32_t i = 0; i < count; i++) {
		receivers[i] = receivers_of(&participants[i]);
		participants[i].until = INT64_MIN;
		is_inter |= participants[i].side != 0;
	}
	for (uint32_t i = 0; i < found; i++)
		for (uint32_t j = 0; j < count; j++) {
			struct collective_call *one = &participants[i], *other = &participants[j];
			bool gives = gives_to(one, receivers[i], other, is_inter);
			if (gives)
				other->until = max_ns(other->until, one->call.start);
			if (j >= found && (gives || gives_to(other, receivers[j], one, is_inter))) {
				swap_participants(other, &participants[found], &receivers[j],
				                  &receivers[found]);
				found++;
			}
		}
	return found;
}

void neighbours_met(struct neighbours *neighbours, const struct call_semantics *semantics)
{
	int64_t comm, member;
	uint32_t *found;

	if (!semantics->kind->info || semantics->kind->info->class != CLASS_TOPOLOGY ||
	    !call_field(semantics->call, FIELD_NEWCOMM, &comm) ||
	    !call_field(semantics->call, FIELD_MEMBER, &member))
		return;
	found = map_put(&neighbours->by_member, map_key((uint64_t)comm, semantics->process));
	if (*found != UINT32_MAX)
		return;
	*found = neighbours->count;
	array_fit(neighbours->made, neighbours->room, neighbours->count + 1u);
	neighbours->made[neighbours->count++] = semantics->call;
}

void neighbours_release(struct neighbours *neighbours)
{
	map_release(&neighbours->by_member);
	free(neighbours->made);
}

/* Participants by rank; NULL if ranks are far above their number, in a damaged trace. */
static const struct collective_call **by_rank(const struct collective_call *participants, uint32_t count,
                                              uint64_t *ranks)
{
	const struct collective_call **found;

	*ranks = 0;
	for (uint32_t i = 0; i < count; i++)
		*ranks = participants[i].rank >= *ranks ? participants[i].rank + UINT64_C(1) : *ranks;
	if (*ranks > 1024 + 16 * (uint64_t)count)
		return NULL;
	found = memory_new(*ranks + 1, sizeof(struct collective_call *));
	for (uint32_t i = 0; i < count; i++)
		found[participants[i].rank] = &participants[i];
	return found;
}

static bool find_last(const struct call *made, const struct collective_call *const *ranked, uint64_t ranks,
                      struct neighbour_call *row)
{
	for (uint32_t i = 0; i < field_count(made); i++) {
		struct field field = field_at(made, i);
		const struct collective_call *source = field.key == FIELD_MEMBER && field.value >= 0 &&
		                                                       (uint64_t)field.value < ranks
		                                               ? ranked[field.value]
		                                               : NULL;
		if (source && (!row->sources++ || source->call.start > row->last.start))
			row->last = source->call;
	}
	return row->sources;
}

void neighbours_write(const struct neighbours *neighbours, struct row_writer *rows, uint64_t comm,
                      const struct collective_call *participants, uint32_t count)
{
	uint64_t ranks;
	const struct collective_call **ranked;

	if (!count || !neighbours->count || !participants->call.semantics->kind->info ||
	    participants->call.semantics->kind->info->class != CLASS_NEIGHBOURHOOD)
		return;
	ranked = by_rank(participants, count, &ranks);
	for (uint32_t i = 0; ranked && i < count; i++) {
		const struct collective_call *own = &participants[i];
		const uint32_t *found = map_find(&neighbours->by_member,
		                                 map_key(comm, own->call.semantics->process));
		struct neighbour_call row = {
			.call = own->call, .wait = own->wait, .since = own->since, .rank = own->rank};
		if (found && find_last(neighbours->made[*found], ranked, ranks, &row))
			write_row(rows, RELATION_NEIGHBOUR_CALL, &row);
	}
	free(ranked);
}
