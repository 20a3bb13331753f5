/* Sends and receives. Those of one channel (communicator, source, destination and tag) match in the order
 * of their begin. A receive with a wildcard joins a channel when its process reports its message. Until
 * then it has a candidate: a send that it could take. Later receives do not take the candidate, unless the
 * program shows that they did (OPERATION_RETURNED). So it is known which threads can continue, and which
 * wait for another message. */
#include "check/execution/message_channels.h"

enum { CANDIDATES_LOOKED_AT = 1000 /* for one operation */ };

/* Candidates */

static bool could_take(const struct executed_operation *receive, const struct executed_operation *send)
{
	return (receive->source < 0 || receive->source == (int32_t)send->call->member->rank) &&
	       (receive->tag < 0 || receive->tag == send->call->tag);
}

static void propose(struct execution *execution, struct message_inbox *inbox,
                    struct executed_operation *receive, struct executed_operation *send)
{
	remove_from(LIST_WAITING, &inbox->open, receive);
	insert_in(LIST_WAITING, &inbox->provided, receive);
	receive->candidate = send;
	send->candidate = receive;
	/* The program continued: this receive may be the reason. */
	if (send->state & OPERATION_RETURNED && !operation_is_done(send))
		fact_tell(execution, send->process,
		          &(struct process_fact){.kind = FACT_RELEASED, .operation = send});
}

void learn_released(struct execution *execution, const struct process_fact *fact)
{
	fact->operation->state |= OPERATION_BUFFERED;
	operation_done(execution, fact->operation);
}

static void part(struct message_inbox *inbox, struct executed_operation *receive)
{
	remove_from(LIST_WAITING, &inbox->provided, receive);
	insert_in(LIST_WAITING, &inbox->open, receive);
	receive->candidate->candidate = NULL;
	receive->candidate = NULL;
}

static struct executed_operation *find_open(const struct message_inbox *inbox,
                                            const struct executed_operation *send)
{
	int looked = 0;

	for (struct executed_operation *at = inbox->open.first; at && looked < CANDIDATES_LOOKED_AT;
	     at = next_waiting(at), looked++)
		if (could_take(at, send))
			return at;
	return NULL;
}

/* The first send, unless the program shows that another one found a receive. */
static void find_candidate(struct execution *execution, struct message_inbox *inbox,
                           struct executed_operation *receive)
{
	struct executed_operation *found = NULL;
	int looked = 0;

	for (struct executed_operation *at = inbox->sends.first; at && looked < CANDIDATES_LOOKED_AT;
	     at = next_in(LIST_INBOX, at), looked++) {
		if (at->candidate || !could_take(receive, at))
			continue;
		if (!found)
			found = at;
		if (!operation_is_done(at) && at->state & OPERATION_RETURNED) {
			found = at;
			break;
		}
	}
	if (found)
		propose(execution, inbox, receive, found);
}

/* Matching */

static void settle_send(struct execution *execution, struct executed_operation *send);

/* A receive with a wildcard that began before this receive and could have taken the send. */
static bool has_earlier_taker(const struct message_inbox *inbox, const struct executed_operation *receive,
                              const struct executed_operation *send)
{
	const struct operation_list *const lists[] = {&inbox->open, &inbox->provided};
	int looked = 0;

	for (int i = 0; i < 2; i++)
		for (const struct executed_operation *at = lists[i]->first; at && at->began < receive->began;
		     at = next_waiting(at))
			if (++looked > CANDIDATES_LOOKED_AT || could_take(at, send))
				return true;
	return false;
}

/* It is unknown whether the two match, unless the program shows it. */
static bool is_doubtful(struct message_inbox *inbox, const struct executed_operation *receive,
                        const struct executed_operation *send)
{
	if (receive->state & OPERATION_RETURNED || !has_earlier_taker(inbox, receive, send))
		return false;
	inbox->is_doubtful = true;
	return true;
}

static void unlist_receive(struct executed_operation *receive)
{
	receive->channel->inbox->waiting--;
	remove_from(LIST_WAITING, &receive->channel->receives, receive);
	receive->channel = NULL;
}

/* After its removal from all lists: the receive that had this send as a candidate must look for another
 * one. */
static struct executed_operation *unlist_send(struct executed_operation *send)
{
	struct executed_operation *receive = send->candidate;
	struct message_inbox *inbox = send->channel->inbox;

	if (receive)
		part(inbox, receive);
	remove_from(LIST_WAITING, &send->channel->sends, send);
	remove_from(LIST_INBOX, &inbox->sends, send);
	return receive;
}

static void set_partner(struct executed_operation *operation, struct executed_operation *partner)
{
	operation->state |= OPERATION_MATCHED;
	if (partner && !(operation->state & (OPERATION_OVER | OPERATION_DROPPED | OPERATION_VOID)))
		operation->partner = operation_keep(partner);
}

void learn_matched(struct execution *execution, const struct process_fact *fact)
{
	set_partner(fact->operation, fact->partner);
	operation_done(execution, fact->operation);
	operation_settled(execution, fact->operation);
}

/* A complete receive gets a send that an earlier receive with a wildcard may have taken, because its
 * own send has not arrived yet. Until all messages of this channel are matched, it is unknown which
 * ones belong together. */
static void note_order(struct message_channel *channel, struct executed_operation *send,
                       struct executed_operation *receive)
{
	const struct message_inbox *inbox = channel->inbox;
	if (receive->state & OPERATION_RETURNED && has_earlier_taker(inbox, receive, send))
		channel->is_unordered = true;
	if (!channel->is_unordered)
		return;
	send->state |= OPERATION_UNORDERED;
	receive->state |= OPERATION_UNORDERED;
	channel->is_unordered = inbox->open.first || inbox->provided.first || channel->sends.first ||
	                        channel->receives.first;
}

/* `send` is listed, or has just begun; `receive` is not listed. */
static void match(struct execution *execution, struct message_channel *channel,
                  struct executed_operation *send, struct executed_operation *receive)
{
	struct executed_operation *left = NULL;
	const bool was_listed = send->state & OPERATION_LISTED;

	if (was_listed)
		left = unlist_send(send);
	note_order(channel, send, receive);
	send->state &= ~(uint32_t)OPERATION_LISTED;
	fact_tell(execution, send->process,
	          &(struct process_fact){.kind = FACT_MATCHED, .operation = send, .partner = receive});
	set_partner(receive, send);
	LISTENERS_CALL(execution, matched, send, receive);
	operation_done(execution, receive);
	operation_settled(execution, receive);
	send->channel = receive->channel = NULL;
	/* No more facts about the operation follow. */
	if (execution->part && send->process->is_image)
		operation_over(execution, send, OPERATION_DROPPED);
	if (was_listed)
		operation_release(execution, send);
	if (left)
		find_candidate(execution, inbox_of(left), left);
}

static void take_listed_receive(struct execution *execution, struct executed_operation *send,
                                struct executed_operation *receive)
{
	struct message_channel *channel = receive->channel;

	receive->state &= ~(uint32_t)OPERATION_LISTED;
	unlist_receive(receive);
	match(execution, channel, send, receive);
	operation_release(execution, receive);
}

static void see(struct execution *execution, struct executed_operation *probe,
                struct executed_operation *send)
{
	if (send)
		set_partner(probe, send);
	probe->state |= OPERATION_MATCHED;
	operation_done(execution, probe);
}

static void unlist_probe(struct execution *execution, struct executed_operation *probe)
{
	probe->channel->inbox->waiting--;
	remove_from(LIST_WAITING, &probe->channel->probes, probe);
	probe->channel = NULL;
	probe->state &= ~(uint32_t)OPERATION_LISTED;
	operation_release(execution, probe);
}

/* A receive with a wildcard could take this send instead of one that another receive waits for. */
static struct executed_operation *find_exchange(const struct message_inbox *inbox,
                                                const struct executed_operation *send)
{
	int looked = 0;

	for (struct executed_operation *at = inbox->provided.first; at && looked < CANDIDATES_LOOKED_AT;
	     at = next_waiting(at), looked++)
		if (could_take(at, send) && at->candidate->channel->receives.first)
			return at;
	return NULL;
}

/* Another execution matched it with an operation that never happened. */
static void match_unknown(struct execution *execution, struct executed_operation *operation)
{
	if (operation->call->operation == OPERATION_SEND)
		fact_tell(execution, operation->process,
		          &(struct process_fact){.kind = FACT_MATCHED, .operation = operation});
	else
		learn_matched(execution, &(struct process_fact){.operation = operation});
}

/* For a listed send without a candidate: a waiting receive takes it, or could. */
static void settle_send(struct execution *execution, struct executed_operation *send)
{
	struct message_inbox *inbox = send->channel->inbox;
	struct executed_operation *receive = send->channel->receives.first;
	struct executed_operation *open = find_open(inbox, send);

	if (receive && !is_doubtful(inbox, receive, send))
		take_listed_receive(execution, send, receive);
	else if (open)
		propose(execution, inbox, open, send);
	else if (!receive && (open = find_exchange(inbox, send)) != NULL) {
		struct executed_operation *other = open->candidate;
		part(inbox, open);
		propose(execution, inbox, open, send);
		settle_send(execution, other);
	}
}

/* A receive with a wildcard is no longer in the way. */
static void settle_doubts(struct execution *execution, struct message_inbox *inbox)
{
	struct executed_operation *next;

	if (!inbox->is_doubtful)
		return;
	inbox->is_doubtful = false;
	for (struct executed_operation *at = inbox->sends.first; at; at = next) {
		next = next_in(LIST_INBOX, at);
		if (at->channel->receives.first && !at->candidate)
			settle_send(execution, at);
	}
}

static void list_send(struct execution *execution, struct message_channel *channel,
                      struct executed_operation *send)
{
	send->channel = channel;
	send->state |= OPERATION_LISTED;
	insert_in(LIST_WAITING, &channel->sends, operation_keep(send));
	insert_in(LIST_INBOX, &channel->inbox->sends, send);
	settle_send(execution, send);
}

void learn_sent(struct execution *execution, const struct process_fact *fact)
{
	struct executed_operation *send = fact->operation;
	struct message_channel *channel = channel_of(execution, send);

	send->sequence = ++channel->sent;
	channel->sent_until = (uint32_t)send->number + 1;
	if (channel->surplus < 0) {
		channel->surplus++;
		match_unknown(execution, send);
		return;
	}
	if (channel->receives.first && !channel->inbox->open.first && !channel->inbox->provided.first) {
		take_listed_receive(execution, send, channel->receives.first);
		return;
	}
	list_send(execution, channel, send);
	while (channel->sends.first && channel->probes.first) {
		see(execution, channel->probes.first, channel->sends.first);
		unlist_probe(execution, channel->probes.first);
	}
}

/* The first send that no other receive could take instead. If the program shows that this receive has a
 * message: the first send. */
static struct executed_operation *find_send(const struct message_channel *channel,
                                            const struct executed_operation *receive)
{
	struct executed_operation *at = channel->sends.first;

	if (receive->state & OPERATION_RETURNED)
		while (at && at->candidate)
			at = next_waiting(at);
	else
		while (at && at->candidate && at->candidate->began < receive->began)
			at = next_waiting(at);
	return at || !(receive->state & OPERATION_RETURNED) ? at : channel->sends.first;
}

/* A receive waits, and all sends that it could take are candidates of others: one of those
 * may take another send. */
static void find_other_candidate(struct execution *execution, const struct message_channel *channel)
{
	struct executed_operation *send = channel->sends.first, *receive;
	int looked = 0;

	for (; send && looked < CANDIDATES_LOOKED_AT; send = next_waiting(send), looked++) {
		struct executed_operation *other = channel->inbox->sends.first;
		receive = send->candidate;
		if (!receive)
			return;
		while (other && looked++ < CANDIDATES_LOOKED_AT &&
		       (other->candidate || !could_take(receive, other)))
			other = next_in(LIST_INBOX, other);
		if (other && looked < CANDIDATES_LOOKED_AT) {
			part(channel->inbox, receive);
			propose(execution, channel->inbox, receive, other);
			settle_send(execution, send);
			return;
		}
	}
}

/* A receive with known source and tag. */
static void receive_begins(struct execution *execution, struct executed_operation *receive)
{
	struct message_channel *channel = channel_of(execution, receive);
	struct executed_operation *send;

	if (!channel) {
		receive->state |= OPERATION_MATCHED;
		operation_done(execution, receive);
		return;
	}
	if (channel->surplus > 0) {
		channel->surplus--;
		match_unknown(execution, receive);
		return;
	}
	send = find_send(channel, receive);
	if (send && !is_doubtful(channel->inbox, receive, send)) {
		match(execution, channel, send, receive);
		return;
	}
	receive->channel = channel;
	receive->state |= OPERATION_LISTED;
	channel->inbox->waiting++;
	insert_in(LIST_WAITING, &channel->receives, operation_keep(receive));
	if (channel->sends.first)
		find_other_candidate(execution, channel);
}

static void probe_begins(struct execution *execution, struct executed_operation *probe)
{
	struct message_channel *channel = channel_of(execution, probe);

	if (!channel || channel->sends.first ||
	    (probe->state & OPERATION_RETURNED && probe->process->is_threaded)) {
		see(execution, probe, channel ? channel->sends.first : NULL);
		return;
	}
	probe->channel = channel;
	probe->state |= OPERATION_LISTED;
	channel->inbox->waiting++;
	insert_in(LIST_WAITING, &channel->probes, operation_keep(probe));
}

void message_begins(struct execution *execution, struct executed_operation *operation)
{
	struct message_inbox *inbox;

	if (operation->call->operation == OPERATION_SEND) {
		if (receiver_place(operation) == UINT32_MAX)
			operation->state |= OPERATION_MATCHED;
		else
			fact_tell(execution, message_receiver(execution, operation),
			          &(struct process_fact){.kind = FACT_SENT, .operation = operation});
	} else if (operation->state & OPERATION_RESOLVED) {
		if (operation->call->operation == OPERATION_PROBE)
			probe_begins(execution, operation);
		else
			receive_begins(execution, operation);
	} else if (operation->call->operation != OPERATION_PROBE) {
		inbox = inbox_of(operation);
		operation->state |= OPERATION_LISTED;
		insert_in(LIST_WAITING, &inbox->open, operation_keep(operation));
		find_candidate(execution, inbox, operation);
	}
}

/* For a receive with a wildcard: releases its candidate, which it no longer needs. */
static struct executed_operation *unlist_open(struct execution *execution, struct executed_operation *receive)
{
	struct message_inbox *inbox = inbox_of(receive);
	struct executed_operation *send = receive->candidate;

	if (send)
		part(inbox, receive);
	remove_from(LIST_WAITING, &inbox->open, receive);
	receive->state &= ~(uint32_t)OPERATION_LISTED;
	operation_release(execution, receive);
	return send;
}

void message_takes(struct execution *execution, struct executed_operation *operation)
{
	struct executed_operation *send = NULL;

	if (operation->call->operation == OPERATION_PROBE) {
		probe_begins(execution, operation);
		return;
	}
	if (operation->state & OPERATION_LISTED)
		send = unlist_open(execution, operation);
	receive_begins(execution, operation);
	if (send && send->state & OPERATION_LISTED && !send->candidate)
		settle_send(execution, send);
	settle_doubts(execution, inbox_of(operation));
}

const struct executed_operation *execution_other_tag(const struct executed_operation *receive)
{
	const struct message_inbox *inbox = is_receive(receive) && receive->source >= 0 && receive->tag >= 0
	                                            ? inbox_of(receive)
	                                            : NULL;
	const struct executed_operation *send = inbox ? inbox->sends.first : NULL;

	while (send && (send->call->peer < 0 || (int32_t)send->call->member->rank != receive->source ||
	                send->call->tag == receive->tag))
		send = next_in(LIST_INBOX, send);
	return send;
}

/* Operations that never happened */

void learn_unmatched(struct execution *execution, const struct process_fact *fact)
{
	if (fact->partner && fact->operation->partner == fact->partner) {
		fact->operation->partner = NULL;
		operation_release(execution, fact->partner);
	}
	fact->operation->state &= ~(uint32_t)OPERATION_MATCHED;
}

/* Another execution matched it, but it never happened: its partner takes the next message of its channel,
 * which may already be there. */
static void lose_resumed(struct execution *execution, struct executed_operation *operation)
{
	struct message_channel *channel = channel_of(execution, operation);
	struct executed_operation *next;

	if (!channel)
		return;
	if (operation->call->operation == OPERATION_SEND && (next = channel->sends.first) != NULL) {
		struct executed_operation *left = unlist_send(next);

		next->state &= ~(uint32_t)OPERATION_LISTED;
		next->channel = NULL;
		match_unknown(execution, next);
		operation_release(execution, next);
		if (left)
			find_candidate(execution, inbox_of(left), left);
	} else if (operation->call->operation != OPERATION_SEND && (next = channel->receives.first) != NULL) {
		next->state &= ~(uint32_t)OPERATION_LISTED;
		unlist_receive(next);
		match_unknown(execution, next);
		operation_release(execution, next);
	} else {
		channel->surplus += operation->call->operation == OPERATION_SEND ? -1 : 1;
	}
}

static void lose_receive(struct execution *execution, struct executed_operation *receive)
{
	struct executed_operation *send = receive->partner;
	struct message_channel *channel;

	receive->partner = NULL;
	if (!send)
		return;
	if (!is_receive(receive)) {
		operation_release(execution, send);
		return;
	}
	fact_tell(execution, send->process,
	          &(struct process_fact){.kind = FACT_UNMATCHED, .operation = send, .partner = receive});
	channel = channel_of(execution, send);
	if (channel && !(send->state & OPERATION_VOID))
		list_send(execution, channel, send);
	operation_release(execution, send);
}

/* A complete receive has received another message. */
static void lose_send(struct execution *execution, struct executed_operation *send)
{
	struct executed_operation *receive = send->partner;

	send->partner = NULL;
	if (!receive)
		return;
	if (receive->partner == send) {
		receive->partner = NULL;
		operation_release(execution, send);
	}
	if (is_receive(receive)) {
		receive->state &= ~(uint32_t)OPERATION_MATCHED;
		receive_begins(execution, receive);
	}
	operation_release(execution, receive);
}

void learn_cancelled(struct execution *execution, const struct process_fact *fact)
{
	struct executed_operation *send = fact->operation, *left;

	operation_over(execution, send, OPERATION_VOID); /* an image */
	LISTENERS_CALL(execution, cancelled, send);
	if (send->state & OPERATION_RESUMED) {
		lose_resumed(execution, send);
		return;
	}
	if (!(send->state & OPERATION_LISTED)) {
		lose_send(execution, send);
		return;
	}
	send->state &= ~(uint32_t)OPERATION_LISTED;
	left = unlist_send(send);
	send->channel = NULL;
	if (left)
		find_candidate(execution, inbox_of(send), left);
	operation_release(execution, send);
}

void message_void(struct execution *execution, struct executed_operation *operation)
{
	struct executed_operation *left;

	if (operation->call->operation == OPERATION_SEND) {
		fact_tell(execution, message_receiver(execution, operation),
		          &(struct process_fact){.kind = FACT_CANCELLED, .operation = operation});
		return;
	}
	LISTENERS_CALL(execution, cancelled, operation);
	if (operation->state & OPERATION_RESUMED && is_receive(operation)) {
		lose_resumed(execution, operation);
		return;
	}
	if (!(operation->state & OPERATION_LISTED)) {
		lose_receive(execution, operation);
		return;
	}
	operation->state &= ~(uint32_t)OPERATION_LISTED;
	if (operation->call->operation == OPERATION_PROBE) {
		unlist_probe(execution, operation);
	} else if (operation->channel) {
		unlist_receive(operation);
		operation_release(execution, operation);
	} else {
		left = unlist_open(execution, operation);
		if (left)
			settle_send(execution, left);
		settle_doubts(execution, inbox_of(operation));
	}
}

/* Operations that happened */

/* The program has left the send: a receive with a wildcard may have taken it, rather than a send
 * that is still blocked. */
static void send_returned(struct execution *execution, struct executed_operation *send)
{
	struct message_inbox *inbox = send->channel->inbox;
	struct executed_operation *other, *receive = inbox->provided.first;
	int looked = 0;

	if (send->candidate) {
		fact_tell(execution, send->process,
		          &(struct process_fact){.kind = FACT_RELEASED, .operation = send});
		return;
	}
	while (receive && looked++ < CANDIDATES_LOOKED_AT &&
	       (!could_take(receive, send) || receive->candidate->state & OPERATION_RETURNED))
		receive = next_waiting(receive);
	if (!receive || looked > CANDIDATES_LOOKED_AT)
		return;
	other = receive->candidate;
	part(inbox, receive);
	propose(execution, inbox, receive, send);
	settle_send(execution, other);
}

void learn_left(struct execution *execution, const struct process_fact *fact)
{
	fact->operation->state |= OPERATION_RETURNED;
	if (fact->operation->state & OPERATION_LISTED && fact->operation->channel)
		send_returned(execution, fact->operation);
}

void message_returned(struct execution *execution, struct executed_operation *operation)
{
	struct executed_operation *send;

	if (operation->call->operation == OPERATION_SEND) {
		/* Only receives with MPI_ANY_SOURCE need the event. */
		if (!execution->part || execution->has_takers)
			fact_tell(execution, message_receiver(execution, operation),
			          &(struct process_fact){.kind = FACT_LEFT, .operation = operation});
		return;
	}
	if (!(operation->state & OPERATION_LISTED) || !operation->channel)
		return;
	if (operation->call->operation == OPERATION_PROBE) {
		if (operation->process->is_threaded) {
			see(execution, operation, NULL);
			unlist_probe(execution, operation);
		}
	} else {
		send = find_send(operation->channel, operation);
		if (send)
			take_listed_receive(execution, send, operation);
	}
}

static void thread_tells_left(struct execution *execution, const struct executed_thread *thread)
{
	for (size_t i = 0;
	     thread->has_returned && thread->blocked == BLOCKED_OPERATIONS && i < thread->waits.count; i++)
		if (thread->waits.items[i]->call->operation == OPERATION_SEND &&
		    !operation_is_done(thread->waits.items[i]))
			message_returned(execution, thread->waits.items[i]);
}

void execution_has_takers(struct execution *execution)
{
	if (execution->has_takers)
		return;
	execution->has_takers = true;
	for (size_t i = 0; i < execution->processes.count; i++)
		if (!execution->processes.items[i]->is_image)
			thread_tells_left(execution, execution->processes.items[i]->current);
	execution_run(execution);
}

bool message_has_rivals(const struct executed_operation *receive)
{
	return receive->channel && receive->channel->sends.first;
}

bool message_is_undecided(const struct executed_operation *operation)
{
	const bool is_probe = operation->call->operation == OPERATION_PROBE;
	const struct message_inbox *inbox = inbox_of(operation);
	int looked = 0;

	if (operation->candidate || !inbox)
		return true;
	if (operation->call->operation == OPERATION_SEND) {
		for (const struct executed_operation *at = inbox->open.first; at; at = next_waiting(at))
			if (++looked > CANDIDATES_LOOKED_AT)
				return true;
		return operation->channel && operation->channel->receives.first;
	}
	if (operation->state & OPERATION_RESOLVED) {
		const struct executed_operation *at = operation->channel ? operation->channel->sends.first
		                                                         : NULL;
		while (at && at->candidate && !is_probe)
			at = next_waiting(at);
		return at;
	}
	for (const struct executed_operation *at = inbox->sends.first; at; at = next_in(LIST_INBOX, at))
		if (++looked > CANDIDATES_LOOKED_AT ||
		    ((is_probe || !at->candidate) && could_take(operation, at)))
			return true;
	return false;
}
