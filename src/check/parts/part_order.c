/* Facts about the order of events (ordering.h). */
#include "check/execution/execution_parts.h"
#include "check/parts/part.h"

/* Told by parts about processes that have said nothing here. */
static struct executed_process *process_of(void *owner, uint32_t rank)
{
	struct check_part *part = owner;
	const struct analysed_process *any = part->processes.count ? part->processes.items[0]->known : NULL;

	return any && rank < any->size
	               ? executed_process_get(part->run->execution,
	                                      part_image(part, any->world, rank, any->size)->known)
	               : NULL;
}

static void send_over(void *owner, const struct executed_operation *send)
{
	const struct executed_process *receiver = send->call->receiver;
	struct message_writer *out = part_fact_begin(owner, receiver->known->world, receiver->known->rank,
	                                             PART_SEND_OVER);

	put_number(out, send->process->known->rank);
	ordering_tell_end(send, out);
}

void part_order_begin(struct check_part *part)
{
	ordering_set_elsewhere(
		part->run->ordering,
		&(struct order_elsewhere){.owner = part, .process = process_of, .send_over = send_over});
}

void part_order_end(struct check_part *part)
{
	if (part->choices)
		wildcard_choices_end(part->choices, false);
	clock_drop(part->told);
	clock_drop(part->heard);
	part->told = part->heard = NULL;
	writer_release(&part->order);
	part->order = (struct message_writer){0};
}

/* Messages */

void part_tell_order(struct check_part *part, const struct executed_process *to,
                     const struct carried_fact *fact)
{
	struct ordering *ordering = part->run->ordering;
	const struct executed_operation *send = fact->operation;
	const bool begins = fact->kind == FACT_SENT;
	struct message_writer *out;

	if (!to->is_image || !(begins || send->call->flags & CHECK_CALL_SYNCHRONOUS))
		return;
	part->order.size = 0;
	if (begins ? !ordering_tell_send(ordering, send, to, &part->order)
	           : !ordering_tell_match(ordering, send, fact->partner, &part->order))
		return;
	out = part_fact_begin(part, to->known->world, to->known->rank, begins ? PART_KNOWS : PART_ORDERED);
	put_number(out, begins ? send->process->known->rank : send->number);
	put_raw(out, part->order.bytes, part->order.size);
}

static bool hear_match(struct check_part *part, const struct part_process *sender, struct part_fact *fact)
{
	const struct executed_operation *send = part_find_send(sender, fact->number);

	return send && send->call->flags & CHECK_CALL_SYNCHRONOUS && send->call->receiver &&
	       ordering_hear_match(part->run->ordering, send, send->call->receiver, &fact->body);
}

bool part_hear_order(struct check_part *part, struct part_process *process, struct part_fact *fact)
{
	struct executed_process *here = executed_process_get(part->run->execution, process->known), *there;
	struct part_process *source;

	if (fact->kind == PART_ORDERED)
		return hear_match(part, process, fact);
	source = part_find(part, process->known->world, fact->source);
	if (!source)
		return false;
	if (source->is_own) /* its receiver came late: its operations are here */
		return fact->kind == PART_KNOWS;
	there = executed_process_get(part->run->execution, source->known);
	return fact->kind == PART_KNOWS ? ordering_hear_send(part->run->ordering, there, here, &fact->body)
	                                : ordering_hear_end(part->run->ordering, there, here, &fact->body);
}

/* Collective calls */

bool part_put_sum(struct check_part *part, const struct executed_collective *collective,
                  struct message_writer *body)
{
	struct vector_clock *sum = NULL;
	const bool right = ordering_sum_members(part->run->ordering, collective, &sum);

	put_number(body, right && sum);
	if (right && sum)
		ordering_put_clock(part->run->ordering, body, &part->told, sum);
	clock_drop(sum);
	return right;
}

struct vector_clock *part_take_sum(struct check_part *part, struct cursor *in)
{
	const uint64_t world = part->processes.count ? part->processes.items[0]->known->world : 0;

	if (!take_varint(in))
		return NULL;
	ordering_take_clock(part->run->ordering, world, in, &part->heard);
	return part->heard;
}
