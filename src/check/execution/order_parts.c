/* The order of events of processes that different analysers execute: what a process knows goes with its messages to other analysers, as the difference to
 * what it knew at its last message to the same process. */
#include "check/execution/execution_parts.h"
#include "check/execution/message_races.h"

/* Names of components */

struct named_world {
	struct ordering *ordering;
	uint64_t world;
};

static uint32_t name_of(void *owner, uint32_t component)
{
	const struct named_world *named = owner;

	return named->ordering->components.items[component]->process->known->rank;
}

static uint32_t component_of(void *owner, uint32_t name)
{
	const struct named_world *named = owner;
	struct ordered_process *process = ordered_by_rank(named->ordering, named->world, name);

	if (!process)
		return UINT32_MAX;
	process_counts(named->ordering, process);
	return process->component;
}

struct ordered_process *ordered_by_rank(struct ordering *ordering, uint64_t world, uint32_t rank)
{
	struct executed_process *process = NULL;
	const uint32_t *number;

	for (; ordering->rank_count < ordering->known->processes.count; ordering->rank_count++) {
		const struct analysed_process *known = ordering->known->processes.items[ordering->rank_count];
		uint32_t *place = map_put(&ordering->ranks, map_key(known->world, known->rank));

		*place = *place == MAP_NONE ? ordering->rank_count : *place;
	}
	number = map_find(&ordering->ranks, map_key(world, rank));
	if (number)
		process = executed_process_get(ordering->execution,
		                               ordering->known->processes.items[*number]);
	else if (ordering->elsewhere.process)
		process = ordering->elsewhere.process(ordering->elsewhere.owner, rank);
	return process ? ordered_process_of(ordering, process) : NULL;
}

void ordering_put_clock(struct ordering *ordering, struct message_writer *out, struct vector_clock **from,
                        struct vector_clock *to)
{
	struct named_world named = {ordering, 0};

	clock_put_changes(out, &(struct clock_names){&named, name_of, component_of}, from, to);
}

bool ordering_take_clock(struct ordering *ordering, uint64_t world, struct cursor *in,
                         struct vector_clock **clock)
{
	struct named_world named = {ordering, world};

	clock_take_changes(in, &(struct clock_names){&named, name_of, component_of}, clock);
	return !in->bad;
}

/* Messages */

static struct map_key pair_key(const struct executed_process *sender, const struct executed_process *receiver)
{
	return map_key((uintptr_t)sender, (uintptr_t)receiver);
}

static struct order_pair *pair_get(struct ordering *ordering, const struct executed_process *from,
                                   const struct executed_process *to)
{
	uint32_t *number = map_put(&ordering->pair_numbers, pair_key(from, to));

	if (*number == MAP_NONE) {
		*number = (uint32_t)ordering->pairs.count;
		array_add(&ordering->pairs, (struct order_pair){0});
	}
	return &ordering->pairs.items[*number];
}

bool ordering_tell_send(struct ordering *ordering, const struct executed_operation *send,
                        const struct executed_process *receiver, struct message_writer *out)
{
	const struct ordered_moment *begin = &order_of(send)->begin;
	struct order_pair *pair;

	if (!begin->clock && !begin->count)
		return false;
	pair = pair_get(ordering, send->process, receiver);
	if (pair->clock == begin->clock && pair->count == begin->count)
		return false;
	pair->count = begin->count;
	put_number(out, begin->count);
	ordering_put_clock(ordering, out, &pair->clock, begin->clock);
	return true;
}

bool ordering_hear_send(struct ordering *ordering, const struct executed_process *sender,
                        const struct executed_process *receiver, struct cursor *in)
{
	struct order_pair *pair = pair_get(ordering, sender, receiver);
	struct vector_clock *clock = pair->clock;
	bool right;

	pair->clock = NULL;
	pair->count = take_varint(in);
	right = ordering_take_clock(ordering, sender->known->world, in, &clock);
	/* More pairs may be there now. */
	pair_get(ordering, sender, receiver)->clock = clock;
	return right;
}

void ordering_at_send(struct ordering *ordering, struct executed_process *sender,
                      const struct executed_process *receiver)
{
	const uint32_t *number;
	struct ordered_process *ordered;
	const struct order_pair none = {0}, *pair;

	if (!ordering->pairs.count)
		return;
	number = map_find(&ordering->pair_numbers, pair_key(sender, receiver));
	pair = number ? &ordering->pairs.items[*number] : &none;
	ordered = ordered_process_of(ordering, sender);
	clock_keep(pair->clock);
	clock_drop(ordered->clock);
	ordered->clock = pair->clock;
	ordered->count = pair->count;
	if (ordered->count)
		process_counts(ordering, ordered);
}

bool ordering_tell_match(struct ordering *ordering, const struct executed_operation *send,
                         const struct executed_operation *receive, struct message_writer *out)
{
	const struct executed_operation *first = races_first_taker(send, receive);
	const struct ordered_moment *begin = &order_of(first)->begin;
	struct vector_clock *none = NULL;

	if (!order_of(receive)->channel && !begin->clock && !begin->count)
		return false;
	put_number(out, first->number);
	put_number(out, order_of(receive)->channel != NULL);
	put_number(out, begin->count);
	ordering_put_clock(ordering, out, &none, begin->clock);
	clock_drop(none);
	return true;
}

bool ordering_hear_match(struct ordering *ordering, const struct executed_operation *send,
                         struct executed_process *receiver, struct cursor *in)
{
	struct operation_order *order = order_of(send);

	order->receive_number = take_varint(in);
	order->is_proof = take_varint(in) != 0;
	moment_release(&order->incoming);
	order->incoming.process = ordered_process_of(ordering, receiver);
	order->incoming.count = take_varint(in);
	if (order->incoming.count)
		process_counts(ordering, order->incoming.process);
	return ordering_take_clock(ordering, receiver->known->world, in, &order->incoming.clock);
}

void ordering_tell_end(const struct executed_operation *send, struct message_writer *out)
{
	const struct operation_order *order = order_of(send);

	put_number(out, send->call->member->comm->identity);
	put_number(out, send->number);
	put_integer(out, send->call->tag);
	put_number(out, order->receive_number);
	put_number(out, order->incoming.count);
	put_number(out, order->over_count);
}

bool ordering_hear_end(struct ordering *ordering, struct executed_process *sender,
                       struct executed_process *receiver, struct cursor *in)
{
	struct race_end end = {.source = ordered_process_of(ordering, sender)};
	const uint64_t comm = take_varint(in);

	end.number = take_varint(in);
	end.tag = (int32_t)take_signed(in);
	end.receive_number = take_varint(in);
	end.taken.process = ordered_process_of(ordering, receiver);
	end.taken.count = take_varint(in);
	end.count = take_varint(in);
	if (in->bad)
		return false;
	process_counts(ordering, end.source);
	races_prove(end.taken.process, comm, &end);
	return true;
}

void order_parts_release(struct ordering *ordering)
{
	for (size_t i = 0; i < ordering->pairs.count; i++)
		clock_drop(ordering->pairs.items[i].clock);
	array_release(&ordering->pairs);
	map_release(&ordering->pair_numbers);
	map_release(&ordering->ranks);
}
