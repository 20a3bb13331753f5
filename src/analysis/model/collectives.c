#include "analysis/model/collectives.h"

#include "base/array.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Ranks in order: `known` of them have arrived, or will never arrive. */
struct scan {
	uint32_t size;
	uint32_t known;
	struct scan_rank {
		struct arrival own, lower; /* lower: the last arrival below it */
		uint32_t asleep;           /* NO_PROCESS */
		bool came;
	} ranks[];
};

static const struct arrival nobody = {INT64_MIN, NO_PROCESS};

void collectives_init(struct collectives *collectives, const struct comm_table *comms, size_t processes)
{
	*collectives = (struct collectives){.comms = comms};
	collectives->comm_orders = memory_new(comms->comm_count + 1, sizeof *collectives->comm_orders);
	memset(collectives->comm_orders, 0xff, (comms->comm_count + 1) * sizeof *collectives->comm_orders);
	collectives->gone = memory_new(processes + 1, sizeof *collectives->gone);
	collectives->next_asleep = memory_new(processes + 1, sizeof *collectives->next_asleep);
}

void collectives_release(struct collectives *collectives)
{
	for (uint32_t i = 0; i < collectives->order_count; i++) {
		free(collectives->orders[i].collectives);
		free(collectives->orders[i].skipped);
	}
	for (uint32_t i = 0; i < collectives->count; i++) {
		free(collectives->items[i].scan);
		free(collectives->items[i].participants);
	}
	free(collectives->items);
	free(collectives->orders);
	free(collectives->comm_orders);
	free(collectives->gone);
	free(collectives->next_asleep);
	free(collectives->woken);
	free(collectives->members);
	map_release(&collectives->by_order);
	map_release(&collectives->by_member);
	map_release(&collectives->prepared);
}

static const struct side *side_get(const struct collectives *collectives, uint32_t comm, uint32_t side)
{
	return &collectives->comms->comms[comm].sides[side];
}

static uint32_t absent(const struct side *side)
{
	return side->size > side->present ? (uint32_t)(side->size - side->present) : 0;
}

static uint32_t count_gone(const struct collectives *collectives, uint32_t comm, uint32_t side)
{
	uint32_t order = collectives->comm_orders[comm];

	/* All orders of a communicator lack the same members. */
	return order == UINT32_MAX ? absent(side_get(collectives, comm, side))
	                           : collectives->orders[order].gone[side];
}

static uint32_t find_order(struct collectives *collectives, uint32_t comm, struct map_key key)
{
	uint32_t *found = map_put(&collectives->by_order, key);
	struct collective_order order = {
		.comm = comm,
		.next = collectives->comm_orders[comm],
		.size = {side_get(collectives, comm, 0)->size, side_get(collectives, comm, 1)->size}};

	if (*found != UINT32_MAX)
		return *found;
	*found = collectives->order_count;
	order.gone[0] = count_gone(collectives, comm, 0);
	order.gone[1] = count_gone(collectives, comm, 1);
	array_fit(collectives->orders, collectives->order_room, collectives->order_count + 1u);
	collectives->comm_orders[comm] = *found;
	collectives->orders[collectives->order_count++] = order;
	return *found;
}

static uint32_t find_member(struct collectives *collectives, uint32_t order, uint32_t process)
{
	uint32_t *found = map_put(&collectives->by_member, map_key(order, process));

	if (*found != UINT32_MAX)
		return *found;
	*found = collectives->member_count;
	array_fit(collectives->members, collectives->member_room, collectives->member_count + 1u);
	collectives->members[collectives->member_count++] = (struct order_member){.order = order,
	                                                                          .process = process};
	return *found;
}

uint32_t collective_member(struct collectives *collectives, uint32_t comm, uint32_t number, uint32_t process)
{
	return find_member(collectives, find_order(collectives, comm, map_key(comm, number)), process);
}

uint32_t collective_member_of_object(struct collectives *collectives, uint32_t comm, uint64_t object,
                                     uint32_t process)
{
	/* No communicator has such a number. */
	struct map_key key = map_key(comm + (UINT64_C(1) << 32), object);

	return find_member(collectives, find_order(collectives, comm, key), process);
}

uint32_t collective_prepare(struct collectives *collectives, uint32_t comm, uint32_t process)
{
	uint32_t *count = map_put(&collectives->prepared, map_key(comm, process));

	/* A new entry contains UINT32_MAX. */
	return collective_member(collectives, comm, ORDER_PREPARED + ++*count, process);
}

/* True if a process that enters other collectives of the order takes no part in this one,
 * according to the trace. */
static bool is_skipped(const struct collective_order *order, uint32_t process, uint64_t sequence)
{
	for (uint32_t i = 0; i < order->skipped_count && sequence < order->skipped_end; i++)
		if (order->skipped[i].process == process && order->skipped[i].first <= sequence &&
		    sequence < order->skipped[i].end)
			return true;
	return false;
}

static struct scan *new_scan(const struct side *side)
{
	struct scan *scan = memory_new(1, sizeof *scan + side->size * sizeof *scan->ranks);

	scan->size = (uint32_t)side->size;
	for (uint32_t i = 0; i < scan->size; i++) {
		scan->ranks[i].own = scan->ranks[i].lower = nobody;
		scan->ranks[i].asleep = NO_PROCESS;
	}
	return scan;
}

static uint32_t root_of(const struct collectives *collectives, const struct collective_entry *entry)
{
	const struct communicator *comm = &collectives->comms->comms[entry->own.comm];

	if (entry->root == RANK_ROOT || (!is_inter(comm) && entry->root == entry->own.rank))
		return entry->process;
	if (entry->root < 0 || entry->root > UINT32_MAX)
		return NO_PROCESS;
	return comm_process(collectives->comms, entry->own.comm, is_inter(comm) ? !entry->own.side : 0,
	                    (uint32_t)entry->root);
}

/* Processes that have ended already count as missing. */
static void note_skipped(const struct collectives *collectives, struct collective *collective)
{
	const struct collective_order *order = &collectives->orders[collective->order];

	for (uint32_t i = 0; i < order->skipped_count && collective->sequence < order->skipped_end; i++) {
		const struct skipped_range *range = &order->skipped[i];
		if (collective->sequence < range->first || collective->sequence >= range->end)
			continue;
		collective->is_skipped = true;
		collective->missing[range->side] += !collectives->gone[range->process];
	}
}

static uint32_t new_collective(struct collectives *collectives, uint32_t order, uint64_t sequence,
                               const struct collective_entry *entry)
{
	const struct side *side = side_get(collectives, entry->own.comm, 0);
	uint32_t number = collectives->free;
	struct collective *collective;

	if (number) {
		number--;
		collectives->free = collectives->items[number].next;
	} else {
		number = collectives->count++;
		array_fit(collectives->items, collectives->room, number + 1u);
		collectives->items[number] = (struct collective){0};
	}
	collective = &collectives->items[number];
	*collective = (struct collective){.order = order,
	                                  .sequence = sequence,
	                                  .needs = entry->needs,
	                                  .last = {nobody, nobody},
	                                  .root = nobody,
	                                  .root_process = NO_PROCESS,
	                                  .first_asleep = NO_PROCESS,
	                                  .participants = collective->participants,
	                                  .participant_room = collective->participant_room};
	memcpy(collective->missing, collectives->orders[order].gone, sizeof collective->missing);
	note_skipped(collectives, collective);
	/* A size inconsistent with the members in the trace is ignored. */
	if (collective->needs == COLLECTIVE_LOWER_FIRST &&
	    !(side->size <= 1024 + 16 * (uint64_t)side->present))
		collective->needs = COLLECTIVE_SOME;
	if (collective->needs == COLLECTIVE_LOWER_FIRST)
		collective->scan = new_scan(side);
	return number;
}

static struct ordered_collective *ring_at(const struct collective_order *order, uint32_t place)
{
	return &order->collectives[(order->first + place) & (order->room - 1)];
}

/* The position of the first one with this sequence or a later one. Usually none was skipped. */
static uint32_t find_place(const struct collective_order *order, uint64_t sequence)
{
	uint32_t high = order->count;
	uint64_t guess;

	if (!high || ring_at(order, high - 1)->sequence < sequence)
		return high;
	guess = sequence - ring_at(order, 0)->sequence;
	if (guess < high && ring_at(order, (uint32_t)guess)->sequence == sequence)
		return (uint32_t)guess;
	return (uint32_t)sorted_find(0, high, i, ring_at(order, (uint32_t)i)->sequence < sequence);
}

static void insert_at(struct collective_order *order, uint32_t place, struct ordered_collective item)
{
	if (order->count == order->room) {
		uint32_t room = order->room ? order->room * 2 : 8;
		struct ordered_collective *ring = memory_new(room, sizeof *ring);
		for (uint32_t i = 0; i < order->count; i++)
			ring[i] = *ring_at(order, i);
		free(order->collectives);
		order->collectives = ring;
		order->room = room;
		order->first = 0;
	}
	for (uint32_t i = order->count++; i > place; i--)
		*ring_at(order, i) = *ring_at(order, i - 1);
	*ring_at(order, place) = item;
}

/* The next collective of this member. */
static uint32_t find_collective(struct collectives *collectives, struct order_member *member,
                                const struct collective_entry *entry)
{
	uint64_t sequence = member->next++;
	uint32_t number = member->order, place = find_place(&collectives->orders[number], sequence);
	struct collective_order *order = &collectives->orders[number];
	uint32_t collective;

	if (place < order->count && ring_at(order, place)->sequence == sequence)
		return ring_at(order, place)->collective;
	/* The communicator has more members than stated: the collective is already over. */
	if (sequence < order->base)
		return NO_COLLECTIVE;
	collective = new_collective(collectives, number, sequence, entry);
	insert_at(order, place, (struct ordered_collective){sequence, collective});
	return collective;
}

static void wake(struct collectives *collectives, uint32_t process)
{
	array_fit(collectives->woken, collectives->woken_room, collectives->woken_count + 1u);
	collectives->woken[collectives->woken_count++] = process;
}

static bool has_root(const struct collectives *collectives, const struct collective *collective)
{
	return collective->root.process != NO_PROCESS || collective->root_process == NO_PROCESS ||
	       collectives->gone[collective->root_process] ||
	       is_skipped(&collectives->orders[collective->order], collective->root_process,
	                  collective->sequence);
}

static struct arrival later(struct arrival x, struct arrival y)
{
	return y.process == NO_PROCESS || (x.process != NO_PROCESS && x.moment >= y.moment) ? x : y;
}

/* Ranks that will never arrive are skipped. */
static bool is_settled(const struct collectives *collectives, const struct collective *collective,
                       uint32_t rank)
{
	uint32_t process;

	if (collective->scan->ranks[rank].came)
		return true;
	process = comm_process(collectives->comms, collectives->orders[collective->order].comm, 0, rank);
	return process == NO_PROCESS || collectives->gone[process] ||
	       is_skipped(&collectives->orders[collective->order], process, collective->sequence);
}

/* After a member arrived, or is known never to arrive. */
static void look_who_may_leave(struct collectives *collectives, struct collective *collective)
{
	bool inter = is_inter(&collectives->comms->comms[collectives->orders[collective->order].comm]);
	bool complete = collective_is_complete(collectives, collective, 0) ||
	                (inter && collective_is_complete(collectives, collective, 1));

	if (collective->scan) {
		struct scan *scan = collective->scan;
		while (scan->known < scan->size && is_settled(collectives, collective, scan->known)) {
			struct scan_rank *at = &scan->ranks[scan->known++], *next = at + 1;
			if (scan->known == scan->size)
				break;
			next->lower = later(at->lower, at->own);
			if (next->asleep != NO_PROCESS)
				wake(collectives, next->asleep);
			next->asleep = NO_PROCESS;
		}
	}
	if (collective->is_mixed || (complete && collective->needs != COLLECTIVE_ROOT_FIRST) ||
	    (collective->needs == COLLECTIVE_ROOT_FIRST && has_root(collectives, collective))) {
		while (collective->first_asleep != NO_PROCESS) {
			uint32_t process = collective->first_asleep;
			collective->first_asleep = collectives->next_asleep[process];
			wake(collectives, process);
		}
	}
}

static void note_kind(struct collectives *collectives, struct collective *collective,
                      const struct collective_entry *entry)
{
	if (collective->needs == entry->needs || collective->is_mixed || collective->needs == COLLECTIVE_SOME)
		return;
	collective->is_mixed = true;
	collectives->mixed++;
}

static void note_scan(struct collective *collective, const struct collective_entry *entry,
                      struct arrival here)
{
	if (!collective->scan || entry->own.rank >= collective->scan->size)
		return;
	collective->scan->ranks[entry->own.rank].own = here;
	collective->scan->ranks[entry->own.rank].came = true;
}

uint32_t collective_comm(const struct collectives *collectives, const struct collective *collective)
{
	return collectives->orders[collective->order].comm;
}

uint64_t collective_size(const struct collectives *collectives, const struct collective *collective)
{
	const struct communicator *comm =
		&collectives->comms->comms[collective_comm(collectives, collective)];

	return comm->sides[0].size + (is_inter(comm) ? comm->sides[1].size : 0);
}

/* The number of members in the trace. */
static uint32_t first_seats(const struct collectives *collectives, const struct collective *collective)
{
	uint32_t comm = collective_comm(collectives, collective);

	return side_get(collectives, comm, 0)->present + side_get(collectives, comm, 1)->present + 1;
}

static bool is_root(const struct collectives *collectives, struct membership own, int64_t root)
{
	return is_inter(&collectives->comms->comms[own.comm]) ? root == RANK_ROOT : root == own.rank;
}

uint32_t collective_enter(struct collectives *collectives, uint32_t member,
                          const struct collective_entry *entry)
{
	uint32_t number = find_collective(collectives, &collectives->members[member], entry);
	struct arrival here = {entry->moment, entry->process};
	struct collective *collective = &collectives->items[number];
	uint32_t root = entry->root == RANK_ANY ? NO_PROCESS : root_of(collectives, entry);

	if (number == NO_COLLECTIVE)
		return NO_COLLECTIVE;
	note_kind(collectives, collective, entry);
	collective->entered[entry->own.side]++;
	if (!entry->gives_nothing)
		collective->last[entry->own.side] = later(collective->last[entry->own.side], here);
	if (root == entry->process)
		collective->root = here;
	if (root != NO_PROCESS)
		collective->root_process = root;
	note_scan(collective, entry, here);
	look_who_may_leave(collectives, collective);
	return number;
}

uint32_t collective_add_participant(struct collectives *collectives, uint32_t number,
                                    const struct occurrence *call)
{
	struct collective *collective = &collectives->items[number];
	const struct call_semantics *semantics = call->semantics;

	if (collective->participant_count == collective->participant_room) {
		uint32_t room = collective->participant_room * 2;
		collective->participant_room = room ? room : first_seats(collectives, collective);
		collective->participants = memory_grow(collective->participants, collective->participant_room,
		                                       sizeof *collective->participants);
	}
	collective->participants[collective->participant_count] = (struct collective_call){
		.call = *call,
		.wait = *call,
		.since = call->start,
		.side = semantics->kind->own_side,
		.rank = semantics->own_rank,
		.is_root = is_root(collectives, membership_of(semantics), semantics->kind->root)};
	return collective->participant_count++;
}

uint32_t collectives_under_way(const struct collectives *collectives, uint32_t collective)
{
	return collectives->orders[collectives->items[collective].order].count;
}

static uint32_t needed_side(const struct collectives *collectives, const struct collective_entry *entry)
{
	return is_inter(&collectives->comms->comms[entry->own.comm]) ? !entry->own.side : entry->own.side;
}

/* True if this member needs any other. */
static bool needs_others(const struct collectives *collectives, const struct collective *collective,
                         const struct collective_entry *entry)
{
	/* On an intercommunicator, members of the root's group other than the root
	 * neither send nor receive. */
	if (entry->needs_nobody || collective->is_mixed || entry->root == RANK_NULL)
		return false;
	switch (collective->needs) {
	case COLLECTIVE_ALL:
		return true;
	case COLLECTIVE_ROOT_FIRST:
		return !is_root(collectives, entry->own, entry->root);
	case COLLECTIVE_ROOT_LAST:
		return is_root(collectives, entry->own, entry->root);
	case COLLECTIVE_LOWER_FIRST:
		return entry->own.rank > 0 && entry->own.rank < collective->scan->size;
	default:
		return false;
	}
}

bool collective_may_leave(const struct collectives *collectives, uint32_t number,
                          const struct collective_entry *entry)
{
	const struct collective *collective = &collectives->items[number];

	if (!needs_others(collectives, collective, entry))
		return true;
	if (collective->needs == COLLECTIVE_ROOT_FIRST)
		return has_root(collectives, collective);
	if (collective->needs == COLLECTIVE_LOWER_FIRST)
		return collective->scan->known >= entry->own.rank;
	return collective_is_complete(collectives, collective, needed_side(collectives, entry));
}

struct arrival collective_cause(const struct collectives *collectives, uint32_t number,
                                const struct collective_entry *entry)
{
	const struct collective *collective = &collectives->items[number];

	if (!needs_others(collectives, collective, entry))
		return nobody;
	if (collective->needs == COLLECTIVE_ROOT_FIRST)
		return collective->root;
	if (collective->needs == COLLECTIVE_LOWER_FIRST)
		return collective->scan->ranks[entry->own.rank].lower;
	return collective->last[needed_side(collectives, entry)];
}

static void end_collective(struct collectives *collectives, uint32_t number)
{
	struct collective *collective = &collectives->items[number];
	struct collective_order *order = &collectives->orders[collective->order];

	ring_at(order, find_place(order, collective->sequence))->collective = NO_COLLECTIVE;
	while (order->count && ring_at(order, 0)->collective == NO_COLLECTIVE) {
		order->base = ring_at(order, 0)->sequence + 1;
		order->first = (order->first + 1) & (order->room - 1);
		order->count--;
	}
	if (collective->is_skipped)
		collectives->skipped++;
	else if (collective->missing[0] || collective->missing[1])
		collectives->incomplete++;
	else
		collectives->finished++;
	if (collectives->over)
		collectives->over(collectives->context, collective);
	free(collective->scan);
	collective->scan = NULL;
	collective->next = collectives->free;
	collectives->free = number + 1;
}

static void end_if_over(struct collectives *collectives, uint32_t number)
{
	const struct collective *collective = &collectives->items[number];

	if (collective->left == collective->entered[0] + collective->entered[1] &&
	    collective_is_complete(collectives, collective, 0) &&
	    collective_is_complete(collectives, collective, 1))
		end_collective(collectives, number);
}

void collective_leave(struct collectives *collectives, uint32_t number)
{
	collectives->items[number].left++;
	end_if_over(collectives, number);
}

void collective_sleep(struct collectives *collectives, uint32_t number, const struct collective_entry *entry)
{
	struct collective *collective = &collectives->items[number];

	if (collective->needs == COLLECTIVE_LOWER_FIRST) {
		collective->scan->ranks[entry->own.rank].asleep = entry->process;
		return;
	}
	collectives->next_asleep[entry->process] = collective->first_asleep;
	collective->first_asleep = entry->process;
}

void collective_forget(struct collectives *collectives, uint32_t number, const struct collective_entry *entry)
{
	struct collective *collective = &collectives->items[number];
	uint32_t *link = &collective->first_asleep;

	if (collective->scan && entry->own.rank < collective->scan->size)
		collective->scan->ranks[entry->own.rank].asleep = NO_PROCESS;
	while (*link != NO_PROCESS && *link != entry->process)
		link = &collectives->next_asleep[*link];
	if (*link == entry->process)
		*link = collectives->next_asleep[entry->process];
}

bool collective_next_woken(struct collectives *collectives, uint32_t *process)
{
	if (!collectives->woken_count)
		return false;
	*process = collectives->woken[--collectives->woken_count];
	return true;
}

/* A member of a side is missing in pending collectives of an order. From the last one on, because collectives
 * that end here shorten the ring at its front. */
static void miss_from_to(struct collectives *collectives, uint32_t number, uint32_t side, uint64_t first,
                         uint64_t end)
{
	for (uint32_t i = find_place(&collectives->orders[number], end); i-- > 0;) {
		const struct ordered_collective *item = ring_at(&collectives->orders[number], i);
		uint32_t collective = item->collective;
		if (item->sequence < first)
			return;
		if (collective == NO_COLLECTIVE)
			continue;
		collectives->items[collective].missing[side]++;
		collectives->items[collective].is_skipped |= end != UINT64_MAX;
		look_who_may_leave(collectives, &collectives->items[collective]);
		end_if_over(collectives, collective);
	}
}

/* Drops ranges that no member will reach any more. */
static void forget_skipped(struct collective_order *order)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < order->skipped_count; i++)
		if (order->skipped[i].end > order->base)
			order->skipped[count++] = order->skipped[i];
	order->skipped_count = count;
}

void collective_skip(struct collectives *collectives, uint32_t number, uint32_t side, uint64_t count)
{
	struct order_member *member = &collectives->members[number];
	struct collective_order *order = &collectives->orders[member->order];
	uint64_t most = UINT64_MAX - member->next;
	struct skipped_range range = {member->next, member->next + (count < most ? count : most),
	                              member->process, side};

	member->next = range.end;
	if (order->skipped_count == order->skipped_room) {
		forget_skipped(order);
		array_fit(order->skipped, order->skipped_room, 2 * (order->skipped_count + 1u));
	}
	if (range.end > order->skipped_end)
		order->skipped_end = range.end;
	order->skipped[order->skipped_count++] = range;
	miss_from_to(collectives, member->order, side, range.first, range.end);
}

void collective_process_gone(struct collectives *collectives, uint32_t process)
{
	const struct comm_table *comms = collectives->comms;

	collectives->gone[process] = true;
	for (uint32_t i = comms->first_of[process]; i < comms->first_of[process + 1]; i++) {
		const struct membership *own = &comms->memberships[i];
		uint32_t order = collectives->comm_orders[own->comm];
		/* The first call of another process creates the order, and must find
		 * that this one has ended. */
		if (order == UINT32_MAX)
			order = find_order(collectives, own->comm, map_key(own->comm, ORDER_CALLS));
		for (; order != UINT32_MAX; order = collectives->orders[order].next) {
			uint32_t side = own->side;
			const uint32_t *member = map_find(&collectives->by_member, map_key(order, process));
			uint64_t first = member ? collectives->members[*member].next : 0;
			/* It is missing in all pending collectives that it has not entered. */
			collectives->orders[order].gone[side]++;
			miss_from_to(collectives, order, side, first, UINT64_MAX);
		}
	}
}

void collectives_end(struct collectives *collectives)
{
	for (uint32_t i = 0; i < collectives->order_count && collectives->over; i++) {
		const struct collective_order *order = &collectives->orders[i];
		for (uint32_t j = 0; j < order->count; j++) {
			uint32_t number = ring_at(order, j)->collective;
			if (number != NO_COLLECTIVE)
				collectives->over(collectives->context, &collectives->items[number]);
		}
	}
}
