#include "check/execution/message_races.h"

#include "check/known/report.h"

/* Tags or sources; -1: any. */
static bool values_meet(int32_t a, int32_t b)
{
	return a == -1 || b == -1 || a == b;
}

static bool takes(const struct wildcard_receive *receive, const struct taken_message *message)
{
	return values_meet(receive->tag, message->tag) &&
	       values_meet(receive->source, (int32_t)message->call->member->rank);
}

static void unlist(struct ordered_operations *list, struct executed_operation *operation)
{
	if (order_of(operation)->next || order_of(operation)->previous || list->first == operation)
		operations_remove(list, operation);
}

/* Channels */

static struct race_channel *find_channel(const struct ordered_process *process, uint64_t comm)
{
	const uint32_t *number = process->channels.count
	                                 ? map_find(&process->channel_numbers, map_key(comm, 0))
	                                 : NULL;

	return number ? process->channels.items[*number] : NULL;
}

struct race_channel *race_channel_get(struct ordered_process *process, uint64_t comm)
{
	struct race_channel *channel = find_channel(process, comm);

	if (channel)
		return channel;
	channel = memory_new(1, sizeof *channel);
	channel->comm = comm;
	channel->process = process;
	*map_put(&process->channel_numbers, map_key(comm, 0)) = (uint32_t)process->channels.count;
	array_add(&process->channels, channel);
	return channel;
}

void taken_message_release(struct ordering *ordering, struct taken_message *message)
{
	if (message->call)
		call_drop(ordering->known, message->call);
	moment_release(&message->begin);
	message->call = NULL;
}

static struct taken_message message_keep(const struct taken_message *message)
{
	struct taken_message kept = *message;

	call_keep(kept.call);
	kept.begin = moment_keep(&message->begin);
	return kept;
}

static struct taken_message message_of(struct executed_operation *send)
{
	return (struct taken_message){.receive_number = UINT64_MAX,
	                              .call = send->call,
	                              .source = order_of(send)->begin.process,
	                              .number = send->number,
	                              .tag = send->call->tag,
	                              .begin = order_of(send)->begin,
	                              .sent_count = order_of(send)->over_count};
}

void race_receive_free(struct ordering *ordering, struct wildcard_receive *receive)
{
	taken_message_release(ordering, &receive->taken);
	call_drop(ordering->known, receive->call);
	free(receive);
}

static void remove_receive(struct ordering *ordering, struct race_channel *channel, size_t place)
{
	race_receive_free(ordering, channel->receives.items[place]);
	memmove(&channel->receives.items[place], &channel->receives.items[place + 1],
	        (channel->receives.count - place - 1) * sizeof *channel->receives.items);
	channel->receives.count--;
	channel->first_unsettled -= place < channel->first_unsettled;
}

/* Threads of a process may begin receives in another order than their numbers. */
static void add_receive(struct ordering *ordering, struct race_channel *channel,
                        struct wildcard_receive *receive)
{
	size_t place = channel->receives.count;

	array_add(&channel->receives, receive);
	for (; place && channel->receives.items[place - 1]->number > receive->number; place--)
		channel->receives.items[place] = channel->receives.items[place - 1];
	channel->receives.items[place] = receive;
	channel->first_unsettled = place < channel->first_unsettled ? place : channel->first_unsettled;
	if (channel->receives.count > CHANNEL_RECEIVES_MAX && channel->receives.items[0]->is_settled)
		remove_receive(ordering, channel, 0);
}

void race_receive_resume(struct race_channel *channel, struct wildcard_receive *receive)
{
	channel->first_unsettled += receive->is_settled &&
	                            channel->first_unsettled == channel->receives.count;
	array_add(&channel->receives, receive);
}

/* Evaluation */

static bool is_matched_before(const struct wildcard_receive *receive, const struct ordered_moment *moment)
{
	for (uint32_t i = 0; i < receive->proof_count; i++)
		if (is_known_at(moment, receive->proofs[i].process, receive->proofs[i].count))
			return true;
	return receive->taken.sent_count &&
	       is_known_at(moment, receive->taken.source, receive->taken.sent_count);
}

/* True if the receive is assumed to get its message only after `receive` got its own. */
static bool is_late(const struct race_channel *channel, size_t place, const struct wildcard_receive *receive,
                    bool any_late)
{
	const struct wildcard_receive *earlier = channel->receives.items[place];

	if (!earlier->taken.call || is_matched_before(receive, &earlier->taken.begin))
		return true;
	for (size_t i = 0; any_late && i < place; i++)
		if (channel->receives.items[i]->is_late && takes(channel->receives.items[i], &earlier->taken))
			return true;
	return false;
}

/* True if an earlier receive would have taken the message, because its own cannot arrive before
 * this receive is matched. */
static bool is_taken_earlier(const struct race_channel *channel, const struct wildcard_receive *receive,
                             const struct taken_message *message)
{
	bool any_late = false;

	for (size_t i = 0; i < channel->receives.count; i++) {
		struct wildcard_receive *earlier = channel->receives.items[i];
		if (earlier->number >= receive->number)
			break;
		earlier->is_late = is_late(channel, i, receive, any_late);
		any_late = any_late || earlier->is_late;
		if (earlier->is_late && takes(earlier, message))
			return true;
	}
	return false;
}

/* Messages of one source arrive in order: after a message that an earlier receive would take,
 * no other can arrive. */
static bool is_behind_taken(struct wildcard_receive *receive, const struct race_channel *channel,
                            const struct taken_message *message)
{
	if (receive->blocked_source == message->source && receive->blocked_number < message->number)
		return true;
	if (!is_taken_earlier(channel, receive, message))
		return false;
	receive->blocked_source = message->source;
	receive->blocked_number = message->number;
	return true;
}

static void evaluate(struct ordering *ordering, const struct race_channel *channel,
                     struct wildcard_receive *receive, const struct taken_message *candidate)
{
	if (receive->source == -1 && takes(receive, candidate) &&
	    candidate->source != receive->taken.source && !is_matched_before(receive, &candidate->begin) &&
	    !is_behind_taken(receive, channel, candidate))
		race_reports_add(ordering, receive, candidate);
}

static void set_taken(struct ordering *ordering, struct race_channel *channel, uint64_t receive_number,
                      const struct taken_message *message)
{
	struct taken_message kept;

	for (size_t i = 0; i < channel->taken.count + channel->receives.count; i++) {
		struct taken_message *place =
			i < channel->taken.count ? &channel->taken.items[i]
						 : &channel->receives.items[i - channel->taken.count]->taken;
		if (!place->call || place->receive_number != receive_number)
			continue;
		kept = message_keep(message);
		kept.receive_number = receive_number;
		kept.posted_source = place->posted_source;
		kept.posted_tag = place->posted_tag;
		kept.over_count = place->over_count;
		taken_message_release(ordering, place);
		*place = kept;
	}
}

/* The message of a receive was uncertain as long as an earlier receive could have taken it: the earlier
 * receive took the earlier message. */
static void correct_pairs(struct ordering *ordering, struct race_channel *channel,
                          const struct wildcard_receive *receive)
{
	const struct taken_message *first = NULL, *own = &receive->taken;
	struct taken_message earlier, later;

	for (size_t i = 0; i < channel->taken.count; i++) {
		const struct taken_message *taken = &channel->taken.items[i];
		if (taken->receive_number > receive->number && taken->source == own->source &&
		    taken->tag == own->tag && taken->number < own->number &&
		    (!first || taken->number < first->number))
			first = taken;
	}
	if (!first)
		return;
	earlier = message_keep(first);
	later = message_keep(own);
	set_taken(ordering, channel, receive->number, &earlier);
	set_taken(ordering, channel, earlier.receive_number, &later);
	taken_message_release(ordering, &earlier);
	taken_message_release(ordering, &later);
}

/* Finds the number above that of the last pending receive posted before `number`; it is near one of
 * the ends of the list. */
static uint64_t pending_below(const struct race_channel *channel, uint64_t number)
{
	const struct executed_operation *low = channel->pending.first, *high = channel->pending.last;
	uint64_t below = 0;

	while (low && high && low->number < number) {
		if (high->number < number)
			return high->number + 1;
		below = low->number + 1;
		if (low == high)
			break;
		low = order_of(low)->next;
		high = order_of(high)->previous;
	}
	return below;
}

/* Drops older receives of the same call that cannot show more than this one and one of another source. */
static void prune_receives(struct ordering *ordering, struct race_channel *channel, size_t place)
{
	const struct wildcard_receive *newest = channel->receives.items[place];
	const uint64_t from = pending_below(channel, newest->number);
	const struct wildcard_receive *other = NULL;

	while (place-- && channel->receives.items[place]->number >= from) {
		const struct wildcard_receive *older = channel->receives.items[place];
		const struct analysed_call *a = older->call, *b = newest->call;
		if (!older->is_settled ||
		    (a != b && (a->text != b->text || a->tag != b->tag || a->function != b->function)))
			continue;
		if (!other && older->taken.source != newest->taken.source)
			other = older;
		else
			remove_receive(ordering, channel, place);
	}
}

static void prune_taken(struct ordering *ordering, struct race_channel *channel)
{
	const uint64_t from = channel->first_unsettled < channel->receives.count
	                              ? channel->receives.items[channel->first_unsettled]->number
	                              : UINT64_MAX;
	size_t left = 0;

	if (!channel->taken.count || (from != UINT64_MAX && channel->taken.items[0].receive_number > from &&
	                              channel->taken.count < CHANNEL_TAKEN_MAX))
		return;
	for (size_t i = 0; i < channel->taken.count; i++)
		if (channel->taken.items[i].receive_number > from && channel->taken.count < CHANNEL_TAKEN_MAX)
			channel->taken.items[left++] = channel->taken.items[i];
		else
			taken_message_release(ordering, &channel->taken.items[i]);
	channel->taken.count = left;
}

static void add_proof(struct wildcard_receive *receive, struct ordered_process *process, uint64_t count)
{
	uint32_t place = 0;

	while (place < receive->proof_count && receive->proofs[place].process != process)
		place++;
	if (place == receive->proof_count)
		place = receive->proof_count < RACE_PROOFS ? receive->proof_count++ : RACE_PROOFS - 1;
	else if (receive->proofs[place].count < count)
		return;
	receive->proofs[place] = (struct race_proof){process, count};
}

static void settle(struct ordering *ordering, struct race_channel *channel, struct wildcard_receive *receive)
{
	const struct taken_message *own = &receive->taken;

	correct_pairs(ordering, channel, receive);
	/* An earlier completed receive would have taken this message rather than a later one of the
	 * same process: a proof. */
	for (size_t i = 0; i < channel->taken.count; i++) {
		const struct taken_message *later = &channel->taken.items[i];
		if (later->receive_number > receive->number && later->over_count &&
		    later->source == own->source && later->number > own->number &&
		    values_meet(later->posted_tag, own->tag) &&
		    values_meet(later->posted_source, (int32_t)own->call->member->rank))
			add_proof(receive, channel->process, later->over_count);
	}
	receive->is_settled = true;
	for (size_t i = 0; i < channel->taken.count; i++)
		if (channel->taken.items[i].receive_number > receive->number)
			evaluate(ordering, channel, receive, &channel->taken.items[i]);
}

/* Evaluates as much as possible now. */
static void settle_channel(struct ordering *ordering, struct race_channel *channel)
{
	size_t i = channel->first_unsettled;
	bool is_first = true;

	for (; i < channel->receives.count; i++) {
		struct wildcard_receive *receive = channel->receives.items[i];
		bool is_blocked = receive->is_settled || !receive->is_over;
		for (size_t j = channel->first_unsettled; j < i && !is_blocked; j++)
			is_blocked = !channel->receives.items[j]->taken.call &&
			             values_meet(channel->receives.items[j]->tag, receive->tag) &&
			             values_meet(channel->receives.items[j]->source, receive->source);
		if (!is_blocked) {
			const size_t count = channel->receives.count;
			settle(ordering, channel, receive);
			prune_receives(ordering, channel, i);
			i -= count - channel->receives.count;
		} else if (!receive->taken.call && receive->tag == -1 && receive->source == -1)
			break;
		if (is_first && receive->is_settled)
			channel->first_unsettled = i + 1;
		else
			is_first = false;
	}
	prune_taken(ordering, channel);
}

/* Events of the execution */

const struct executed_operation *races_first_taker(const struct executed_operation *send,
                                                   const struct executed_operation *receive)
{
	const struct race_channel *channel = order_of(receive)->channel;

	for (const struct executed_operation *earlier = channel ? channel->pending.first : receive;
	     earlier && earlier->number < receive->number; earlier = order_of(earlier)->next)
		if (values_meet(earlier->call->tag, send->call->tag) &&
		    values_meet(earlier->call->peer, (int32_t)send->call->member->rank))
			return earlier;
	return receive;
}

/* It began in another execution, which has handed it over. */
static struct wildcard_receive *resumed_receive(const struct race_channel *channel,
                                                const struct executed_operation *operation)
{
	for (size_t i = channel->receives.count; operation->state & OPERATION_CONTINUED && i--;)
		if (channel->receives.items[i]->number == operation->number)
			return channel->receives.items[i];
	return NULL;
}

static void wildcard_began(struct ordering *ordering, const struct executed_operation *operation)
{
	struct operation_order *order = order_of(operation);

	order->channel = race_channel_get(order->begin.process, operation->call->member->comm->identity);
	order->wildcard = resumed_receive(order->channel, operation);
	if (order->wildcard) {
		order->wildcard = order->wildcard->is_over ? NULL : order->wildcard;
		return;
	}
	order->wildcard = memory_new(1, sizeof *order->wildcard);
	*order->wildcard = (struct wildcard_receive){.number = operation->number,
	                                             .call = call_keep(operation->call),
	                                             .source = operation->call->peer,
	                                             .tag = operation->call->tag};
	add_receive(ordering, order->channel, order->wildcard);
}

void races_began(struct ordering *ordering, struct executed_operation *operation)
{
	struct operation_order *order = order_of(operation);
	const bool is_matched = operation->state & OPERATION_MATCHED; /* by another execution */

	if (!is_receive(operation)) {
		if (operation->call->operation == OPERATION_SEND && !is_matched)
			operations_add(&ordering->unmatched_sends, operation);
		return;
	}
	if (operation->call->flags & CHECK_CALL_WILDCARD)
		wildcard_began(ordering, operation);
	else
		order->channel = find_channel(order->begin.process, operation->call->member->comm->identity);
	if (order->channel && !is_matched)
		operations_add(&order->channel->pending, operation);
}

/* True if the receive was completed after this moment of its own process. */
static bool is_over_after(const struct wildcard_receive *receive, const struct ordered_moment *moment)
{
	for (uint32_t i = 0; i < receive->proof_count; i++)
		if (receive->proofs[i].process == moment->process && receive->proofs[i].count > moment->count)
			return true;
	return false;
}

/* True if an earlier receive that could take the same messages is not settled. */
static bool waits_for_earlier(const struct race_channel *channel, const struct taken_message *message)
{
	for (size_t i = channel->first_unsettled; i < channel->receives.count; i++) {
		const struct wildcard_receive *earlier = channel->receives.items[i];
		if (earlier->number < message->receive_number && !earlier->is_settled &&
		    values_meet(earlier->tag, message->posted_tag) &&
		    values_meet(earlier->source, message->posted_source))
			return true;
	}
	return false;
}

/* The end of a synchronous send proves that its receive is matched, and also earlier receives that would
 * have taken its message. */
static void prove(struct race_channel *channel, const struct race_end *end)
{
	for (size_t i = 0; i < channel->receives.count; i++) {
		struct wildcard_receive *receive = channel->receives.items[i];
		if (receive->taken.call && receive->taken.source == end->source &&
		    receive->taken.number == end->number)
			receive->taken.sent_count = end->count;
		if (receive->source == -1 && receive->number <= end->receive_number &&
		    values_meet(receive->tag, end->tag) &&
		    (!receive->is_over || is_over_after(receive, &end->taken)))
			add_proof(receive, end->source, end->count);
	}
	for (size_t i = 0; i < channel->taken.count; i++)
		if (channel->taken.items[i].source == end->source &&
		    channel->taken.items[i].number == end->number)
			channel->taken.items[i].sent_count = end->count;
}

void races_prove(struct ordered_process *receiver, uint64_t comm, const struct race_end *end)
{
	struct race_channel *channel = find_channel(receiver, comm);

	if (channel)
		prove(channel, end);
}

static void prove_by_send(struct race_channel *channel, const struct executed_operation *send, uint64_t count)
{
	const struct operation_order *order = order_of(send);

	prove(channel, &(struct race_end){.source = order->begin.process,
	                                  .number = send->number,
	                                  .tag = send->call->tag,
	                                  .receive_number = order->receive_number,
	                                  .taken = order->incoming,
	                                  .count = count});
}

void races_matched(struct ordering *ordering, struct executed_operation *send,
                   struct executed_operation *receive)
{
	struct operation_order *order = order_of(receive);
	struct race_channel *channel = order->channel;
	struct taken_message message = message_of(send);

	unlist(&ordering->unmatched_sends, send);
	if (!channel)
		return;
	unlist(&channel->pending, receive);
	message.receive_number = receive->number;
	message.posted_source = receive->call->peer;
	message.posted_tag = receive->call->tag;
	if (order->wildcard) {
		taken_message_release(ordering, &order->wildcard->taken);
		order->wildcard->taken = message_keep(&message);
	}
	if (channel->taken.count < CHANNEL_TAKEN_MAX && waits_for_earlier(channel, &message))
		array_add(&channel->taken, message_keep(&message));
	if (order_of(send)->over_count)
		prove_by_send(channel, send, order_of(send)->over_count);
	for (size_t i = channel->receives.count; i--;) {
		struct wildcard_receive *earlier = channel->receives.items[i];
		if (earlier->number < receive->number && earlier->is_settled)
			evaluate(ordering, channel, earlier, &message);
	}
}

/* A completed receive is matched, and so are earlier ones that would have taken its message. */
static void prove_by_end(struct ordering *ordering, struct race_channel *channel,
                         const struct executed_operation *operation)
{
	struct ordered_process *process = channel->process;
	uint64_t count = 0;

	for (size_t i = channel->first_unsettled; i < channel->receives.count; i++) {
		struct wildcard_receive *receive = channel->receives.items[i];
		if (receive->number > operation->number)
			break;
		if (receive->source == -1 && (receive->number == operation->number || !receive->is_over) &&
		    values_meet(receive->tag, operation->tag)) {
			count = count ? count : process_tick(ordering, process);
			add_proof(receive, process, count);
		}
	}
	for (size_t i = 0; i < channel->taken.count; i++)
		if (channel->taken.items[i].receive_number == operation->number) {
			count = count ? count : process_tick(ordering, process);
			channel->taken.items[i].over_count = count;
		}
}

void races_over(struct ordering *ordering, struct executed_operation *operation)
{
	struct operation_order *order = order_of(operation);
	struct race_channel *channel = order->channel;

	if (is_receive(operation) && channel && order->incoming.process) {
		prove_by_end(ordering, channel, operation);
		if (!order->wildcard)
			return;
		order->wildcard->is_over = true;
		order->wildcard = NULL;
		settle_channel(ordering, channel);
	}
	if (operation->call->operation != OPERATION_SEND ||
	    !(operation->call->flags & CHECK_CALL_SYNCHRONOUS))
		return;
	channel = order->incoming.process
	                  ? find_channel(order->incoming.process, operation->call->member->comm->identity)
	                  : NULL;
	if (channel || order->is_proof || !(operation->state & OPERATION_MATCHED))
		order->over_count = process_tick(ordering, order->begin.process);
	if (channel)
		prove_by_send(channel, operation, order->over_count);
	else if (order->is_proof)
		ordering->elsewhere.send_over(ordering->elsewhere.owner, operation);
}

void races_freed(struct ordering *ordering, struct executed_operation *operation)
{
	struct operation_order *order = order_of(operation);
	struct race_channel *channel = order->channel;

	if (operation->call->operation == OPERATION_SEND)
		unlist(&ordering->unmatched_sends, operation);
	if (!channel)
		return;
	unlist(&channel->pending, operation);
	for (size_t i = 0; order->wildcard && i < channel->receives.count; i++)
		if (channel->receives.items[i] == order->wildcard) {
			remove_receive(ordering, channel, i);
			settle_channel(ordering, channel);
			break;
		}
}

/* Ends */

static void channel_free(struct ordering *ordering, struct race_channel *channel)
{
	for (size_t i = 0; i < channel->receives.count; i++)
		race_receive_free(ordering, channel->receives.items[i]);
	for (size_t i = 0; i < channel->taken.count; i++)
		taken_message_release(ordering, &channel->taken.items[i]);
	array_release(&channel->receives);
	array_release(&channel->taken);
	free(channel);
}

void races_comm_freed(struct ordering *ordering, struct ordered_process *process, uint64_t comm)
{
	struct race_channel *channel = find_channel(process, comm), *last;
	uint32_t number;

	/* Pending operations point to it. */
	if (!channel || channel->pending.first || channel->first_unsettled < channel->receives.count)
		return;
	number = *map_find(&process->channel_numbers, map_key(comm, 0));
	map_remove(&process->channel_numbers, map_key(comm, 0));
	last = process->channels.items[--process->channels.count];
	if (last != channel) {
		process->channels.items[number] = last;
		*map_put(&process->channel_numbers, map_key(last->comm, 0)) = number;
	}
	channel_free(ordering, channel);
}

void races_end(struct ordering *ordering)
{
	for (struct executed_operation *send = ordering->unmatched_sends.first; send;
	     send = order_of(send)->next) {
		const struct comm_member *member = send->call->member;
		const struct taken_message message = message_of(send);
		struct executed_process *dest = send->state & OPERATION_VOID
		                                        ? NULL
		                                        : execution_member(
								  ordering->execution, member->comm,
								  member->comm->size[1] ? !member->side : 0,
								  (uint32_t)send->call->peer);
		struct race_channel *channel = dest && dest->ordering
		                                       ? find_channel(dest->ordering, member->comm->identity)
		                                       : NULL;
		for (size_t i = 0; channel && i < channel->receives.count; i++)
			if (channel->receives.items[i]->is_settled)
				evaluate(ordering, channel, channel->receives.items[i], &message);
	}
}

void races_release(struct ordering *ordering, struct ordered_process *process)
{
	for (size_t i = 0; i < process->channels.count; i++)
		channel_free(ordering, process->channels.items[i]);
	array_release(&process->channels);
	map_release(&process->channel_numbers);
}

/* Ready sends */

/* A ready send is an error unless its receive was posted before. The checker executes a call after all calls that the program's MPI calls order
 * before it. So if the send begins here before its receive, no MPI call orders the receive before the send. After the first use of a window
 * nothing is checked, because processes may synchronise through its memory. */
static bool is_posted_late(const struct executed_operation *receive, const struct executed_operation *send)
{
	/* The receive began in another execution, which would have matched the send if it had known it then. */
	if (receive->state & OPERATION_CONTINUED)
		return false;
	return send->state & OPERATION_CONTINUED || send->began < receive->began;
}

void ready_matched(struct ordering *ordering, const struct executed_operation *send,
                   const struct executed_operation *receive)
{
	uint32_t *known;

	if (!(send->call->flags & CHECK_CALL_READY) || receive->call->operation != OPERATION_RECEIVE ||
	    !is_posted_late(receive, send) || ordering->has_windows)
		return;
	known = map_put(&ordering->unready, map_key(send->call->serial, receive->call->serial));
	if (*known != MAP_NONE) {
		findings_log_repeat(ordering->log, *known);
		return;
	}
	*known = report_finding(ordering->log, CHECK_MESSAGE_NOT_READY, 1,
	                        CALLS({send->call, NOTE_SENT}, {receive->call, NOTE_RECEIVED}),
	                        "dest=%u" AND "comm=%s", receive->call->member->rank,
	                        send->call->member->comm->name);
}
