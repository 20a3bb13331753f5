/* The order of events of a process, as another analyser gets it before the process goes on there. */
#include "check/execution/execution_parts.h"
#include "check/execution/message_races.h"
#include "check/execution/order_archive.h"

enum { ITEMS_BYTES = 1 << 18 /* of a frame; an item is much smaller */ };

/* Fields */

void archive_number(struct order_archive *archive, uint64_t *value)
{
	if (archive_reads(archive))
		*value = take_varint(archive->in);
	else
		put_number(archive->out, *value);
}

void archive_small(struct order_archive *archive, uint32_t *value)
{
	if (archive_reads(archive))
		*value = take_u32(archive->in);
	else
		put_number(archive->out, *value);
}

void archive_integer(struct order_archive *archive, int32_t *value)
{
	if (archive_reads(archive))
		*value = (int32_t)take_signed(archive->in);
	else
		put_integer(archive->out, *value);
}

void archive_flag(struct order_archive *archive, bool *value)
{
	if (archive_reads(archive))
		*value = take_varint(archive->in);
	else
		put_number(archive->out, *value);
}

static void archive_clock(struct order_archive *archive, struct vector_clock **clock)
{
	bool has_clock = *clock;

	archive_flag(archive, &has_clock);
	if (archive_reads(archive)) {
		clock_drop(*clock);
		*clock = NULL;
	}
	if (!has_clock)
		return;
	if (!archive_reads(archive)) {
		ordering_put_clock(archive->ordering, archive->out, &archive->base, *clock);
		return;
	}
	ordering_take_clock(archive->ordering, archive->world, archive->in, &archive->base);
	*clock = clock_keep(archive->base);
}

/* NULL: none. */
static void archive_process(struct order_archive *archive, struct ordered_process **process)
{
	uint64_t name = *process ? (*process)->process->known->rank + 1ull : 0;

	archive_number(archive, &name);
	if (!archive_reads(archive))
		return;
	*process = name && name <= UINT32_MAX
	                   ? ordered_by_rank(archive->ordering, archive->world, (uint32_t)name - 1)
	                   : NULL;
	archive->is_lost |= name && !*process;
}

void archive_call(struct order_archive *archive, struct analysed_call **call)
{
	struct ordered_process *process = *call ? ordered_process_of(
							  archive->ordering,
							  executed_process_get(archive->ordering->execution,
	                                                                       (*call)->process))
	                                        : NULL;
	uint64_t number = *call ? (*call)->number : 0;

	archive_process(archive, &process);
	archive_number(archive, &number);
	if (!archive_reads(archive))
		return;
	*call = process ? process_call(process->process->known, number) : NULL;
	archive->is_lost |= process && (!*call || !(*call)->member);
	if (*call)
		call_keep(*call);
}

static void archive_moment(struct order_archive *archive, struct ordered_moment *moment)
{
	archive_process(archive, &moment->process);
	archive_number(archive, &moment->count);
	archive_clock(archive, &moment->clock);
	if (archive_reads(archive) && moment->process && moment->count)
		process_counts(archive->ordering, moment->process);
}

static void archive_taken(struct order_archive *archive, struct taken_message *taken)
{
	archive_call(archive, &taken->call);
	archive_number(archive, &taken->receive_number);
	archive_process(archive, &taken->source);
	archive_number(archive, &taken->number);
	archive_integer(archive, &taken->tag);
	archive_moment(archive, &taken->begin);
	archive_integer(archive, &taken->posted_source);
	archive_integer(archive, &taken->posted_tag);
	archive_number(archive, &taken->over_count);
	archive_number(archive, &taken->sent_count);
	if (archive_reads(archive) && taken->call)
		archive->is_lost |= !taken->source || taken->call->operation != OPERATION_SEND;
}

static void archive_receive(struct order_archive *archive, struct wildcard_receive *receive)
{
	archive_number(archive, &receive->number);
	archive_call(archive, &receive->call);
	archive_integer(archive, &receive->source);
	archive_integer(archive, &receive->tag);
	archive_flag(archive, &receive->is_over);
	archive_flag(archive, &receive->is_settled);
	archive_flag(archive, &receive->is_reported);
	archive_taken(archive, &receive->taken);
	archive_process(archive, &receive->blocked_source);
	archive_number(archive, &receive->blocked_number);
	archive_small(archive, &receive->proof_count);
	if (receive->proof_count > RACE_PROOFS) {
		receive->proof_count = 0;
		archive->in->bad = true;
	}
	for (uint32_t i = 0; i < receive->proof_count; i++) {
		archive_process(archive, &receive->proofs[i].process);
		archive_number(archive, &receive->proofs[i].count);
		if (archive_reads(archive) && receive->proofs[i].process)
			process_counts(archive->ordering, receive->proofs[i].process);
	}
	if (archive_reads(archive))
		archive->is_lost |= !receive->call || (receive->is_settled && !receive->taken.call);
}

static void archive_place(struct order_archive *archive, struct race_place *place)
{
	archive_call(archive, &place->receive);
	archive_call(archive, &place->taken);
	archive_number(archive, &place->times);
	archive_flag(archive, &place->differs);
	archive_small(archive, &place->send_count);
	if (place->send_count > RACE_SENDS) {
		place->send_count = 0;
		archive->in->bad = true;
	}
	for (uint32_t i = 0; i < place->send_count; i++)
		archive_call(archive, &place->sends[i]);
	if (archive_reads(archive))
		archive->is_lost |= !place->receive || !place->taken || !place->send_count;
}

/* Writing */

struct items {
	struct order_archive archive;
	struct message_writer body;
	ordering_put_items *put;
	void *owner;
};

static void flush_items(struct items *items)
{
	if (items->body.size)
		items->put(items->owner, &items->body);
	items->body.size = 0;
	clock_drop(items->archive.base);
	items->archive.base = NULL;
}

/* Each frame begins with an empty clock. */
static void end_item(void *owner)
{
	struct items *items = owner;

	if (items->body.size > ITEMS_BYTES)
		flush_items(items);
}

static void put_item(struct items *items, enum order_item item)
{
	put_number(&items->body, item);
}

static bool is_empty(const struct ordered_moment *moment)
{
	return !moment->clock && !moment->count;
}

/* Without it, the operation goes on as if no event had been counted. */
static bool has_order(const struct executed_operation *operation)
{
	const struct operation_order *order = order_of(operation);

	return !is_empty(&order->begin) || !is_empty(&order->incoming) || order->over_count ||
	       (order->incoming.process &&
	        (order->channel || operation->call->flags & CHECK_CALL_SYNCHRONOUS));
}

static void put_operation(struct items *items, const struct executed_operation *operation)
{
	struct operation_order *order = order_of(operation);
	uint64_t number = operation->number, receive_number;

	if (!order || !(operation->state & OPERATION_BEGUN) || !has_order(operation))
		return;
	put_item(items, ORDER_OPERATION);
	archive_number(&items->archive, &number);
	archive_number(&items->archive, &order->begin.count);
	archive_clock(&items->archive, &order->begin.clock);
	archive_moment(&items->archive, &order->incoming);
	receive_number = order->receive_number;
	archive_number(&items->archive, &receive_number);
	archive_number(&items->archive, &order->over_count);
	end_item(items);
}

static void put_channel(struct items *items, const struct race_channel *channel)
{
	for (size_t i = 0; i < channel->receives.count; i++) {
		put_item(items, ORDER_RECEIVE);
		put_word(&items->body, channel->comm);
		archive_receive(&items->archive, channel->receives.items[i]);
		end_item(items);
	}
	for (size_t i = 0; i < channel->taken.count; i++) {
		put_item(items, ORDER_TAKEN);
		put_word(&items->body, channel->comm);
		archive_taken(&items->archive, &channel->taken.items[i]);
		end_item(items);
	}
}

static void put_process(struct items *items, struct executed_process *process)
{
	struct ordered_process *ordered = process->ordering;

	if (ordered->clock || ordered->count) {
		put_item(items, ORDER_PROCESS);
		archive_number(&items->archive, &ordered->count);
		archive_clock(&items->archive, &ordered->clock);
		end_item(items);
	}
	for (size_t i = 0; i < ordered->channels.count; i++)
		put_channel(items, ordered->channels.items[i]);
	for (uint32_t i = 0; i < process->table_room; i++)
		for (struct executed_operation *at = process->table[i]; at; at = at->chained)
			put_operation(items, at);
}

void ordering_hand_over(struct ordering *ordering, struct executed_process *process, bool with_reports,
                        ordering_put_items *put, void *owner)
{
	struct items items = {.archive = {.ordering = ordering, .world = process->known->world},
	                      .put = put,
	                      .owner = owner};

	items.archive.out = &items.body;
	if (process->ordering)
		put_process(&items, process);
	if (ordering->choices)
		choices_put(ordering->choices, process, &items.archive, end_item, &items);
	for (size_t i = 0; with_reports && i < ordering->reports->list.count; i++) {
		put_item(&items, ORDER_PLACE);
		archive_place(&items.archive, &ordering->reports->list.items[i]);
		end_item(&items);
	}
	flush_items(&items);
	writer_release(&items.body);
}

/* Reading */

static struct map_key operation_key(const struct executed_process *process, uint64_t number)
{
	return map_key((uintptr_t)process, number);
}

static void hear_operation(struct order_archive *archive, const struct executed_process *process)
{
	struct resumed_order order = {0};
	uint64_t number = 0;
	uint32_t *place;

	archive_number(archive, &number);
	archive_number(archive, &order.begin_count);
	archive_clock(archive, &order.begin_clock);
	archive_moment(archive, &order.incoming);
	archive_number(archive, &order.receive_number);
	archive_number(archive, &order.over_count);
	place = archive->in->bad
	                ? NULL
	                : map_put(&archive->ordering->resumed_numbers, operation_key(process, number));
	if (!place || *place != MAP_NONE) {
		archive->in->bad = true;
		clock_drop(order.begin_clock);
		moment_release(&order.incoming);
		return;
	}
	*place = (uint32_t)archive->ordering->resumed.count;
	array_add(&archive->ordering->resumed, order);
}

static void hear_process(struct order_archive *archive, struct ordered_process *process)
{
	archive_number(archive, &process->count);
	archive_clock(archive, &process->clock);
	if (process->count)
		process_counts(archive->ordering, process);
}

static void hear_receive(struct order_archive *archive, struct ordered_process *process)
{
	const uint64_t comm = take_u64(archive->in);
	struct wildcard_receive *receive = memory_new(1, sizeof *receive);
	struct race_channel *channel;

	archive_receive(archive, receive);
	if (!archive->in->bad && !archive->is_lost) {
		channel = race_channel_get(process, comm);
		race_receive_resume(channel, receive);
	} else
		race_receive_free(archive->ordering, receive);
}

static void hear_taken(struct order_archive *archive, struct ordered_process *process)
{
	const uint64_t comm = take_u64(archive->in);
	struct taken_message taken = {0};

	archive_taken(archive, &taken);
	if (!archive->in->bad && !archive->is_lost && taken.call)
		array_add(&race_channel_get(process, comm)->taken, taken);
	else
		taken_message_release(archive->ordering, &taken);
}

static void hear_place(struct order_archive *archive)
{
	struct race_place place = {0};

	archive_place(archive, &place);
	if (!archive->in->bad && !archive->is_lost)
		race_reports_resume(archive->ordering, &place);
	race_place_release(archive->ordering, &place);
}

static void hear_item(struct order_archive *archive, struct executed_process *process)
{
	struct ordered_process *ordered = ordered_process_of(archive->ordering, process);

	archive->is_lost = false;
	switch (take_varint(archive->in)) {
	case ORDER_PROCESS:
		hear_process(archive, ordered);
		break;
	case ORDER_OPERATION:
		hear_operation(archive, process);
		break;
	case ORDER_RECEIVE:
		hear_receive(archive, ordered);
		break;
	case ORDER_TAKEN:
		hear_taken(archive, ordered);
		break;
	case ORDER_PLACE:
		hear_place(archive);
		break;
	case ORDER_CHOICE:
		archive->in->bad |= !choice_take(archive->ordering->choices, process, archive);
		break;
	default:
		archive->in->bad = true;
	}
}

bool ordering_hear_items(struct ordering *ordering, struct analysed_process *process, struct cursor *in)
{
	struct order_archive archive = {.ordering = ordering, .world = process->world, .in = in};

	while (cursor_left(in) && !in->bad)
		hear_item(&archive, executed_process_get(ordering->execution, process));
	clock_drop(archive.base);
	return !in->bad;
}

void order_resume(struct ordering *ordering, const struct executed_operation *operation)
{
	const struct map_key key = operation_key(operation->process, operation->number);
	const uint32_t *place = map_find(&ordering->resumed_numbers, key);
	struct operation_order *order = order_of(operation);
	struct resumed_order *resumed = place ? &ordering->resumed.items[*place] : NULL;

	clock_drop(order->begin.clock);
	order->begin.clock = NULL;
	order->begin.count = 0;
	if (!resumed)
		return;
	order->begin.clock = resumed->begin_clock;
	order->begin.count = resumed->begin_count;
	order->incoming = resumed->incoming;
	order->receive_number = resumed->receive_number;
	order->over_count = resumed->over_count;
	*resumed = (struct resumed_order){0};
	map_remove(&ordering->resumed_numbers, key);
}

void order_resumed_release(struct ordering *ordering)
{
	for (size_t i = 0; i < ordering->resumed.count; i++) {
		clock_drop(ordering->resumed.items[i].begin_clock);
		clock_drop(ordering->resumed.items[i].incoming.clock);
	}
	array_release(&ordering->resumed);
	map_release(&ordering->resumed_numbers);
}
