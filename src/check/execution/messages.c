/* Sends and receives. Those of one communicator, source, destination and tag (a channel) match in the order in which they began. A receive with a wildcard
 * belongs to a channel when its process says what it took. Until then it has a candidate: a send that it could take, which no receive takes that
 * began later, unless the program shows that it did (OPERATION_RETURNED). So it is known who can go on, and who waits for
 * another message. */
#include "check/execution/execution_parts.h"

enum {
	CANDIDATES_LOOKED_AT = 1000, /* for one operation */
	CHANNELS_KEPT = 1 << 16,
};

/* In the order in which they began. */
struct operation_list {
	struct course_operation *first, *last;
};

struct course_channel {
	struct map_key key;
	struct course_inbox *inbox;
	struct operation_list sends, receives, probes; /* that wait for a partner */
	uint64_t sent;                                 /* messages */
};

/* Of a member of a communicator. */
struct course_inbox {
	struct operation_list sends;    /* without a partner: LIST_INBOX */
	struct operation_list open;     /* receives with a wildcard that has not said what it took… */
	struct operation_list provided; /* … and those that have a candidate */
	bool is_doubtful; /* a send and a receive could match, but one of those may have taken the send */
	uint32_t waiting; /* receives and probes in channels */
};

/* Lists */

static struct course_operation *next_in(enum operation_list_kind kind,
                                        const struct course_operation *operation)
{
	return operation->links[kind].next;
}

static struct course_operation *next_waiting(const struct course_operation *operation)
{
	return next_in(LIST_WAITING, operation);
}

static void insert_in(enum operation_list_kind kind, struct operation_list *list,
                      struct course_operation *operation)
{
	struct operation_links *links = &operation->links[kind];
	struct course_operation *before = list->last;

	while (before && before->began > operation->began)
		before = before->links[kind].previous;
	links->previous = before;
	links->next = before ? before->links[kind].next : list->first;
	*(links->next ? &links->next->links[kind].previous : &list->last) = operation;
	*(before ? &before->links[kind].next : &list->first) = operation;
}

static void remove_from(enum operation_list_kind kind, struct operation_list *list,
                        struct course_operation *operation)
{
	struct operation_links *links = &operation->links[kind];

	*(links->next ? &links->next->links[kind].previous : &list->last) = links->previous;
	*(links->previous ? &links->previous->links[kind].next : &list->first) = links->next;
	*links = (struct operation_links){0};
}

static void list_insert(struct operation_list *list, struct course_operation *operation)
{
	insert_in(LIST_WAITING, list, operation);
}

static void list_remove(struct operation_list *list, struct course_operation *operation)
{
	remove_from(LIST_WAITING, list, operation);
}

/* Inboxes and channels */

static struct course_inbox *inbox_get(struct analysed_comm *known, uint32_t place)
{
	struct course_comm *comm = course_comm_get(known);

	if (!comm->inboxes)
		comm->inboxes = memory_new(comm->member_count, sizeof(struct course_inbox *));
	if (!comm->inboxes[place])
		comm->inboxes[place] = memory_new(1, sizeof(struct course_inbox));
	return comm->inboxes[place];
}

/* Empty ones go when there are many. */
static void sweep_channels(struct course *course)
{
	if (course->channel_numbers.count < course->channels_kept)
		return;
	for (uint32_t i = 0; i < course->channels.count; i++) {
		struct course_channel *channel = course->channels.items[i];
		if (!channel || channel->sends.first || channel->receives.first || channel->probes.first)
			continue;
		map_remove(&course->channel_numbers, channel->key);
		course->channels.items[i] = NULL;
		array_add(&course->free_channels, i);
		free(channel);
	}
	course->channels_kept = 2 * course->channel_numbers.count + CHANNELS_KEPT;
}

static struct course_channel *channel_get(struct course *course, struct map_key key,
                                          struct course_inbox *inbox)
{
	uint32_t *number = map_find(&course->channel_numbers, key);
	struct course_channel *channel;

	if (number) {
		channel = course->channels.items[*number];
		/* The one before may be gone: its communicator ended, and so did nothing else. */
		channel->inbox = inbox;
		return channel;
	}
	sweep_channels(course);
	channel = memory_new(1, sizeof *channel);
	channel->key = key;
	channel->inbox = inbox;
	number = map_put(&course->channel_numbers, key);
	if (course->free_channels.count) {
		*number = course->free_channels.items[--course->free_channels.count];
		course->channels.items[*number] = channel;
	} else {
		*number = (uint32_t)course->channels.count;
		array_add(&course->channels, channel);
	}
	return channel;
}

/* Side and place of the other ones of a communicator. */
static uint32_t other_side(const struct comm_member *member)
{
	const bool is_inter = member->comm->size[0] && member->comm->size[1];

	return is_inter ? !member->side : member->side;
}

/* The inbox that it goes to, or takes from; NULL: there is no such rank. */
static struct course_inbox *inbox_of(const struct course_operation *operation)
{
	const struct comm_member *member = operation->call->member;
	const uint32_t side = other_side(member);

	if (operation->call->operation != OPERATION_SEND)
		return inbox_get(member->comm, place_of(member));
	if (operation->call->peer < 0 || (uint32_t)operation->call->peer >= member->comm->size[side])
		return NULL;
	return inbox_get(member->comm, (side ? member->comm->size[0] : 0) + (uint32_t)operation->call->peer);
}

/* NULL: there is no such rank. */
static struct course_channel *channel_of(struct course *course, const struct course_operation *operation)
{
	const struct comm_member *member = operation->call->member;
	const bool sends = operation->call->operation == OPERATION_SEND;
	const int32_t peer = sends ? operation->call->peer : operation->source;
	const int32_t tag = sends ? operation->call->tag : operation->tag;
	const uint32_t side = sends ? member->side : other_side(member);
	const uint32_t source = sends ? member->rank : (uint32_t)peer,
		       dest = sends ? (uint32_t)peer : member->rank;

	if (peer < 0 || (uint32_t)peer >= member->comm->size[other_side(member)])
		return NULL;
	return channel_get(course,
	                   map_key((uint64_t)member->comm->number << 33 | (uint64_t)side << 32 | source,
	                           (uint64_t)dest << 32 | (uint32_t)tag),
	                   inbox_of(operation));
}

/* Candidates */

static bool could_take(const struct course_operation *receive, const struct course_operation *send)
{
	return (receive->source < 0 || receive->source == (int32_t)send->call->member->rank) &&
	       (receive->tag < 0 || receive->tag == send->call->tag);
}

static void propose(struct course *course, struct course_inbox *inbox, struct course_operation *receive,
                    struct course_operation *send)
{
	list_remove(&inbox->open, receive);
	list_insert(&inbox->provided, receive);
	receive->candidate = send;
	send->candidate = receive;
	/* The program went on: that may be the receive that let it. */
	if (send->state & OPERATION_RETURNED && !operation_is_done(send)) {
		send->state |= OPERATION_BUFFERED;
		operation_done(course, send);
	}
}

static void part(struct course_inbox *inbox, struct course_operation *receive)
{
	list_remove(&inbox->provided, receive);
	list_insert(&inbox->open, receive);
	receive->candidate->candidate = NULL;
	receive->candidate = NULL;
}

static struct course_operation *find_open(const struct course_inbox *inbox,
                                          const struct course_operation *send)
{
	int looked = 0;

	for (struct course_operation *at = inbox->open.first; at && looked < CANDIDATES_LOOKED_AT;
	     at = next_waiting(at), looked++)
		if (could_take(at, send))
			return at;
	return NULL;
}

/* The first one, unless the program shows that another one found a receive. */
static void find_candidate(struct course *course, struct course_inbox *inbox,
                           struct course_operation *receive)
{
	struct course_operation *found = NULL;
	int looked = 0;

	for (struct course_operation *at = inbox->sends.first; at && looked < CANDIDATES_LOOKED_AT;
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
		propose(course, inbox, receive, found);
}

/* Matching */

static void settle_send(struct course *course, struct course_operation *send);

static bool has_earlier_taker(const struct operation_list *list, const struct course_operation *receive,
                              const struct course_operation *send)
{
	int looked = 0;

	for (const struct course_operation *at = list->first; at && at->began < receive->began;
	     at = next_waiting(at))
		if (++looked > CANDIDATES_LOOKED_AT || could_take(at, send))
			return true;
	return false;
}

/* Could a receive with a wildcard that began before this one have taken the send? Then nobody knows whether the two match, unless the program shows
 * it. */
static bool is_doubtful(struct course_inbox *inbox, const struct course_operation *receive,
                        const struct course_operation *send)
{
	if (receive->state & OPERATION_RETURNED || (!has_earlier_taker(&inbox->open, receive, send) &&
	                                            !has_earlier_taker(&inbox->provided, receive, send)))
		return false;
	inbox->is_doubtful = true;
	return true;
}

static void unlist_receive(struct course_operation *receive)
{
	receive->channel->inbox->waiting--;
	list_remove(&receive->channel->receives, receive);
	receive->channel = NULL;
}

/* Whoever had it as a candidate looks for another one: to be done when it is out of all lists. */
static struct course_operation *unlist_send(struct course_operation *send)
{
	struct course_operation *receive = send->candidate;
	struct course_inbox *inbox = send->channel->inbox;

	if (receive)
		part(inbox, receive);
	list_remove(&send->channel->sends, send);
	remove_from(LIST_INBOX, &inbox->sends, send);
	return receive;
}

static void set_partner(struct course_operation *operation, struct course_operation *partner)
{
	operation->state |= OPERATION_MATCHED;
	if (!(operation->state & (OPERATION_OVER | OPERATION_DROPPED | OPERATION_VOID)))
		operation->partner = operation_keep(partner);
}

/* A send that is listed, or has just begun, and a receive that is not listed. */
static void match(struct course *course, struct course_operation *send, struct course_operation *receive)
{
	struct course_operation *left = NULL;
	const bool was_listed = send->state & OPERATION_LISTED;

	if (was_listed)
		left = unlist_send(send);
	send->state &= ~(uint32_t)OPERATION_LISTED;
	set_partner(send, receive);
	set_partner(receive, send);
	LISTENERS_CALL(course, matched, send, receive);
	operation_done(course, send);
	operation_done(course, receive);
	send->channel = receive->channel = NULL;
	if (was_listed)
		operation_release(course, send);
	if (left)
		find_candidate(course, inbox_of(left), left);
}

static void take_listed_receive(struct course *course, struct course_operation *send,
                                struct course_operation *receive)
{
	receive->state &= ~(uint32_t)OPERATION_LISTED;
	unlist_receive(receive);
	match(course, send, receive);
	operation_release(course, receive);
}

static void see(struct course *course, struct course_operation *probe, struct course_operation *send)
{
	if (send)
		set_partner(probe, send);
	probe->state |= OPERATION_MATCHED;
	operation_done(course, probe);
}

static void unlist_probe(struct course *course, struct course_operation *probe)
{
	probe->channel->inbox->waiting--;
	list_remove(&probe->channel->probes, probe);
	probe->channel = NULL;
	probe->state &= ~(uint32_t)OPERATION_LISTED;
	operation_release(course, probe);
}

/* A receive with a wildcard could take this send instead of one that another receive waits for. */
static struct course_operation *find_exchange(const struct course_inbox *inbox,
                                              const struct course_operation *send)
{
	int looked = 0;

	for (struct course_operation *at = inbox->provided.first; at && looked < CANDIDATES_LOOKED_AT;
	     at = next_waiting(at), looked++)
		if (could_take(at, send) && at->candidate->channel->receives.first)
			return at;
	return NULL;
}

/* A send that is listed and has no candidate: a receive that waits takes it, or could. */
static void settle_send(struct course *course, struct course_operation *send)
{
	struct course_inbox *inbox = send->channel->inbox;
	struct course_operation *receive = send->channel->receives.first;
	struct course_operation *open = find_open(inbox, send);

	if (receive && !is_doubtful(inbox, receive, send))
		take_listed_receive(course, send, receive);
	else if (open)
		propose(course, inbox, open, send);
	else if (!receive && (open = find_exchange(inbox, send)) != NULL) {
		struct course_operation *other = open->candidate;
		part(inbox, open);
		propose(course, inbox, open, send);
		settle_send(course, other);
	}
}

/* A receive with a wildcard is out of the way. */
static void settle_doubts(struct course *course, struct course_inbox *inbox)
{
	struct course_operation *next;

	if (!inbox->is_doubtful)
		return;
	inbox->is_doubtful = false;
	for (struct course_operation *at = inbox->sends.first; at; at = next) {
		next = next_in(LIST_INBOX, at);
		if (at->channel->receives.first && !at->candidate)
			settle_send(course, at);
	}
}

static void list_send(struct course *course, struct course_channel *channel, struct course_operation *send)
{
	send->channel = channel;
	send->state |= OPERATION_LISTED;
	list_insert(&channel->sends, operation_keep(send));
	insert_in(LIST_INBOX, &channel->inbox->sends, send);
	settle_send(course, send);
}

static void send_begins(struct course *course, struct course_operation *send)
{
	struct course_channel *channel = channel_of(course, send);

	if (!channel) {
		send->state |= OPERATION_MATCHED;
		return;
	}
	send->sequence = ++channel->sent;
	if (channel->receives.first && !channel->inbox->open.first && !channel->inbox->provided.first) {
		take_listed_receive(course, send, channel->receives.first);
		return;
	}
	list_send(course, channel, send);
	while (channel->sends.first && channel->probes.first) {
		see(course, channel->probes.first, channel->sends.first);
		unlist_probe(course, channel->probes.first);
	}
}

/* The first send that no other receive could take instead; if the program shows that it has one, the first. */
static struct course_operation *find_send(const struct course_channel *channel,
                                          const struct course_operation *receive)
{
	struct course_operation *at = channel->sends.first;

	if (receive->state & OPERATION_RETURNED)
		while (at && at->candidate)
			at = next_waiting(at);
	else
		while (at && at->candidate && at->candidate->began < receive->began)
			at = next_waiting(at);
	return at || !(receive->state & OPERATION_RETURNED) ? at : channel->sends.first;
}

/* A receive waits, and all sends that it could take are candidates of others: one of them may take another one. */
static void find_other_candidate(struct course *course, const struct course_channel *channel)
{
	struct course_operation *send = channel->sends.first, *receive;
	int looked = 0;

	for (; send && looked < CANDIDATES_LOOKED_AT; send = next_waiting(send), looked++) {
		struct course_operation *other = channel->inbox->sends.first;
		receive = send->candidate;
		if (!receive)
			return;
		while (other && looked++ < CANDIDATES_LOOKED_AT &&
		       (other->candidate || !could_take(receive, other)))
			other = next_in(LIST_INBOX, other);
		if (other && looked < CANDIDATES_LOOKED_AT) {
			part(channel->inbox, receive);
			propose(course, channel->inbox, receive, other);
			settle_send(course, send);
			return;
		}
	}
}

/* A receive whose source and tag are known. */
static void receive_begins(struct course *course, struct course_operation *receive)
{
	struct course_channel *channel = channel_of(course, receive);
	struct course_operation *send;

	if (!channel) {
		receive->state |= OPERATION_MATCHED;
		operation_done(course, receive);
		return;
	}
	send = find_send(channel, receive);
	if (send && !is_doubtful(channel->inbox, receive, send)) {
		match(course, send, receive);
		return;
	}
	receive->channel = channel;
	receive->state |= OPERATION_LISTED;
	channel->inbox->waiting++;
	list_insert(&channel->receives, operation_keep(receive));
	if (channel->sends.first)
		find_other_candidate(course, channel);
}

static void probe_begins(struct course *course, struct course_operation *probe)
{
	struct course_channel *channel = channel_of(course, probe);

	if (!channel || channel->sends.first ||
	    (probe->state & OPERATION_RETURNED && probe->process->is_threaded)) {
		see(course, probe, channel ? channel->sends.first : NULL);
		return;
	}
	probe->channel = channel;
	probe->state |= OPERATION_LISTED;
	channel->inbox->waiting++;
	list_insert(&channel->probes, operation_keep(probe));
}

void message_begins(struct course *course, struct course_operation *operation)
{
	struct course_inbox *inbox;

	if (operation->call->operation == OPERATION_SEND) {
		send_begins(course, operation);
	} else if (operation->state & OPERATION_RESOLVED) {
		if (operation->call->operation == OPERATION_PROBE)
			probe_begins(course, operation);
		else
			receive_begins(course, operation);
	} else if (operation->call->operation != OPERATION_PROBE) {
		inbox = inbox_of(operation);
		operation->state |= OPERATION_LISTED;
		list_insert(&inbox->open, operation_keep(operation));
		find_candidate(course, inbox, operation);
	}
}

/* Of a receive with a wildcard: gives back the send that it does not need as a candidate any more. */
static struct course_operation *unlist_open(struct course *course, struct course_operation *receive)
{
	struct course_inbox *inbox = inbox_of(receive);
	struct course_operation *send = receive->candidate;

	if (send)
		part(inbox, receive);
	list_remove(&inbox->open, receive);
	receive->state &= ~(uint32_t)OPERATION_LISTED;
	operation_release(course, receive);
	return send;
}

void message_takes(struct course *course, struct course_operation *operation)
{
	struct course_operation *send = NULL;

	if (operation->call->operation == OPERATION_PROBE) {
		probe_begins(course, operation);
		return;
	}
	if (operation->state & OPERATION_LISTED)
		send = unlist_open(course, operation);
	receive_begins(course, operation);
	if (send && send->state & OPERATION_LISTED && !send->candidate)
		settle_send(course, send);
	settle_doubts(course, inbox_of(operation));
}

/* What never happened */

static void lose_receive(struct course *course, struct course_operation *receive)
{
	struct course_operation *send = receive->partner;
	struct course_channel *channel;

	receive->partner = NULL;
	if (!send)
		return;
	if (!is_receive(receive)) {
		operation_release(course, send);
		return;
	}
	if (send->partner == receive) {
		send->partner = NULL;
		operation_release(course, receive);
	}
	send->state &= ~(uint32_t)OPERATION_MATCHED;
	channel = channel_of(course, send);
	if (channel && !(send->state & OPERATION_VOID))
		list_send(course, channel, send);
	operation_release(course, send);
}

/* A receive that is complete has taken another message. */
static void lose_send(struct course *course, struct course_operation *send)
{
	struct course_operation *receive = send->partner;

	send->partner = NULL;
	if (!receive)
		return;
	if (receive->partner == send) {
		receive->partner = NULL;
		operation_release(course, send);
	}
	if (is_receive(receive)) {
		receive->state &= ~(uint32_t)OPERATION_MATCHED;
		receive_begins(course, receive);
	}
	operation_release(course, receive);
}

void message_void(struct course *course, struct course_operation *operation)
{
	struct course_operation *left = NULL;
	struct course_inbox *inbox = inbox_of(operation);

	LISTENERS_CALL(course, cancelled, operation);
	if (!(operation->state & OPERATION_LISTED)) {
		if (operation->call->operation == OPERATION_SEND)
			lose_send(course, operation);
		else
			lose_receive(course, operation);
		return;
	}
	operation->state &= ~(uint32_t)OPERATION_LISTED;
	if (operation->call->operation == OPERATION_SEND) {
		left = unlist_send(operation);
		operation->channel = NULL;
		operation_release(course, operation);
		if (left)
			find_candidate(course, inbox, left);
	} else if (operation->call->operation == OPERATION_PROBE) {
		unlist_probe(course, operation);
	} else if (operation->channel) {
		unlist_receive(operation);
		operation_release(course, operation);
	} else {
		left = unlist_open(course, operation);
		if (left)
			settle_send(course, left);
		settle_doubts(course, inbox);
	}
}

/* What really happened */

/* A send that the program has left: a receive with a wildcard may have taken it, rather than one that nobody has left. */
static void send_returned(struct course *course, struct course_operation *send)
{
	struct course_inbox *inbox = send->channel->inbox;
	struct course_operation *other, *receive = inbox->provided.first;
	int looked = 0;

	if (send->candidate) {
		send->state |= OPERATION_BUFFERED;
		operation_done(course, send);
		return;
	}
	while (receive && looked++ < CANDIDATES_LOOKED_AT &&
	       (!could_take(receive, send) || receive->candidate->state & OPERATION_RETURNED))
		receive = next_waiting(receive);
	if (!receive || looked > CANDIDATES_LOOKED_AT)
		return;
	other = receive->candidate;
	part(inbox, receive);
	propose(course, inbox, receive, send);
	settle_send(course, other);
}

void message_returned(struct course *course, struct course_operation *operation)
{
	struct course_operation *send;

	if (!(operation->state & OPERATION_LISTED) || !operation->channel)
		return;
	if (operation->call->operation == OPERATION_SEND) {
		send_returned(course, operation);
	} else if (operation->call->operation == OPERATION_PROBE) {
		if (operation->process->is_threaded) {
			see(course, operation, NULL);
			unlist_probe(course, operation);
		}
	} else {
		send = find_send(operation->channel, operation);
		if (send)
			take_listed_receive(course, send, operation);
	}
}

bool message_has_rivals(const struct course_operation *receive)
{
	return receive->channel && receive->channel->sends.first;
}

bool message_is_undecided(const struct course_operation *operation)
{
	const bool is_probe = operation->call->operation == OPERATION_PROBE;
	const struct course_inbox *inbox = inbox_of(operation);
	int looked = 0;

	if (operation->candidate || !inbox)
		return true;
	if (operation->call->operation == OPERATION_SEND) {
		for (const struct course_operation *at = inbox->open.first; at; at = next_waiting(at))
			if (++looked > CANDIDATES_LOOKED_AT)
				return true;
		return operation->channel && operation->channel->receives.first;
	}
	if (operation->state & OPERATION_RESOLVED) {
		const struct course_operation *at = operation->channel ? operation->channel->sends.first
		                                                       : NULL;
		while (at && at->candidate && !is_probe)
			at = next_waiting(at);
		return at;
	}
	for (const struct course_operation *at = inbox->sends.first; at; at = next_in(LIST_INBOX, at))
		if (++looked > CANDIDATES_LOOKED_AT ||
		    ((is_probe || !at->candidate) && could_take(operation, at)))
			return true;
	return false;
}

/* The end */

static void visit_list(const struct operation_list *list,
                       void (*visit)(void *owner, struct course_operation *), void *owner)
{
	for (struct course_operation *at = list->first; at; at = next_waiting(at))
		visit(owner, at);
}

void course_visit_unmatched(struct course *course, void (*visit)(void *owner, struct course_operation *),
                            void *owner)
{
	for (size_t i = 0; i < course->channels.count; i++)
		if (course->channels.items[i]) {
			visit_list(&course->channels.items[i]->sends, visit, owner);
			visit_list(&course->channels.items[i]->receives, visit, owner);
		}
	for (size_t i = 0; i < course->known->comms.count; i++) {
		const struct analysed_comm *known = course->known->comms.items[i];
		const struct course_comm *comm = known ? known->course : NULL;
		for (uint32_t j = 0; comm && comm->inboxes && j < comm->member_count; j++)
			if (comm->inboxes[j])
				visit_list(&comm->inboxes[j]->open, visit, owner);
	}
}

static void release_list(struct course *course, struct operation_list *list)
{
	while (list->first) {
		struct course_operation *operation = list->first;
		list_remove(list, operation);
		operation->channel = NULL;
		operation->candidate = NULL;
		if (operation->partner)
			operation_release(course, operation->partner);
		operation->partner = NULL;
		operation_release(course, operation);
	}
}

void channels_release(struct course *course)
{
	for (size_t i = 0; i < course->channels.count; i++) {
		struct course_channel *channel = course->channels.items[i];
		if (!channel)
			continue;
		release_list(course, &channel->sends);
		release_list(course, &channel->receives);
		release_list(course, &channel->probes);
		free(channel);
	}
	map_release(&course->channel_numbers);
	array_release(&course->channels);
	array_release(&course->free_channels);
}

bool inboxes_are_empty(const struct course_comm *comm)
{
	for (uint32_t i = 0; comm->inboxes && i < comm->member_count; i++) {
		const struct course_inbox *inbox = comm->inboxes[i];
		if (inbox &&
		    (inbox->sends.first || inbox->open.first || inbox->provided.first || inbox->waiting))
			return false;
	}
	return true;
}

void inboxes_free(struct course_comm *comm)
{
	for (uint32_t i = 0; comm->inboxes && i < comm->member_count; i++)
		free(comm->inboxes[i]);
	free(comm->inboxes);
	comm->inboxes = NULL;
}

void inboxes_release(struct course *course, struct course_comm *comm)
{
	for (uint32_t i = 0; comm->inboxes && i < comm->member_count; i++)
		if (comm->inboxes[i]) {
			release_list(course, &comm->inboxes[i]->open);
			release_list(course, &comm->inboxes[i]->provided);
		}
}
